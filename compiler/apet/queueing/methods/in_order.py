"""Networks without product form: uneven or unequal service times in order of arrival, priorities, bursts of arrivals.

Mean value analysis would answer for shared servers. Open classes have formulas (`mva.order_of_arrival`); closed ones
are solved as jobs of one task each, of which a simulation checks the analysis; the rest is simulated. A job visits its
stations in rounds, each station as often as its visit ratio; the fraction of a visit is made with that probability.
"""

from __future__ import annotations

import math
from dataclasses import replace

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.jobs import (
    EQUAL,
    LEVELS,
    Circulation,
    Distribution,
    JobsResult,
    JobStation,
    JobStep,
    JobTask,
    Scenario,
    Variant,
)
from apet.queueing.data.networks import BY_RANK, JobClass, Network, NetworkResult
from apet.queueing.methods.mva.order_of_arrival import at_most, open_in_order
from apet.queueing.methods.mva.results import mean_values
from apet.queueing.methods.mva.solve import refuse_overload
from apet.queueing.methods.precedence import solve as jobs_in_steady_state
from apet.queueing.methods.renewal import renewal_line, times_in_system

MOST_VISITS = 500
RAREST = 1e-9
"""Probability of more visits, of which no more are counted."""


def solve(network: Network, method: str, levels: tuple[float, ...] = LEVELS) -> NetworkResult:
    """Mean values; `ApetError` for a method of product form, and load-dependent stations."""
    check(network, method)
    refuse_overload(network)
    line = renewal_line(network)
    times = times_in_system(line) if line else None
    if times:
        rate, (k,) = network.classes[0].arrival_rate or 0.0, network.visitors_of(0)
        jobs = [rate * times.mean if i == k else 0.0 for i in range(len(network.stations))]
        return mean_values(network, times.method, [rate], [jobs])
    if _has_formulas(network):
        result = open_in_order(network)
        return replace(result, notes=_notes(network, result))
    return as_network_result(network, jobs_in_steady_state.solve(as_jobs(network), levels))


def check(network: Network, method: str) -> None:
    """`ApetError` for what only networks in product form have."""
    stations = ", ".join(network.obstacles)
    if method != "auto":
        raise ApetError(errors.NotInProductForm(None, None, stations, f"'{method}' does not apply"))
    if any(network.speeds):
        raise ApetError(errors.NotInProductForm(None, None, stations, "load-dependent stations are not possible"))


def _has_formulas(network: Network) -> bool:
    """Whether all classes are open, and wait in a line wherever product form ends."""
    in_line = ("", "FCFS", *BY_RANK)
    stations = [s for k, s in enumerate(network.stations) if network.lacks_product_form(k)]
    return all(c.is_open for c in network.classes) and all(s.discipline in in_line for s in stations)


def _notes(network: Network, result: NetworkResult) -> tuple[str, ...]:
    """A bound of what is an estimate, where there is one."""
    limit = at_most(network, 0) if result.is_estimate else None
    if limit is None:
        return ()
    return (f"{network.classes[0].name}: at most {limit:.4g} s in the mean (Kingman 1962, Daley 1977)",)


def as_jobs(network: Network) -> Scenario:
    """The classes of a network as jobs of one task each."""
    stations = tuple(
        JobStation(s.name, "delay" if s.is_delay else s.discipline or _usual(network, k), s.servers)
        for k, s in enumerate(network.stations)
    )
    classes = tuple(
        Circulation(c.name, c.population or 0, c.think, _variants(network, i), _pauses(c), c.arrival_rate, c.priority)
        for i, c in enumerate(network.classes)
    )
    return Scenario(stations, classes, network.pools)


def _pauses(c: JobClass) -> Distribution:
    """Think times, or times between arrivals; those that depend on each other as independent ones of the same
    dispersion."""
    if not c.is_open:
        return c.thinking
    if c.dispersion is None or c.dispersion == 1:
        return c.arrivals
    if c.dispersion > 1:
        return Distribution("hyperexp", 1, c.dispersion)
    return Distribution("erlang", round(1 / c.dispersion)) if c.dispersion else Distribution("det")


def _usual(network: Network, k: int) -> str:
    """The discipline of a station that gives none: in order of arrival if that has product form, else shared."""
    times = {row[k] for row, visits in zip(network.service, network.visits, strict=True) if visits[k]}
    return "FCFS" if len(times - {0.0}) <= 1 else "PS"


def _variants(network: Network, c: int) -> tuple[Variant, ...]:
    """A job by how many of its fractions of visits it makes: one draw decides for all, the likelier ones first."""
    visits = network.visits[c]
    if network.classes[c].routing == "random":
        return _random_variants(network, c)
    if sum(visits) > MOST_VISITS:
        raise ApetError(errors.TooManyVisits(None, None, f"{sum(visits):.4g}", f"{MOST_VISITS}"))

    fractions = sorted({v % 1 for v in visits} | {0.0}, reverse=True)
    variants = []
    for least, next_less in zip([1.0, *fractions], [*fractions, 0.0], strict=False):
        if least > next_less:  # the draw lies between: fractions from `least` on are visits
            rounds = [math.floor(v) + (v % 1 >= least) for v in visits]
            variants.append(Variant(least - next_less, (JobTask(network.classes[c].name, _steps(network, c, rounds)),)))
    return tuple(variants)


def _random_variants(network: Network, c: int) -> tuple[Variant, ...]:
    """A job by the only station that it visits, or by how often it visits the only one; `ApetError` for others, which
    are too many."""
    visits, total = network.visits[c], sum(network.visits[c])
    used = [k for k, v in enumerate(visits) if v]
    if total <= 1 + EQUAL:
        rows = [(visits[k], [int(k == i) for i in range(len(visits))]) for k in used]
        rows.append((max(0.0, 1 - total), [0] * len(visits)))
    elif len(used) == 1:
        most = min(MOST_VISITS, math.ceil(math.log(RAREST) / math.log1p(-1 / total)))
        chances = [(1 - 1 / total) ** n / total for n in range(most - 1)]
        rows = [(p, [(n + 1) * bool(v) for v in visits]) for n, p in enumerate([*chances, 1 - sum(chances)])]
    else:
        raise ApetError(errors.RandomRoutes(None, None, network.classes[c].name))
    name = network.classes[c].name
    return tuple(Variant(p, (JobTask(name, _steps(network, c, rounds)),)) for p, rounds in rows if p > 0)


def _steps(network: Network, c: int, visits: list[int]) -> tuple[JobStep, ...]:
    return tuple(
        JobStep(k, network.service[c][k], network.stations[k].service)
        for number in range(max(visits, default=0))
        for k, most in enumerate(visits)
        if number < most and network.service[c][k]
    )


def as_network_result(network: Network, jobs: JobsResult) -> NetworkResult:
    """The result of a network from that of its jobs."""
    throughput = [c.throughput for c in jobs.classes]
    tasks = []
    for c in jobs.classes:  # N = X R with the rate of the file, which arrivals in a simulation miss by chance
        there, inside = sum(c.tasks_at), c.throughput * (c.response_time - c.outside)
        tasks.append([n * inside / there if there else n for n in c.tasks_at])
    result = mean_values(network, f"jobs, {jobs.method}", throughput, tasks)
    outside, refused = tuple(c.outside for c in jobs.classes), tuple(c.refused for c in jobs.classes)
    limited = bool(network.pools)

    return replace(
        result,
        system_response_time=[sum(row) + out for row, out in zip(result.residence_time, outside, strict=True)],
        percentiles=tuple(c.percentiles for c in jobs.classes),
        outside=outside if limited else (),
        refused=refused if limited else (),
        notes=() if any(c.half_width is None for c in jobs.classes) else jobs.notes,
    )
