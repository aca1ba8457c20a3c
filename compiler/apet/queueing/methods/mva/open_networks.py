"""Open networks, and open classes beside closed ones over plain stations.

Stations of product-form networks (F. Baskett et al., JACM 22(2), 1975) look to arriving jobs like stations of their
own: one server M/M/1, m servers M/M/m (Erlang's C formula), a delay M/M/inf; classes share a station's mean number of
jobs in proportion to their work. Beside closed classes, what open classes use of a station lengthens the closed demands
(S. C. Bruell, G. Balbo and P. V. Afshari, 1984): D / (1 - U_open), and open jobs wait behind the closed ones as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from apet.queueing.data.networks import Matrix, Network, NetworkResult
from apet.queueing.methods.mva.results import mean_values

ROOT = 2.0**300
"""Far from the greatest float."""


def offered_work(network: Network) -> list[float]:
    """The work that open classes bring to each station: seconds of service per second."""
    demands = network.demands()
    return [
        sum((c.arrival_rate or 0.0) * demands[i][k] for i, c in enumerate(network.classes) if c.is_open)
        for k in range(len(network.stations))
    ]


def overloaded(network: Network) -> list[tuple[int, float]]:
    """Stations that open classes alone would keep busy all the time or longer, with their utilization."""
    utilization = [work / network.speed(k)[-1] for k, work in enumerate(offered_work(network))]
    return [(k, u) for k, u in enumerate(utilization) if u >= 1 and not network.stations[k].is_delay]


def mean_jobs(work: float, speeds: Sequence[float]) -> float:
    """The mean number of jobs at a station that `work` seconds of service per second come to.

    The weights of 0, 1, … jobs are work^n / prod_{j <= n} speed(j); beyond the last speed they are geometric.
    """
    total, mean, tail = _weights(work, speeds)
    ratio, first = work / speeds[-1], len(speeds)
    return (mean + tail * (first + ratio / (1 - ratio))) / (total + tail)


def jobs_beyond(work: float, speeds: Sequence[float]) -> float:
    """Of the mean number of jobs, those beyond as many as there are speeds: more at once gain nothing, so they wait."""
    total, _, tail = _weights(work, speeds)
    ratio = work / speeds[-1]
    return tail * ratio / (1 - ratio) / (total + tail)


def waiting_in_turns(utilization: float, services: Sequence[float]) -> float:
    """How long jobs wait that come back to the end of one queue for each of their services, over how long they would
    wait if they shared the server: 1/2 for one service, near 1 for many equal ones, above 1 for very unequal ones.

    Services are the same for all jobs, which arrive at random: L. Takacs, "A single-server queue with feedback", 1963,
    for known services. A job finds at its j-th turn those that were at turn i when it came, now at i + j - 1 (a Hankel
    matrix of services), and those that came during its turn m, now at j - m (a triangular one); the waits w, times the
    rate as many jobs by turn (Little), solve w = A (w + s), less half of the service that is under way on arrival.
    """
    import numpy as np

    shares = np.array(services) / sum(services)
    padded = np.concatenate([np.zeros(len(shares)), shares, np.zeros(len(shares))])
    turn = np.arange(len(shares))
    behind = padded[len(shares) + turn[:, None] + turn] + padded[len(shares) - 1 + turn[:, None] - turn]
    rates = utilization * behind

    constants = rates @ shares
    constants[0] -= utilization * (shares**2).sum() / 2
    waits = np.linalg.solve(np.eye(len(shares)) - rates, constants)
    return float(waits.sum() * (1 - utilization) / utilization)


def _weights(work: float, speeds: Sequence[float]) -> tuple[float, float, float]:
    """The sum of the weights of fewer jobs than speeds, these times the jobs, and the weight of all other numbers; all
    divided by a power of ROOT where they would leave the range of floats."""
    weight = total = 1.0
    mean = 0.0
    for n, speed in enumerate(speeds[:-1], start=1):
        weight *= work / speed
        total += weight
        mean += n * weight
        if total > ROOT:
            weight, total, mean = weight / ROOT, total / ROOT, mean / ROOT

    ratio = work / speeds[-1]
    return total, mean, weight * ratio / (1 - ratio)


def open_network(network: Network) -> NetworkResult:
    """The exact solution where all classes are open and no station is overloaded."""
    works, demands = offered_work(network), network.demands()
    jobs = [[0.0] * len(network.stations) for _ in network.classes]
    for k, work in enumerate(works):
        everyone = work if network.stations[k].is_delay else mean_jobs(work, network.speed(k))
        for i, c in enumerate(network.classes):
            own = (c.arrival_rate or 0.0) * demands[i][k]
            jobs[i][k] = everyone * own / work if work else 0.0
    return mean_values(network, "exact", [c.arrival_rate or 0.0 for c in network.classes], jobs)


def closed_classes(network: Network, service: Matrix) -> Network:
    """The network of the closed classes, with other service times."""
    closed = [i for i, c in enumerate(network.classes) if not c.is_open]
    return replace(
        network,
        classes=tuple(network.classes[i] for i in closed),
        service=[service[i] for i in closed],
        visits=[network.visits[i] for i in closed],
    )


def slowed_by_open(network: Network) -> Network:
    """The closed classes over plain stations, their demands lengthened by what open classes use."""
    works = offered_work(network)
    free = [1.0 if s.is_delay else 1.0 - w for s, w in zip(network.stations, works, strict=True)]
    return closed_classes(network, [[s / f for s, f in zip(row, free, strict=True)] for row in network.service])


def mixed_over_plain(network: Network, closed: NetworkResult) -> NetworkResult:
    """All classes over plain stations, from the solution of the closed ones."""
    works = offered_work(network)

    def open_jobs(station: int, own: float) -> float:
        if network.stations[station].is_delay:
            return own
        others = sum(row[station] for row in closed.queue_length)
        return own * (1 + others) / (1 - works[station])

    return with_open_classes(network, closed, open_jobs)


def with_open_classes(
    network: Network, closed: NetworkResult, open_jobs: Callable[[int, float], float]
) -> NetworkResult:
    """All classes, from the solution of the closed ones; `open_jobs` gives the mean number of jobs of an open class at
    a station that it brings so many seconds of service per second to."""
    throughput, queue_length = list[float](), list[list[float]]()
    solved = zip(closed.throughput, closed.queue_length, strict=True)

    for c, demands in zip(network.classes, network.demands(), strict=True):
        if c.is_open:
            rate = c.arrival_rate or 0.0
            jobs = [open_jobs(k, rate * demand) for k, demand in enumerate(demands)]
        else:
            rate, jobs = next(solved)
        throughput.append(rate)
        queue_length.append(jobs)
    return mean_values(network, closed.method, throughput, queue_length, closed.iterations, closed.converged)
