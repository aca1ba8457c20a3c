"""Answers about numbers that are varied: borders of what keeps a deadline, tables against a number, and what changes
the response times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Heading, Lines, Table
from apet.answers.cells import NOTHING, rate, share, time
from apet.ground.activity import over
from apet.ground.interval import Interval
from apet.queueing.data.jobs import LEVELS
from apet.queueing.data.problems import Asked
from apet.queueing.data.varied import WHOLE, class_names, kind_of, parameters, value_of, varied
from apet.queueing.questions.targets import LoadPoint, Target, as_it_is, point
from apet.queueing.report.answers import percentiles_json
from apet.queueing.report.pictures import load_figure

STEP = 1.1


def target_answer(name: str, classes: Sequence[str], border: Target) -> Answer:
    """The border in one line, and the answers on both of its sides."""
    asked, (low, high) = border.parameter, border.within
    if border.met is None:
        line = f"no value of {asked} from {low:.6g} to {high:.6g} keeps it"
    elif border.missed is None:
        line = f"every value from {low:.6g} to {high:.6g} keeps it"
    else:
        line = f"{asked} = {border.met.value:.6g} keeps it, {border.missed.value:.6g} does not"
    if border.met is not None and border.met.cost is not None:
        line += f"; its servers cost {border.met.cost:.4g} per hour"

    points = [p for p in (border.met, border.missed) if p is not None]
    heading = f"{name} · {border.measure} response time within {time(border.deadline)}, for {asked}"
    sides = {"met": border.met, "missed": border.missed}
    return Answer(
        kind="solution",
        subject=name,
        predictions=[row for p in points for row in _rows(asked, classes, p)],
        results={
            **{"name": name, "parameter": asked, "deadline": border.deadline, "measure": border.measure},
            "within": border.within,
            **{side: p and _by_name(classes, p) for side, p in sides.items()},
        },
        blocks=[[Heading(heading)], [Lines([line])], [_table(asked, classes, points)]],
    )


def varied_answer(
    name: str, parameter: str, classes: Sequence[str], points: Sequence[LoadPoint], fixed: Mapping[str, float]
) -> Answer:
    """A row per value and class, and the curves of both; `fixed` are other numbers that were set."""
    return Answer(
        kind="queue",
        subject=name,
        parameters=fixed,
        predictions=[row for p in points for row in _rows(parameter, classes, p)],
        results={"name": name, "parameter": parameter, "points": [_by_name(classes, p) for p in points]},
        blocks=[[Heading(f"{name} · against {parameter}")], [_table(parameter, classes, points)]],
        figure=partial(load_figure, name, parameter, classes, points),
    )


def _rows(parameter: str, classes: Sequence[str], p: LoadPoint) -> list[Estimate]:
    means = zip(classes, p.response_time, strict=False)
    return [Estimate({parameter: p.value, "class": name}, Interval(r, r)) for name, r in means]


def _table(parameter: str, classes: Sequence[str], points: Sequence[LoadPoint]) -> Table:
    levels = next((each.levels for p in points for each in p.percentiles if each), LEVELS)
    header = [parameter, "class", "throughput", "response time", *(f"p{x:g}" for x in levels), "busiest", "used"]
    priced = any(p.cost is not None for p in points)
    header += ["cost per hour"] if priced else []

    rows = []
    for p in points:
        cost = [f"{p.cost:.4g}" if p.cost is not None else NOTHING] if priced else []
        if not p.stable:
            rows.append([f"{p.value:.6g}", "no steady state", *[NOTHING] * (4 + len(levels)), *cost])
            continue
        percentiles = p.percentiles or [None] * len(classes)
        for name, x, r, shares in zip(classes, p.throughput, p.response_time, percentiles, strict=True):
            seconds = list(map(time, shares.seconds)) if shares else [NOTHING] * len(levels)
            rows.append([f"{p.value:.6g}", name, rate(x), time(r), *seconds, *_busiest(p), *cost])
    return Table(header, rows, "><>>" + ">" * len(levels) + "<>" + ">" * priced)


def _by_name(classes: Sequence[str], p: LoadPoint) -> dict[str, Any]:
    """The answer with one value, by class and station."""
    percentiles = p.percentiles or [None] * len(p.response_time)
    rows = zip(classes, p.throughput, p.response_time, percentiles, strict=False)
    return {
        "value": p.value,
        "stable": p.stable,
        "utilization": p.used,
        **({} if p.cost is None else {"cost_per_hour": p.cost}),
        "classes": {n: {"throughput": x, "response_time": r, **percentiles_json(each)} for n, x, r, each in rows},
    }


def _busiest(p: LoadPoint) -> list[str]:
    station, used = p.busiest
    return [station, share(used if p.stable else None)]


# What changes the response times


class Effect(NamedTuple):
    """A parameter with its value in the file, and the answer with the changed one (`LoadPoint.value`)."""

    parameter: str
    before: float
    after: LoadPoint


def effects(problem: Asked) -> tuple[LoadPoint, list[Effect]]:
    """The answer as the file is, and with each parameter changed, the greatest change of a response time first."""
    problem = varied(problem)
    owners = {"servers": problem.stations, "size": problem.pools}
    named = {f"{kind}[{owners[kind][k].name}]" for count in problem.counts for kind, k in count.places}
    values = {name: value_of(problem, name) for name in parameters(problem) if name not in named}
    changed = {n: v + 1 if kind_of(problem, n) in WHOLE else v * STEP for n, v in values.items() if v}
    base = as_it_is(problem)
    rows = [Effect(n, values[n], point(problem, n, v)) for n, v in over(list(changed.items()), "solving", "changes")]
    return base, sorted(rows, key=lambda e: -max(map(abs, _changes(base, e.after)), default=1.0))


def effects_answer(name: str, problem: Asked) -> Answer:
    """A row as the file is, then one per change: means of the response time by class, and the busiest station."""
    base, changed = effects(problem)
    names = class_names(varied(problem))
    rows = [["as it is", *map(time, base.response_time), *_busiest(base)]]
    for parameter, before, after in changed:
        changes = [f"{100 * change:+.1f} %" for change in _changes(base, after)]
        no_state = ["no steady state", *[NOTHING] * (len(names) - 1)]
        rows.append([f"{parameter} = {before:.4g} → {after.value:.4g}", *(changes or no_state), *_busiest(after)])

    listed = [{"parameter": e.parameter, "before": e.before, **_by_name(names, e.after)} for e in changed]
    header = ["", *names, "busiest", "used"]
    return Answer(
        kind="explanation",
        subject=name,
        predictions=[Estimate({"class": n}, Interval(r, r)) for n, r in zip(names, base.response_time, strict=False)],
        results={"name": name, "file": _by_name(names, base), "changes": listed},
        blocks=[
            [Heading(f"{name} · response times, and what changes them")],
            [Table(header, rows, "<" + ">" * len(names) + "<>")],
        ],
    )


def _changes(base: LoadPoint, after: LoadPoint) -> Sequence[float]:
    return [b / a - 1 if a else 0.0 for a, b in zip(base.response_time, after.response_time, strict=False)]
