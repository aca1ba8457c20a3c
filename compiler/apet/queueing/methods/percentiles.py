"""Percentiles of the response time in networks.

Open classes in order of arrival: the time at a station of m servers with Poisson arrivals is a wait, 0 with probability
1 - C and else exponential with rate m / S - lambda (C by Erlang), and a service; at one server that takes all in their
order the wait is a geometric number of remainders of services (F. Pollaczek, 1930); at a delay it is a service. In
networks without overtaking the stations of one path are independent (E. Reich, 1957; P. J. Burke, 1969), so that their
laws are added on a lattice. That is exact for one path of single servers, or one station of several; where jobs
overtake it is a model. One line with other arrivals has a law of its own (`renewal`). Everything else is simulated, in
proportion to the mean where that is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count, repeat

import numpy as np

from apet.queueing.data.jobs import EQUAL, LEVELS, Percentiles
from apet.queueing.data.networks import EXPONENTIAL, Network, NetworkResult
from apet.queueing.methods import lattice
from apet.queueing.methods.in_order import MOST_VISITS, as_jobs, as_network_result
from apet.queueing.methods.lattice import Lattice, Spectrum
from apet.queueing.methods.mva.open_networks import offered_work
from apet.queueing.methods.precedence import simulation
from apet.queueing.methods.precedence.solve import SEED, precise
from apet.queueing.methods.renewal import renewal_line, times_in_system

Law = Callable[[Lattice], Spectrum]
MOST_JOBS = 20_000
"""Closed jobs whose network is simulated."""
EVENTS_PER_VISIT, FEWEST_EVENTS = 100, 600_000
MOST_EVENTS, FEWEST_ROUNDS = 4_000_000, 5
PRECISE = 0.008
"""Relative half-width of means at which a simulation of open classes ends."""
VAGUE = 0.5
"""Relative half-width of a mean from which on a simulation is no answer."""


def with_percentiles(network: Network, result: NetworkResult, levels: tuple[float, ...] = LEVELS) -> NetworkResult:
    """A result with percentiles by class, None where they are not known."""
    classes = range(len(network.classes))
    line = renewal_line(network) if network.obstacles else None
    times = times_in_system(line) if line else None
    if times:
        seconds = tuple(times.percentile(level) for level in levels)
        return replace(result, percentiles=(Percentiles(seconds, levels=levels),))

    opened = all(c.is_open for c in network.classes) and not network.pools
    too_large = any(network.speeds) or not _can_be_followed(network)
    stations = range(len(network.stations))
    modelled = too_large and all(_is_line(network, k) or not network.lacks_product_form(k) for k in stations)
    if opened and (modelled or all(_source(network, c) for c in classes)):
        return replace(result, percentiles=tuple(_open(network, result, c, levels) for c in classes))
    if too_large or sum(c.population or 0 for c in network.classes) > MOST_JOBS:
        return replace(result, percentiles=tuple(repeat(None, len(classes))))

    simulated = _simulated(network, levels)
    if any(e.half_width > VAGUE * e.value for e in simulated.response) and opened:
        note = "so near saturation a simulation shows neither the mean nor percentiles"
        return replace(result, percentiles=tuple(repeat(None, len(classes))), notes=(*result.notes, note))
    if result.is_estimate:
        return _instead(network, result, simulated)
    pairs = zip(result.system_response_time, simulated.response, strict=True)
    scales = [mean / seen.value if seen.value else 1.0 for mean, seen in pairs]
    shares = tuple(simulation.percentiles(simulated, c, scale) for c, scale in enumerate(scales))
    return replace(result, percentiles=shares)


def _can_be_followed(network: Network) -> bool:
    """Whether jobs of all classes can be simulated visit by visit."""
    rows = zip(network.classes, network.visits, strict=True)
    spread = any(c.routing == "random" and sum(v) > 1 + EQUAL and sum(map(bool, v)) > 1 for c, v in rows)
    return not spread and max(map(sum, network.visits), default=0.0) <= MOST_VISITS


def _instead(network: Network, result: NetworkResult, simulated: simulation.Simulated) -> NetworkResult:
    """The simulation in the place of an estimate, which becomes a note."""
    answer = as_network_result(network, simulation.as_result(as_jobs(network), simulated))
    pairs = zip(network.classes, result.system_response_time, strict=True)
    means = ", ".join(f"{c.name} {seconds:.4g} s" for c, seconds in pairs)
    return replace(answer, notes=(f"simulated; {result.method}: {means}", *answer.notes, *result.notes))


def _simulated(network: Network, levels: tuple[float, ...]) -> simulation.Simulated:
    """The network as jobs, in order of arrival where the file leaves that open."""
    jobs = sum(c.population or 0 for c in network.classes)
    if not jobs:
        rounds = count()  # means of few jobs look more precise than they are
        return simulation.run(
            as_jobs(network),
            MOST_EVENTS,
            SEED,
            lambda means: next(rounds) >= FEWEST_ROUNDS and precise(means, PRECISE),
            levels,
        )
    visits = max(map(sum, network.visits), default=0.0)
    events = int(min(MOST_EVENTS, max(FEWEST_EVENTS, EVENTS_PER_VISIT * jobs * (visits + 1))))
    return simulation.run(as_jobs(network), events, SEED, levels=levels)


def _open(network: Network, result: NetworkResult, c: int, levels: tuple[float, ...]) -> Percentiles:
    mean, source = result.system_response_time[c], _source(network, c) or "model"
    if not mean:
        return Percentiles((0.0,) * len(levels), levels=levels)
    used = network.visitors_of(c)
    stations = [network.stations[k] for k in used]
    constants = [network.service[c][k] for k, s in zip(used, stations, strict=True) if s.service.kind == "det"]
    law = _law(network, result, c, used)
    seconds = lattice.percentiles(law, levels, mean, max(constants, default=0.0))
    return Percentiles(tuple(seconds), source, levels=levels)


def _law(network: Network, result: NetworkResult, c: int, used: list[int]) -> Law:
    """The response time of a class."""
    visits = network.visits[c]
    total = sum(visits[k] for k in used)

    def rounds(grid: Lattice) -> Spectrum:
        product: Spectrum = np.ones(grid.size // 2 + 1, dtype=np.complex128)
        for k in used:
            product = product * _repeated(_at_station(network, result, c, k, grid), visits[k])
        return product

    def random(grid: Lattice) -> Spectrum:
        one = sum((visits[k] * _at_station(network, result, c, k, grid) for k in used), np.zeros(1)) / total
        if total <= 1:
            return np.asarray(1 - total + total * one)
        return np.asarray(one / total / (1 - (1 - 1 / total) * one))

    return random if network.classes[c].routing == "random" else rounds


def _repeated(once: Spectrum, visits: float) -> Spectrum:
    """Of so many independent visits, the fraction made by chance."""
    whole, fraction = divmod(visits, 1.0)
    return np.asarray(once**whole * (1 - fraction + fraction * once))


def _source(network: Network, c: int) -> str:
    """How good the laws are for a class: "exact", "model", or nothing where a simulation is better.

    Exact: one visit to each station, or to one of them, in order of arrival; several servers, where jobs overtake, at
    the only one. So is one line and delays: what overtakes a job in these is a Poisson stream of which it knows
    nothing. Elsewhere the stations of a path are nearly independent, which is the model.
    """
    used = network.visitors_of(c)
    random = network.classes[c].routing == "random"
    once = all(network.visits[c][k] == 1 for k in used) or (random and not any(network.returns(c, k) for k in used))
    if any(network.lacks_product_form(k) for k in used):
        lines = [k for k in used if not network.stations[k].is_delay]
        alone = len(lines) == 1 or random
        return "exact" if alone and once and all(_is_line(network, k) for k in lines) else ""

    rows = list(zip(network.service, network.visits, strict=True))
    equal = all(len({row[k] for row, v in rows if v[k]}) == 1 or network.stations[k].is_delay for k in used)
    in_order = all(network.stations[k].discipline in ("", "FCFS") or network.stations[k].is_delay for k in used)
    if any(network.speeds) or not (in_order and equal and not any(network.returns(c, k) for k in used)):
        return ""
    lines = [k for k in used if not network.stations[k].is_delay]
    single = len(lines) == len(used) and all(len(network.speed(k)) == 1 for k in lines)
    return "exact" if once and (single or len(lines) <= 1) else "model"


def _at_station(network: Network, result: NetworkResult, c: int, k: int, grid: Lattice) -> Spectrum:
    """The law of the time of a visit."""
    station, service, stay = network.stations[k], network.service[c][k], result.response_time_per_visit[c][k]
    if station.is_delay:
        return grid.law(station.service, service)
    if network.lacks_product_form(k):
        return _in_order(network, c, k, grid)
    if station.servers == 1 or any(network.speeds):
        return grid.law(EXPONENTIAL, stay)

    rate = station.servers / service - offered_work(network)[k] / service
    waits = min(1.0, (stay - service) * rate)
    return (1 - waits + waits * grid.law(EXPONENTIAL, 1 / rate)) * grid.law(EXPONENTIAL, service)


def _is_line(network: Network, k: int) -> bool:
    """Whether the law of M/G/1 in order of arrival holds."""
    return network.is_poisson_line(k) and network.stations[k].discipline in ("", "FCFS")


def _in_order(network: Network, c: int, k: int, grid: Lattice) -> Spectrum:
    """Wait and service at an M/G/1 station in order of arrival: n remainders of services of any class with probability
    (1 - rho) rho^n, and a service."""
    shape = network.stations[k].service
    loads = dict[float, float]()
    for c2, (one, demands) in enumerate(zip(network.classes, network.demands(), strict=True)):
        if one.arrival_rate and demands[k]:
            mean = network.service[c2][k]
            loads[mean] = loads.get(mean, 0.0) + one.arrival_rate * demands[k]
    left = sum((load * grid.remainder(shape, mean) for mean, load in loads.items()), np.zeros(1))
    return np.asarray((1 - sum(loads.values())) / (1 - left) * grid.law(shape, network.service[c][k]))
