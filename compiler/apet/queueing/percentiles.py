"""Percentiles of the response time in networks.

Closed classes: of a simulation, in proportion to the exact mean. Open classes: the time at a station of m servers with
Poisson arrivals is a wait, 0 with probability 1 - C and else exponential with rate m / S - lambda (C by Erlang), and a
service; in networks without overtaking the stations of one path are independent (E. Reich, 1957; P. J. Burke, 1969), so
that transforms multiply, and the distribution follows by numerical inversion (J. Abate and W. Whitt, ORSA Journal on
Computing 7(1), 1995). That is exact for one path of single servers in order of arrival, or one station of several;
where jobs overtake, come again or share, it is a model: each visit as if independent, exponential with the exact mean.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from apet.queueing.in_order import MOST_VISITS, as_jobs
from apet.queueing.jobs import Percentiles
from apet.queueing.mva.open_networks import mean_jobs, offered_work
from apet.queueing.networks import Network, NetworkResult
from apet.queueing.precedence import simulation
from apet.queueing.precedence.checked import SEED

Complex = NDArray[np.complex128]
Transform = Callable[[Complex], Complex]
MOST_JOBS = 20_000
"""Closed jobs whose network is simulated."""
EVENTS_PER_VISIT, FEWEST_EVENTS = 100, 600_000
MOST_EVENTS = 4_000_000
SUM, MEANS, DECAY = 30, 12, 20.0
"""Euler summation: terms, of how many partial sums the binomial mean is taken, and -ln of the discretization error."""
DIGITS = 1e-7


def with_percentiles(network: Network, result: NetworkResult) -> NetworkResult:
    """A result with percentiles by class, None where they are not known."""
    if all(c.is_open for c in network.classes) and not network.pools:
        return replace(result, percentiles=tuple(_open(network, result, c) for c in range(len(network.classes))))
    jobs = sum(c.population or 0 for c in network.classes)
    visits = max(map(sum, network.visits), default=0.0)
    if any(network.speeds) or jobs > MOST_JOBS or visits > MOST_VISITS:
        return replace(result, percentiles=tuple(repeat(None, len(network.classes))))

    events = int(min(MOST_EVENTS, max(FEWEST_EVENTS, EVENTS_PER_VISIT * jobs * (visits + 1))))
    simulated = simulation.run(as_jobs(network), events, SEED)
    classes = []
    for mean, means, levels in zip(result.system_response_time, simulated.response, simulated.percentiles, strict=True):
        scale = mean / means.value if means.value else 1.0
        classes.append(
            simulation.percentiles(tuple(simulation.Estimate(e.value * scale, e.half_width) for e in levels))
        )
    return replace(result, percentiles=tuple(classes))


def _open(network: Network, result: NetworkResult, c: int) -> Percentiles:
    mean = result.system_response_time[c]
    if not mean:
        return Percentiles(0.0, 0.0, 0.0, 0.0)
    used = [k for k, d in enumerate(network.demands()[c]) if d]
    parts = [_at_station(network, result, c, k) for k in used]

    def transform(s: Complex) -> Complex:
        product = np.ones_like(s)
        for part in parts:
            product = product * part(s)
        return product

    p50, p90, p95, p99 = (percentile(transform, level / 100, mean) for level in simulation.LEVELS)
    return Percentiles(p50, p90, p95, p99, "exact" if _is_exact(network, c, used) else "model")


def _is_exact(network: Network, c: int, used: list[int]) -> bool:
    """One visit to each station, in order of arrival; several servers, where jobs overtake, at the only one."""
    stations = [network.stations[k] for k in used]
    in_order = all(s.discipline in ("", "FCFS") and not s.is_delay for s in stations)
    if any(network.lacks_product_form(k) for k in used):
        return len(used) == 1 and network.visits[c][used[0]] == 1 and _is_poisson_line(network, used[0])
    equal = all(
        len({row[k] for row, v in zip(network.service, network.visits, strict=True) if v[k]}) == 1 for k in used
    )
    single = all(network.visits[c][k] == 1 and len(network.speed(k)) == 1 for k in used)
    alone = len(used) == 1 and network.visits[c][used[0]] == 1 and not any(network.speeds)
    return in_order and equal and (single or alone)


def _at_station(network: Network, result: NetworkResult, c: int, k: int) -> Transform:
    """The transform of the time of all visits to a station."""
    if network.lacks_product_form(k):
        return _in_order(network, c, k) if _is_poisson_line(network, k) else _delayed(network, result, c, k)
    visits, service, stay = network.visits[c][k], network.service[c][k], result.response_time_per_visit[c][k]
    station = network.stations[k]
    rate = station.servers / service - offered_work(network)[k] / service
    several = not station.is_delay and station.servers > 1 and not any(network.speeds)
    waits = min(1.0, (stay - service) * rate) if several else 0.0

    def once(s: Complex) -> Complex:
        if several:
            return (1 - waits + waits * rate / (rate + s)) / (1 + service * s)
        return 1 / (1 + stay * s)

    whole, fraction = divmod(visits, 1.0)
    return lambda s: np.asarray(once(s) ** whole * (1 - fraction + fraction * once(s)))


def _is_poisson_line(network: Network, k: int) -> bool:
    """Whether a station is M/G/1 in order of arrival."""
    station = network.stations[k]
    poisson = all(network.classes[c].burstiness == 1 for c in network.visitors(k))
    return poisson and station.servers == 1 and station.discipline in ("", "FCFS")


def _delayed(network: Network, result: NetworkResult, c: int, k: int) -> Transform:
    """A wait, with the probability of M/M/m, exponential about what makes the mean right; and a service."""
    station, service = network.stations[k], network.service[c][k]
    work = offered_work(network)[k]
    load = work / station.servers
    waits = (mean_jobs(work, network.speed(k)) - work) * (1 - load) / load
    wait = max(0.0, result.response_time_per_visit[c][k] - service) / waits

    whole, fraction = divmod(network.visits[c][k], 1.0)

    def once(s: Complex) -> Complex:
        return np.asarray((1 - waits + waits / (1 + wait * s)) * station.service.transform(s * service))

    return lambda s: np.asarray(once(s) ** whole * (1 - fraction + fraction * once(s)))


def _in_order(network: Network, c: int, k: int) -> Transform:
    """Wait and service at an M/G/1 station in order of arrival, by the transform of Pollaczek and Khinchine:
    (1 - rho) s / (s - lambda (1 - B(s))), B that of a service of any class."""
    shape, works = network.stations[k].service, offered_work(network)[k]
    rows = zip(network.classes, network.visits, network.service, strict=True)
    arrivals = [((one.arrival_rate or 0.0) * visits[k], times[k]) for one, visits, times in rows]
    rate = sum(r for r, _ in arrivals)
    visits, service = network.visits[c][k], network.service[c][k]
    whole, fraction = divmod(visits, 1.0)

    def once(s: Complex) -> Complex:
        mixed = sum(r * shape.transform(s * mean) for r, mean in arrivals) / rate
        wait = (1 - works) * s / (s - rate * (1 - mixed))
        return np.asarray(wait * shape.transform(s * service))

    return lambda s: np.asarray(once(s) ** whole * (1 - fraction + fraction * once(s)))


def percentile(transform: Transform, level: float, mean: float) -> float:
    """The time that a share `level` of a distribution on t >= 0 with this transform and mean does not exceed."""
    low, high = 0.0, mean
    while distribution(transform, high) < level:
        low, high = high, 2 * high
    while high - low > DIGITS * high:
        middle = (low + high) / 2
        if distribution(transform, middle) < level:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def distribution(transform: Transform, t: float) -> float:
    """P(T <= t) by Euler summation."""
    number = np.arange(SUM + MEANS + 1)
    s = np.asarray((DECAY + 2j * np.pi * number) / (2 * t), dtype=np.complex128)
    terms = (transform(s) / s).real * np.where(number % 2, -1.0, 1.0)
    terms[0] /= 2
    partial = np.exp(DECAY / 2) / t * np.cumsum(terms)
    weights = np.array([1.0])
    for _ in range(MEANS):
        weights = np.convolve(weights, [0.5, 0.5])
    return float(partial[SUM:] @ weights)
