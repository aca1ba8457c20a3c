"""Networks that serve uneven or unequal service times in order of arrival: closed ones as jobs of one task each.

They have no product form (F. Baskett et al., JACM 22(2), 1975, ask for equal exponential times of all classes there),
so that mean value analysis would answer for shared servers. A job visits its stations in rounds, each station as
often as its visit ratio; the fraction of a visit is made with that probability.
"""

from __future__ import annotations

import math
from dataclasses import replace

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.jobs import Circulation, JobsResult, JobStation, JobStep, JobTask, Scenario, Variant
from apet.queueing.mva.order_of_arrival import open_in_order
from apet.queueing.mva.results import mean_values
from apet.queueing.mva.solve import refuse_overload
from apet.queueing.networks import Network, NetworkResult
from apet.queueing.precedence.checked import checked

MOST_VISITS = 500


def unequal_queues(network: Network) -> list[str]:
    """The names of stations at which order of arrival and unequal service times meet."""
    return [s.name for k, s in enumerate(network.stations) if network.in_order_unequally(k)]


def solve(network: Network, method: str) -> NetworkResult:
    """Mean values; `ApetError` for a method of product form, open and closed classes together, and several servers of
    open classes."""
    stations = ", ".join(unequal_queues(network))
    if method != "auto":
        raise ApetError(errors.NotInProductForm(None, None, stations, f"'{method}' is for networks in product form"))
    if any(network.speeds):
        raise ApetError(errors.NotInProductForm(None, None, stations, "not beside load-dependent stations"))
    opened = [c.is_open for c in network.classes]
    if all(opened):
        return _open(network, stations)
    if any(opened):
        raise ApetError(errors.NotInProductForm(None, None, stations, "not for open and closed classes together"))
    return _result(network, checked(as_jobs(network)))


def _open(network: Network, stations: str) -> NetworkResult:
    several = [s for k, s in enumerate(network.stations) if network.in_order_unequally(k) and s.servers > 1]
    if several:
        raise ApetError(errors.NotInProductForm(None, None, stations, "open classes only at one server"))
    refuse_overload(network)
    return open_in_order(network)


def as_jobs(network: Network) -> Scenario:
    """The closed classes of a network as jobs of one task each."""
    stations = tuple(
        JobStation(s.name, "delay" if s.is_delay else s.discipline or _usual(network, k), s.servers)
        for k, s in enumerate(network.stations)
    )
    classes = tuple(
        Circulation(c.name, c.population or 0, c.think, _variants(network, i)) for i, c in enumerate(network.classes)
    )
    return Scenario(stations, classes)


def _usual(network: Network, k: int) -> str:
    """The discipline of a station that gives none: in order of arrival if that has product form, else shared."""
    times = {row[k] for row, visits in zip(network.service, network.visits, strict=True) if visits[k]}
    return "FCFS" if len(times - {0.0}) <= 1 else "PS"


def _variants(network: Network, c: int) -> tuple[Variant, ...]:
    """A job by how many of its fractions of visits it makes: one draw decides for all, the likelier ones first."""
    visits = network.visits[c]
    if sum(visits) > MOST_VISITS:
        raise ApetError(errors.TooManyVisits(None, None, f"{sum(visits):.4g}", f"{MOST_VISITS}"))

    fractions = sorted({v % 1 for v in visits} | {0.0}, reverse=True)
    variants = []
    for least, next_less in zip([1.0, *fractions], [*fractions, 0.0], strict=False):
        if least > next_less:  # the draw lies between: fractions from `least` on are visits
            rounds = [math.floor(v) + (v % 1 >= least) for v in visits]
            variants.append(Variant(least - next_less, (JobTask(network.classes[c].name, _steps(network, c, rounds)),)))
    return tuple(variants)


def _steps(network: Network, c: int, visits: list[int]) -> tuple[JobStep, ...]:
    return tuple(
        JobStep(k, network.service[c][k], network.stations[k].service)
        for number in range(max(visits, default=0))
        for k, most in enumerate(visits)
        if number < most and network.service[c][k]
    )


def _result(network: Network, jobs: JobsResult) -> NetworkResult:
    throughput = [c.throughput for c in jobs.classes]
    result = mean_values(network, f"jobs, {jobs.method}", throughput, [c.tasks_at for c in jobs.classes])
    return replace(result, percentiles=tuple(c.percentiles for c in jobs.classes))
