"""Percentiles of the response time in networks.

Open classes in order of arrival: the time at a station of m servers with Poisson arrivals is a wait, 0 with probability
1 - C and else exponential with rate m / S - lambda (C by Erlang), and a service; in networks without overtaking the
stations of one path are independent (E. Reich, 1957; P. J. Burke, 1969), so that transforms multiply, and the
distribution follows by numerical inversion (J. Abate and W. Whitt, ORSA Journal on Computing 7(1), 1995). That is exact
for one path of single servers, or one station of several; where jobs overtake it is a model. Everything else is
simulated, in proportion to the mean where that is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count, repeat

import numpy as np
from numpy.typing import NDArray

from apet.queueing.in_order import MOST_VISITS, as_jobs, as_network_result
from apet.queueing.jobs import Percentiles
from apet.queueing.mva.open_networks import offered_work
from apet.queueing.networks import Network, NetworkResult
from apet.queueing.precedence import simulation
from apet.queueing.precedence.checked import SEED, precise

Complex = NDArray[np.complex128]
Transform = Callable[[Complex], Complex]
MOST_JOBS = 20_000
"""Closed jobs whose network is simulated."""
EVENTS_PER_VISIT, FEWEST_EVENTS = 100, 600_000
MOST_EVENTS, FEWEST_ROUNDS = 4_000_000, 5
SUM, MEANS, DECAY = 30, 12, 20.0
"""Euler summation: terms, of how many partial sums the binomial mean is taken, and -ln of the discretization error."""
DIGITS = 1e-7


def with_percentiles(network: Network, result: NetworkResult) -> NetworkResult:
    """A result with percentiles by class, None where they are not known."""
    classes = range(len(network.classes))
    opened = all(c.is_open for c in network.classes) and not network.pools
    too_large = any(network.speeds) or max(map(sum, network.visits), default=0.0) > MOST_VISITS
    stations = range(len(network.stations))
    modelled = too_large and all(_is_line(network, k) or not network.lacks_product_form(k) for k in stations)
    if opened and (modelled or all(_source(network, c) for c in classes)):
        return replace(result, percentiles=tuple(_open(network, result, c) for c in classes))
    if too_large or sum(c.population or 0 for c in network.classes) > MOST_JOBS:
        return replace(result, percentiles=tuple(repeat(None, len(classes))))

    simulated = _simulated(network)
    if result.is_estimate:
        return _instead(network, result, simulated)
    levels = []
    for mean, seen, row in zip(result.system_response_time, simulated.response, simulated.percentiles, strict=True):
        scale = mean / seen.value if seen.value else 1.0
        levels.append(simulation.percentiles(tuple(simulation.Estimate(e.value * scale, e.half_width) for e in row)))
    return replace(result, percentiles=tuple(levels))


def _instead(network: Network, result: NetworkResult, simulated: simulation.Simulated) -> NetworkResult:
    """The simulation in the place of an estimate, which becomes a note."""
    answer = as_network_result(network, simulation.as_result(as_jobs(network), simulated))
    pairs = zip(network.classes, result.system_response_time, strict=True)
    means = ", ".join(f"{c.name} {seconds:.4g} s" for c, seconds in pairs)
    return replace(answer, notes=(f"simulated; {result.method}: {means}", *answer.notes, *result.notes))


def _simulated(network: Network) -> simulation.Simulated:
    """The network as jobs, in order of arrival where the file leaves that open."""
    jobs = sum(c.population or 0 for c in network.classes)
    if not jobs:
        rounds = count()  # means of few jobs look more precise than they are
        return simulation.run(
            as_jobs(network), MOST_EVENTS, SEED, lambda means: next(rounds) >= FEWEST_ROUNDS and precise(means)
        )
    visits = max(map(sum, network.visits), default=0.0)
    events = int(min(MOST_EVENTS, max(FEWEST_EVENTS, EVENTS_PER_VISIT * jobs * (visits + 1))))
    return simulation.run(as_jobs(network), events, SEED)


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
    return Percentiles(p50, p90, p95, p99, _source(network, c) or "model")


def _source(network: Network, c: int) -> str:
    """How good the transforms are for a class: "exact", "model", or nothing where a simulation is better.

    Exact: one visit to each station, in order of arrival; several servers, where jobs overtake, at the only one. There,
    and at delays, the stations of a path are nearly independent, which is the model.
    """
    used = [k for k, d in enumerate(network.demands()[c]) if d]
    once = all(network.visits[c][k] == 1 for k in used)
    if any(network.lacks_product_form(k) for k in used):
        return "exact" if len(used) == 1 and once and _is_line(network, used[0]) else ""

    rows = list(zip(network.service, network.visits, strict=True))
    equal = all(len({row[k] for row, v in rows if v[k]}) == 1 or network.stations[k].is_delay for k in used)
    in_order = all(network.stations[k].discipline in ("", "FCFS") or network.stations[k].is_delay for k in used)
    if any(network.speeds) or not (in_order and equal and all(network.visits[c][k] <= 1 for k in used)):
        return ""
    single = all(len(network.speed(k)) == 1 and not network.stations[k].is_delay for k in used)
    return "exact" if once and (single or (len(used) == 1 and not network.stations[used[0]].is_delay)) else "model"


def _at_station(network: Network, result: NetworkResult, c: int, k: int) -> Transform:
    """The transform of the time of all visits to a station."""
    if network.lacks_product_form(k):
        return _in_order(network, c, k)
    visits, service, stay = network.visits[c][k], network.service[c][k], result.response_time_per_visit[c][k]
    station = network.stations[k]
    rate = station.servers / service - offered_work(network)[k] / service
    several = not station.is_delay and station.servers > 1 and not any(network.speeds)
    waits = min(1.0, (stay - service) * rate) if several else 0.0

    def once(s: Complex) -> Complex:
        if several:
            return (1 - waits + waits * rate / (rate + s)) / (1 + service * s)
        return 1 / (1 + stay * s)

    return _repeated(once, visits)


def _repeated(once: Transform, visits: float) -> Transform:
    """Of so many independent visits, the fraction made by chance."""
    whole, fraction = divmod(visits, 1.0)
    return lambda s: np.asarray(once(s) ** whole * (1 - fraction + fraction * once(s)))


def _is_line(network: Network, k: int) -> bool:
    """Whether the transform of M/G/1 in order of arrival holds."""
    return network.is_poisson_line(k) and network.stations[k].discipline in ("", "FCFS")


def _in_order(network: Network, c: int, k: int) -> Transform:
    """Wait and service at an M/G/1 station in order of arrival, by the transform of Pollaczek and Khinchine:
    (1 - rho) s / (s - lambda (1 - B(s))), B that of a service of any class."""
    shape, works = network.stations[k].service, offered_work(network)[k]
    rows = zip(network.classes, network.visits, network.service, strict=True)
    arrivals = [((one.arrival_rate or 0.0) * visits[k], times[k]) for one, visits, times in rows]
    rate = sum(r for r, _ in arrivals)
    visits, service = network.visits[c][k], network.service[c][k]

    def once(s: Complex) -> Complex:
        mixed = sum(r * shape.transform(s * mean) for r, mean in arrivals) / rate
        wait = (1 - works) * s / (s - rate * (1 - mixed))
        return np.asarray(wait * shape.transform(s * service))

    return _repeated(once, visits)


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
