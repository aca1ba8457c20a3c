"""Open networks, and open classes beside closed ones.

Stations of product-form networks (F. Baskett et al., JACM 22(2), 1975) look to arriving jobs like stations of their
own: one server M/M/1, m servers M/M/m (Erlang's C formula), a delay M/M/inf; classes share a station's mean number of
jobs in proportion to their work. Beside closed classes, what open classes use of a station lengthens the closed demands
(S. C. Bruell, G. Balbo and P. V. Afshari, 1984): D / (1 - U_open), and open jobs wait behind the closed ones as well.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.queueing.mva.results import result
from apet.queueing.networks import JobClass, Network, NetworkResult


def offered(network: Network) -> list[float]:
    """The work that open classes bring to each station: seconds of service per second."""
    demands = network.demands()
    return [
        sum((c.arrival_rate or 0.0) * demands[i][k] for i, c in enumerate(network.classes) if c.is_open)
        for k in range(len(network.stations))
    ]


def overloaded(network: Network) -> list[tuple[int, float]]:
    """Stations that open classes alone would keep busy all the time or longer, with their utilization."""
    found = []
    for k, work in enumerate(offered(network)):
        if not network.stations[k].is_delay and work / network.speed(k)[-1] >= 1:
            found.append((k, work / network.speed(k)[-1]))
    return found


def present(work: float, speeds: Sequence[float]) -> float:
    """The mean number of jobs at a station that `work` seconds of service per second come to.

    The weights of 0, 1, … jobs are work^n / prod_{j <= n} speed(j); beyond the last speed they are geometric.
    """
    weight = total = 1.0
    mean = 0.0
    for n, speed in enumerate(speeds[:-1], start=1):
        weight *= work / speed
        total += weight
        mean += n * weight
    ratio, first = work / speeds[-1], len(speeds)
    tail = weight * ratio / (1 - ratio)
    return (mean + tail * (first + ratio / (1 - ratio))) / (total + tail)


def open_network(network: Network) -> NetworkResult:
    """The exact solution where all classes are open and no station is overloaded."""
    works, demands = offered(network), network.demands()
    jobs = [[0.0] * len(network.stations) for _ in network.classes]
    for k, work in enumerate(works):
        whole = work if network.stations[k].is_delay else present(work, network.speed(k))
        for i, c in enumerate(network.classes):
            own = (c.arrival_rate or 0.0) * demands[i][k]
            jobs[i][k] = whole * own / work if work else 0.0
    return result(network, "exact", [c.arrival_rate or 0.0 for c in network.classes], jobs)


def closed_part(network: Network) -> Network:
    """The closed classes over plain stations, their demands lengthened by what open classes use."""
    works, kept = offered(network), [i for i, c in enumerate(network.classes) if not c.is_open]
    free = [1.0 if s.is_delay else 1.0 - w for s, w in zip(network.stations, works, strict=True)]
    service = [[s / f for s, f in zip(network.service[i], free, strict=True)] for i in kept]
    return network._replace(
        classes=tuple(network.classes[i] for i in kept), service=service, visits=[network.visits[i] for i in kept]
    )


def mixed_result(network: Network, closed: NetworkResult) -> NetworkResult:
    """All classes over plain stations, from the solution of the closed part."""
    works, demands = offered(network), network.demands()
    there = [sum(row[k] for row in closed.queue_length) for k in range(len(network.stations))]
    rates, jobs, rows = list[float](), list[list[float]](), zip(closed.throughput, closed.queue_length, strict=True)
    for i, c in enumerate(network.classes):
        if not c.is_open:
            rate, row = next(rows)
        else:
            rate = c.arrival_rate or 0.0
            row = [_waiting(network, k, rate * demands[i][k], works[k], there[k]) for k in range(len(there))]
        rates.append(rate)
        jobs.append(row)
    return result(network, closed.method, rates, jobs, closed.iterations, closed.converged)


def _waiting(network: Network, station: int, own: float, work: float, others: float) -> float:
    return own if network.stations[station].is_delay else own * (1 + others) / (1 - work)


def only_closed(classes: Sequence[JobClass]) -> bool:
    """Whether no class is open."""
    return not any(c.is_open for c in classes)
