"""What was found for an uncertain queueing problem, as text: a range for each number."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any

from apet.queueing.jobs import ForkJoinResult, JobsResult, StationResult
from apet.queueing.networks import Network, NetworkResult
from apet.queueing.problems import Problem, Ranges
from apet.show.tables import table
from apet.show.times import percent, single


def ranges_text(name: str, problem: Problem, ranges: Ranges) -> str:
    """Tables with `least … greatest`, and how the ends were found."""
    low, high = ranges.low, ranges.high
    if isinstance(low, ForkJoinResult) and isinstance(high, ForkJoinResult):
        method = "fork-join"
        lines = [f"  response time of a job: {_times(low.response_time, high.response_time)}"]
    elif isinstance(low, JobsResult) and isinstance(high, JobsResult):
        method, lines = low.method, _jobs(low, high)
    else:
        assert isinstance(problem, Network)
        assert isinstance(low, NetworkResult)
        assert isinstance(high, NetworkResult)
        method, lines = low.method, _network(problem, low, high)

    reason = f"Ends {ranges.ends} ({ranges.points} solutions): {ranges.reason}."
    lines += ["", *textwrap.wrap(reason, 100, initial_indent="  ", subsequent_indent="  ")]
    if ranges.guaranteed:
        sure = ranges.guaranteed
        ends = zip(sure.R_lower, sure.R_upper, strict=True)
        lines.append(f"  Guaranteed response times: {'; '.join(_times(a, b) for a, b in ends)}.")
    return "\n".join([f"{name} · method: {method} · intervals", "", *lines]) + "\n"


def _network(problem: Network, low: NetworkResult, high: NetworkResult) -> list[str]:
    rows = []
    for c, ends in enumerate(zip(low.system_response_time, high.system_response_time, strict=True)):
        rows.append([problem.classes[c].name, _rates(low.throughput[c], high.throughput[c]), _times(*ends)])
    lines = table(["class", "throughput", "response time"], rows, "<>>")
    stations = []
    for k in range(len(low.queue_length[0])):
        jobs = [sum(row[k] for row in result.queue_length) for result in (low, high)]
        shares = _shares(low.utilization, high.utilization, k)
        stations.append([problem.stations[k].name, shares, f"{jobs[0]:.4g} … {jobs[1]:.4g}"])
    return [*lines, "", *table(["station", "used", "jobs there"], stations, "<>>")]


def _shares(low: Sequence[Sequence[Any]], high: Sequence[Sequence[Any]], k: int) -> str:
    least, most = [row[k] for row in low], [row[k] for row in high]
    if None in least or None in most:
        return "-"
    # Classes have their greatest shares at different values: no station is more than 100 % busy.
    return f"{percent(sum(least))} … {percent(min(1.0, sum(most)))}"


def _jobs(low: JobsResult, high: JobsResult) -> list[str]:
    rows = [
        [a.name, _rates(a.throughput, b.throughput), _times(a.response_time, b.response_time)]
        for a, b in zip(low.classes, high.classes, strict=True)
    ]
    lines = table(["class", "throughput", "response time"], rows, "<>>")
    stations = [
        [a.name, _used(a, b), f"{a.mean_tasks:.4g} … {b.mean_tasks:.4g}"]
        for a, b in zip(low.stations, high.stations, strict=True)
    ]
    return [*lines, "", *table(["station", "used", "tasks there"], stations, "<>>")]


def _times(low: float, high: float) -> str:
    return f"{single(low)} … {single(high)}"


def _rates(low: float, high: float) -> str:
    return f"{low:.5g} … {high:.5g} /s"


def _used(low: StationResult, high: StationResult) -> str:
    if low.utilization is None or high.utilization is None:
        return "-"
    return f"{percent(low.utilization)} … {percent(high.utilization)}"
