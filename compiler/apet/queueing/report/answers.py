"""Answers to queueing problems: classes, stations, pools and tasks by name, of one solution or over intervals."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Block, Heading, Lines, Sentences, Table, cut
from apet.answers.cells import Figure, number, rate, share, time
from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.queueing.data.jobs import JobsResult, Percentiles, Pool, Scenario
from apet.queueing.data.layers import Layered
from apet.queueing.data.networks import Network, NetworkBounds, NetworkResult
from apet.queueing.data.problems import Answer as Solved
from apet.queueing.data.problems import Asked, Problem, Ranges, Result, Uncertain, busy_shares
from apet.show.times import single

MOST_ROWS = 40


class _Class(NamedTuple):
    """Of one class: how many jobs, and what is known of them."""

    name: str
    jobs: str
    throughput: Figure
    response_time: Figure
    percentiles: Percentiles | None = None
    outside: Figure = 0.0
    refused: Figure = 0.0
    half_width: float | None = None


class _Station(NamedTuple):
    """Of one station: the busy share of its servers, and the mean number of jobs or tasks there."""

    name: str
    kind: str
    used: Figure | None
    present: Figure


class _Figures(NamedTuple):
    """What is found of a problem, by name."""

    classes: Sequence[_Class]
    stations: Sequence[_Station]


def queueing_answer(name: str, problem: Asked, solved: Solved) -> Answer:
    """Tables by class, station, pool and task; of an uncertain problem every number is the least and the greatest."""
    given = problem.low if isinstance(problem, Uncertain) else problem
    low = solved.low if isinstance(solved, Ranges) else solved
    if isinstance(solved, Ranges):
        least, most = _figures(given, solved.low), _figures(given, solved.high)
        figures, kind = _paired_figures(least, most), " · intervals"
        results = {**_paired(_fields(least, solved.low), _fields(most, solved.high)), **_ends(solved)}
    else:
        figures, kind = _figures(given, solved), ""
        results = _fields(figures, solved)

    rows = list(_rows(figures, solved))
    notes = [Note(NoteKind.METHOD, text) for text in getattr(low, "notes", ())]
    method = low.method
    return Answer(
        kind="queue",
        subject=name,
        predictions=rows,
        notes=notes,
        results={"name": name, **results},
        blocks=[
            [Heading(f"{name} · method: {method}{_other_source(method, figures)}{kind}")],
            *_tables(given, low, figures),
            *_remarks(low, notes),
            *(_reason(solved) if isinstance(solved, Ranges) else []),
        ],
    )


def _other_source(method: str, figures: _Figures) -> str:
    """Where percentiles come from, if from elsewhere than means."""
    sources = {one.percentiles.source for one in figures.classes if one.percentiles} - {"exact"}
    if not sources or "simulation" in method:
        return ""
    return f" · percentiles: {', '.join(sorted(sources))}"


# What is known by name


def _figures(problem: Problem, result: Result) -> _Figures:
    match result:
        case NetworkResult():
            assert isinstance(problem, Network)
            rows = zip(problem.stations, busy_shares(problem, result), strict=True)
            stations = [
                _Station(s.name, _servers(s.is_delay, s.servers), _used(busy), sum(q[k] for q in result.queue_length))
                for k, (s, busy) in enumerate(rows)
            ]
            return _Figures([_of_network(problem, result, c) for c in range(len(problem.classes))], stations)
        case JobsResult():
            assert isinstance(problem, Scenario | Layered)
            classes = [
                _Class(
                    name=one.name,
                    jobs=_population(c.is_open, c.population),
                    throughput=one.throughput,
                    response_time=one.response_time,
                    percentiles=one.percentiles,
                    outside=one.outside,
                    refused=one.refused,
                    half_width=one.half_width,
                )
                for c, one in zip(problem.classes, result.classes, strict=True)
            ]
            pairs = zip(problem.stations, result.stations, strict=True)
            kinds = [("delay" if s.discipline == "delay" else f"{s.discipline}, {s.servers}", r) for s, r in pairs]
            return _Figures(classes, [_Station(r.name, kind, r.utilization, r.mean_tasks) for kind, r in kinds])
        case NetworkBounds():
            assert isinstance(problem, Network)
            ends = zip(problem.classes, result.X_lower, result.X_upper, result.R_lower, result.R_upper, strict=True)
            return _Figures(
                [
                    _Class(c.name, str(c.population), Interval(x, most), Interval(r, longest))
                    for c, x, most, r, longest in ends
                ],
                [],
            )


def _of_network(network: Network, result: NetworkResult, c: int) -> _Class:
    one = network.classes[c]
    return _Class(
        name=one.name,
        jobs=_population(one.is_open, one.population),
        throughput=result.throughput[c],
        response_time=result.system_response_time[c],
        percentiles=result.percentiles[c] if result.percentiles else None,
        outside=result.outside[c] if result.outside else 0.0,
        refused=result.refused[c] if result.refused else 0.0,
    )


def _used(busy: float | None) -> float | None:
    """Over intervals classes have their greatest shares at different values, but no station is more than busy."""
    return None if busy is None else min(1.0, busy)


def _population(is_open: bool, population: int | None) -> str:
    return "open" if is_open else str(population)


def _servers(is_delay: bool, servers: int) -> str:
    return "delay" if is_delay else f"{servers} server{'s' if servers > 1 else ''}"


def _paired_figures(low: _Figures, high: _Figures) -> _Figures:
    """Least and greatest of each figure."""
    classes = [
        a._replace(
            throughput=_between(a.throughput, b.throughput),
            response_time=_between(a.response_time, b.response_time),
            percentiles=None,
            half_width=None,
        )
        for a, b in zip(low.classes, high.classes, strict=True)
    ]
    stations = [
        a._replace(
            used=None if a.used is None or b.used is None else _between(a.used, b.used),
            present=_between(a.present, b.present),
        )
        for a, b in zip(low.stations, high.stations, strict=True)
    ]
    return _Figures(classes, stations)


def _between(low: Figure, high: Figure) -> Interval:
    assert not isinstance(low, Interval)
    assert not isinstance(high, Interval)
    return Interval(low, high)


# For programs


def _rows(figures: _Figures, solved: Solved) -> Iterator[Estimate]:
    """The mean response time of each class."""
    sure = solved.guaranteed if isinstance(solved, Ranges) else solved if isinstance(solved, NetworkBounds) else None
    for c, one in enumerate(figures.classes):
        mean = one.response_time if isinstance(one.response_time, Interval) else _between(*[one.response_time] * 2)
        held = None if sure is None else Interval(sure.R_lower[c], sure.R_upper[c])
        low, high = (None, None) if held is None else (Interval(held.lo, held.lo), Interval(held.hi, held.hi))
        estimate = None if isinstance(solved, NetworkBounds) else mean
        yield Estimate({"class": one.name}, estimate, low, high, held)


def _by_name(figures: _Figures, result: Result) -> dict[str, Any]:
    """Classes and stations by their names."""
    variants = {c.name: c.variants for c in result.classes} if isinstance(result, JobsResult) else {}
    classes = {
        c.name: {
            "jobs": c.jobs,
            "throughput": c.throughput,
            "response_time": c.response_time,
            **({} if c.half_width is None else {"half_width": _finite(c.half_width)}),
            **({"outside": c.outside, "refused": c.refused} if c.outside or c.refused else {}),
            **percentiles_json(c.percentiles),
            **({"variants": _tasks(variants[c.name])} if c.name in variants else {}),
        }
        for c in figures.classes
    }
    present = "mean_jobs" if isinstance(result, NetworkResult) else "mean_tasks"
    stations = {s.name: {"kind": s.kind, "utilization": s.used, present: s.present} for s in figures.stations}
    return {"classes": classes, "stations": stations}


def _tasks(variants: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    return [{"tasks": {t.name: {"response": t.response_time} for t in v}} for v in variants]


def _fields(figures: _Figures, result: Result) -> dict[str, Any]:
    """How it was found, arrays in the order of the file, and the same by name."""
    without = {"percentiles", "notes", "classes", "stations"}
    without |= {key for key in ("outside", "refused") if not getattr(result, key, True)}
    fields = {key: value for key, value in asdict(result).items() if key not in without}
    only = figures.classes[0] if isinstance(result, JobsResult) and len(figures.classes) == 1 else None
    fields |= {} if only is None else {"response_time": only.response_time, "throughput": only.throughput}
    return {"iterations": 0, "converged": True, **fields, **_by_name(figures, result)}


def _ends(ranges: Ranges) -> dict[str, Any]:
    sure = ranges.guaranteed
    return {"ends": ranges.ends, "reason": ranges.reason, "points": ranges.points, "guaranteed": sure and asdict(sure)}


def _paired(low: Any, high: Any) -> Any:
    """The same keys and lists, with [low, high] for each float."""
    if isinstance(low, Mapping):
        return {key: _paired(value, high[key]) for key, value in low.items()}
    if isinstance(low, list | tuple):
        return [_paired(a, b) for a, b in zip(low, high, strict=True)]
    return [low, high] if isinstance(low, float) else low


def percentiles_json(percentiles: Percentiles | None) -> dict[str, Any]:
    """Seconds by percent, and where they come from."""
    if percentiles is None:
        return {}
    body: dict[str, Any] = {"percentiles": {f"{level:g}": p for level, p in percentiles.by_level().items()}}
    body["percentiles_source"] = percentiles.source
    if percentiles.half_width:
        widths = zip(percentiles.by_level(), percentiles.half_width, strict=True)
        body["percentiles_half_width"] = {f"{level:g}": _finite(w) for level, w in widths}
    return body


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value


# For people


def _tables(problem: Problem, result: Result, figures: _Figures) -> Iterator[Block]:
    yield [_class_table(figures.classes)]
    if figures.stations:
        there = "jobs there" if isinstance(problem, Network) else "tasks there"
        rows = [[s.name, s.kind, share(s.used), number(s.present)] for s in figures.stations]
        yield [cut(["station", "kind", "used", there], rows, "<<>>", MOST_ROWS)]
    rows = list(_pools(() if isinstance(result, NetworkBounds) else getattr(problem, "pools", ()), figures.classes))
    if rows:
        header = ["pool", "jobs inside", "may wait", "class", "wait outside", "refused"]
        yield [cut(header, rows, "<>><>>", MOST_ROWS)]
    rows = list(_task_rows(result)) if isinstance(result, JobsResult) else []
    if rows and not isinstance(figures.classes[0].throughput, Interval):
        yield [cut(["class", "task", "response time"], rows, "<<>", MOST_ROWS)]


def _class_table(classes: Sequence[_Class]) -> Table:
    """With as many percentiles as they have."""
    levels = next((one.percentiles.levels for one in classes if one.percentiles), ())
    header = ["class", "jobs", "throughput", "response time", *(f"p{level:g}" for level in levels)]
    rows = []
    for one in classes:
        seconds = one.percentiles.seconds if one.percentiles else ()
        rows.append([one.name, one.jobs, rate(one.throughput), time(one.response_time), *map(single, seconds)])
    columns = max((len(row) for row in rows), default=4)
    filled = [[*row, *["-"] * (columns - len(row))] for row in rows]
    return Table(header[:columns], filled, "<" + ">" * (columns - 1))


def _pools(pools: Sequence[Pool], classes: Sequence[_Class]) -> Iterator[list[str]]:
    """What pools do to classes."""
    for pool in pools:
        backlog = "any number" if pool.backlog is None else str(pool.backlog)
        for one in (classes[c] for c in pool.classes):
            yield [pool.name, str(pool.size), backlog, one.name, time(one.outside), share(one.refused)]


def _task_rows(result: JobsResult) -> Iterator[list[str]]:
    for one in result.classes:
        for v, tasks in enumerate(one.variants, start=1):
            label = one.name if len(one.variants) == 1 else f"{one.name}, variant {v}"
            yield from ([label, t.name, single(t.response_time)] for t in tasks)


def _remarks(result: Result, notes: Sequence[Note]) -> Iterator[Block]:
    """How iterations ended, and notes."""
    if getattr(result, "iterations", 0):
        ended = "converged" if getattr(result, "converged", True) else "NOT converged"
        yield [Lines([f"{getattr(result, 'iterations', 0)} iterations, {ended}"])]
    if notes:
        yield [Sentences([f"Note: {note}." for note in notes])]


def _reason(ranges: Ranges) -> list[Block]:
    """How the ends were found, and what is guaranteed even so."""
    sentences = [f"Ends {ranges.ends} ({ranges.points} solutions): {ranges.reason}."]
    if ranges.guaranteed:
        ends = zip(ranges.guaranteed.R_lower, ranges.guaranteed.R_upper, strict=True)
        sentences.append(f"Guaranteed response times: {'; '.join(time(Interval(a, b)) for a, b in ends)}.")
    return [[Sentences(sentences)]]
