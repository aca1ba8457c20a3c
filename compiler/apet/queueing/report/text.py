"""Answers to queueing problems as text, for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from apet.queueing.jobs import ForkJoinResult, JobsResult, Percentiles, Pool, Scenario
from apet.queueing.networks import Network, NetworkBounds, NetworkResult
from apet.queueing.problems import Answer, Asked, Problem, Ranges, Result, Uncertain, busy_shares
from apet.show.tables import table
from apet.show.times import percent, single

MOST_ROWS = 40


def queueing_text(name: str, problem: Asked, answer: Answer) -> str:
    """Tables by class and by station."""
    if isinstance(answer, Ranges):
        from apet.queueing.report.ranges import ranges_text

        return ranges_text(name, problem.low if isinstance(problem, Uncertain) else problem, answer)
    return _plain_text(name, problem.low if isinstance(problem, Uncertain) else problem, answer)


def _plain_text(name: str, problem: Problem, result: Result) -> str:
    match result:
        case NetworkResult():
            assert isinstance(problem, Network)
            lines = _network(problem, result)
        case NetworkBounds():
            assert isinstance(problem, Network)
            lines = _bounds(problem, result)
        case JobsResult():
            assert isinstance(problem, Scenario)
            lines = _scenario(problem, result)
        case ForkJoinResult():
            lines = _fork_join(result)
        case _:
            assert_never(result)

    return "\n".join([f"{name} · method: {getattr(result, 'method', 'fork-join')}", "", *lines]) + "\n"


def _network(network: Network, result: NetworkResult) -> list[str]:
    rows = []
    for c, job in enumerate(network.classes):
        jobs = "open" if job.is_open else str(job.population)
        mean = single(result.system_response_time[c])
        levels = _levels(result.percentiles[c] if result.percentiles else None)
        rows.append([job.name, jobs, _rate(result.throughput[c]), mean, *levels])
    lines = _classes(rows)

    stations = []
    for k, (station, share) in enumerate(zip(network.stations, busy_shares(network, result), strict=True)):
        jobs_there = sum(row[k] for row in result.queue_length)
        kind = "delay" if station.is_delay else f"{station.servers} server{'s' if station.servers > 1 else ''}"
        stations.append([station.name, kind, "-" if share is None else percent(share), f"{jobs_there:.4g}"])
    lines += ["", *_cut(["station", "kind", "used", "jobs there"], stations, "<<>>")]
    lines += _pools(network.pools, [c.name for c in network.classes], result.outside, result.refused)
    return [*lines, *_remarks(result)]


def _remarks(result: NetworkResult | JobsResult) -> list[str]:
    """How iterations ended, and notes."""
    lines = [f"\n  Note: {note}." for note in result.notes]
    if not result.iterations:
        return lines
    return ["", f"  {result.iterations} iterations, {'converged' if result.converged else 'NOT converged'}", *lines]


def _pools(
    pools: Sequence[Pool], classes: Sequence[str], outside: Sequence[float], refused: Sequence[float]
) -> list[str]:
    """What pools do to classes; nothing where there are none."""
    rows = []
    for pool in pools:
        backlog = "any number" if pool.backlog is None else str(pool.backlog)
        rows += [
            [pool.name, str(pool.size), backlog, classes[c], single(outside[c]), percent(refused[c])]
            for c in pool.classes
        ]
    header = ["pool", "jobs inside", "may wait", "class", "wait outside", "refused"]
    return ["", *_cut(header, rows, "<>><>>")] if rows else []


def _bounds(network: Network, limits: NetworkBounds) -> list[str]:
    rows = []
    for c, job in enumerate(network.classes):
        rate = f"{_rate(limits.X_lower[c])} … {_rate(limits.X_upper[c])}"
        rows.append([job.name, str(job.population), rate, f"{single(limits.R_lower[c])} … {single(limits.R_upper[c])}"])
    return table(["class", "jobs", "throughput", "response time"], rows, "<>>>")


def _scenario(scenario: Scenario, result: JobsResult) -> list[str]:
    rows = []
    for circulation, one in zip(scenario.classes, result.classes, strict=True):
        mean = single(one.response_time)
        jobs = "open" if circulation.is_open else str(circulation.population)
        rows.append([one.name, jobs, _rate(one.throughput), mean, *_levels(one.percentiles)])
    lines = _classes(rows)

    stations = []
    for station, means in zip(scenario.stations, result.stations, strict=True):
        share = "-" if means.utilization is None else percent(means.utilization)
        kind = "delay" if station.discipline == "delay" else f"{station.discipline}, {station.servers}"
        stations.append([means.name, kind, share, f"{means.mean_tasks:.4g}"])
    lines += ["", *_cut(["station", "kind", "used", "tasks there"], stations, "<<>>")]

    outside, refused = [c.outside for c in result.classes], [c.refused for c in result.classes]
    lines += _pools(scenario.pools, [c.name for c in scenario.classes], outside, refused)
    rows = _task_rows(result)
    lines += ["", *_cut(["class", "task", "response time"], rows, "<<>")] if rows else []
    return [*lines, *_remarks(result)]


def _levels(percentiles: Percentiles | None) -> list[str]:
    """Percentiles of a class, nothing where they are not known."""
    return [single(t) for t in percentiles.by_level().values()] if percentiles else []


def _classes(rows: Sequence[Sequence[str]]) -> list[str]:
    """The table of classes, with as many percentiles as they have."""
    header = ["class", "jobs", "throughput", "response time", "p50", "p90", "p95", "p99"]
    columns = max((len(row) for row in rows), default=4)
    filled = [[*row, *["-"] * (columns - len(row))] for row in rows]
    return table(header[:columns], filled, "<" + ">" * (columns - 1))


def _task_rows(result: JobsResult) -> list[list[str]]:
    rows = []
    for one in result.classes:
        for v, tasks in enumerate(one.variants, start=1):
            label = one.name if len(one.variants) == 1 else f"{one.name}, variant {v}"
            rows += [[label, t.name, single(t.response_time)] for t in tasks]
    return rows


def _fork_join(result: ForkJoinResult) -> list[str]:
    rows = [
        [f"queue {k}", percent(busy), single(seconds)]
        for k, (busy, seconds) in enumerate(zip(result.utilization, result.station_response, strict=True), start=1)
    ]
    lines = [f"  response time of a job: {single(result.response_time)}", ""]
    return [*lines, *_cut(["queue", "used", "time in it"], rows, "<>>")]


def _cut(header: Sequence[str], rows: Sequence[Sequence[str]], align: str) -> list[str]:
    lines = table(header, rows[:MOST_ROWS], align)
    return [*lines, f"  … {len(rows) - MOST_ROWS} more"] if len(rows) > MOST_ROWS else lines


def _rate(jobs_per_second: float) -> str:
    return f"{jobs_per_second:.5g} /s"
