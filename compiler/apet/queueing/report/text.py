"""What was found for a queueing problem: text for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never

from apet.queueing.jobs import ForkJoinResult, JobsResult, Scenario
from apet.queueing.networks import Network, NetworkBounds, NetworkResult
from apet.queueing.problems import Answer, Asked, Problem, Ranges, Result, Uncertain
from apet.show.plain import dumps
from apet.show.tables import table
from apet.show.times import percent, single

MOST_ROWS = 40


def queueing_json(name: str, found: Answer, version: str) -> str:
    """One object: times in seconds, throughput in jobs per second; lists in the order of the file.

    Of an uncertain problem every such number is `[least, greatest]`.
    """
    return dumps({"apet": version, "name": name, "unit": "s", **fields(found)})


def fields(found: Answer) -> dict[str, Any]:
    """The keys and values of an answer."""
    match found:
        case Ranges():
            body = _paired(fields(found.low), fields(found.high))
            about = {"ends": found.ends, "reason": found.reason, "points": found.points}
            return {**body, **about, "guaranteed": found.guaranteed and found.guaranteed._asdict()}
        case NetworkResult() | NetworkBounds():
            return found._asdict()
        case ForkJoinResult():
            return {**found._asdict(), "method": "fork-join", "iterations": 0, "converged": True}
        case JobsResult():
            return _jobs(found)
        case _:
            assert_never(found)


def _paired(low: Any, high: Any) -> Any:
    """The same keys and lists, with [low, high] for each float."""
    if isinstance(low, dict):
        return {key: _paired(value, high[key]) for key, value in low.items()}
    if isinstance(low, list | tuple):
        return [_paired(a, b) for a, b in zip(low, high, strict=True)]
    return [low, high] if isinstance(low, float) else low


def _jobs(found: JobsResult) -> dict[str, Any]:
    classes = {
        c.name: {
            "response_time": c.response_time,
            "throughput": c.throughput,
            "variants": [
                {"tasks": {t.name: {"response": t.response_time, "overlap": list(t.overlap)} for t in v}}
                for v in c.variants
            ],
        }
        for c in found.classes
    }
    stations = {s.name: {"utilization": s.utilization, "mean_tasks": s.mean_tasks} for s in found.stations}
    return {
        "method": found.method,
        "iterations": found.iterations,
        "converged": found.converged,
        "notes": list(found.notes),
        "classes": classes,
        "stations": stations,
    }


def queueing_text(name: str, asked: Asked, found: Answer) -> str:
    """Tables by class and by station."""
    if isinstance(found, Ranges):
        from apet.queueing.report.ranges import ranges_text

        return ranges_text(name, asked.low if isinstance(asked, Uncertain) else asked, found)
    return _plain_text(name, asked.low if isinstance(asked, Uncertain) else asked, found)


def _plain_text(name: str, problem: Problem, found: Result) -> str:
    match found:
        case NetworkResult():
            assert isinstance(problem, Network)
            lines = _network(problem, found)
        case NetworkBounds():
            assert isinstance(problem, Network)
            lines = _bounds(problem, found)
        case JobsResult():
            assert isinstance(problem, Scenario)
            lines = _scenario(problem, found)
        case ForkJoinResult():
            lines = _fork_join(found)
        case _:
            assert_never(found)
    return "\n".join([f"{name} · method: {getattr(found, 'method', 'fork-join')}", "", *lines]) + "\n"


def _network(network: Network, found: NetworkResult) -> list[str]:
    rows = []
    for c, job in enumerate(network.classes):
        jobs = "open" if job.is_open else str(job.population)
        rows.append([job.name, jobs, _rate(found.throughput[c]), single(found.system_response_time[c])])
    lines = table(["class", "jobs", "throughput", "response time"], rows, "<>>>")
    stations = []
    for k, station in enumerate(network.stations):
        busy = [row[k] for row in found.utilization]
        known = [b for b in busy if b is not None]
        used = "-" if len(known) < len(busy) or station.is_delay else percent(sum(known))
        jobs_there = sum(row[k] for row in found.queue_length)
        kind = "delay" if station.is_delay else f"{station.servers} server{'s' if station.servers > 1 else ''}"
        stations.append([station.name, kind, used, f"{jobs_there:.4g}"])
    lines += ["", *_cut(["station", "kind", "used", "jobs there"], stations, "<<>>")]
    if found.iterations:
        state = "converged" if found.converged else "NOT converged"
        lines += ["", f"  {found.iterations} iterations, {state}"]
    return lines


def _bounds(network: Network, found: NetworkBounds) -> list[str]:
    rows = []
    for c, job in enumerate(network.classes):
        rate = f"{_rate(found.X_lower[c])} … {_rate(found.X_upper[c])}"
        rows.append([job.name, str(job.population), rate, f"{single(found.R_lower[c])} … {single(found.R_upper[c])}"])
    return table(["class", "jobs", "throughput", "response time"], rows, "<>>>")


def _scenario(scenario: Scenario, found: JobsResult) -> list[str]:
    rows = []
    for circulation, one in zip(scenario.classes, found.classes, strict=True):
        rows.append([one.name, str(circulation.population), _rate(one.throughput), single(one.response_time)])
    lines = table(["class", "jobs", "throughput", "response time"], rows, "<>>>")
    stations = []
    for station, there in zip(scenario.stations, found.stations, strict=True):
        used = "-" if station.discipline == "delay" else percent(there.utilization)
        kind = "delay" if station.discipline == "delay" else f"{station.discipline}, {station.servers}"
        stations.append([there.name, kind, used, f"{there.mean_tasks:.4g}"])
    lines += ["", *_cut(["station", "kind", "used", "tasks there"], stations, "<<>>")]
    rows = _task_rows(found)
    lines += ["", *_cut(["class", "task", "response time"], rows, "<<>")] if rows else []
    if found.iterations:
        lines += ["", f"  {found.iterations} iterations, {'converged' if found.converged else 'NOT converged'}"]
    return [*lines, *(f"\n  Note: {note}." for note in found.notes)]


def _task_rows(found: JobsResult) -> list[list[str]]:
    rows = []
    for one in found.classes:
        for v, tasks in enumerate(one.variants, start=1):
            label = one.name if len(one.variants) == 1 else f"{one.name}, variant {v}"
            rows += [[label, t.name, single(t.response_time)] for t in tasks]
    return rows


def _fork_join(found: ForkJoinResult) -> list[str]:
    rows = [
        [f"queue {k}", percent(busy), single(seconds)]
        for k, (busy, seconds) in enumerate(zip(found.utilization, found.station_response, strict=True), start=1)
    ]
    lines = [f"  response time of a job: {single(found.response_time)}", ""]
    return [*lines, *_cut(["queue", "used", "time in it"], rows, "<>>")]


def _cut(header: Sequence[str], rows: Sequence[Sequence[str]], align: str) -> list[str]:
    lines = table(header, rows[:MOST_ROWS], align)
    return [*lines, f"  … {len(rows) - MOST_ROWS} more"] if len(rows) > MOST_ROWS else lines


def _rate(jobs_per_second: float) -> str:
    return f"{jobs_per_second:.5g} /s"
