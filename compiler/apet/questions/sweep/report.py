"""What a sweep found, as an answer."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from apet.answers.answer import Answer, Estimate
from apet.answers.blocks import Block, Heading, Sentences, Settings, Table
from apet.answers.predictions import settings
from apet.cost import CostModel
from apet.ground.interval import Interval, Number
from apet.ground.notes import Note
from apet.prediction.prediction import room_for_mean
from apet.questions.expected import notes_on_estimates
from apet.questions.sweep.plots import front_figure
from apet.questions.sweep.summary import OBJECTIVES, PROCESSORS, TIMES, SweepPoint, SweepSummary
from apet.show.plain import plain
from apet.show.tables import interval_cells
from apet.show.times import column, unit_for
from apet.show.values import parameter_text

ENDS = ("tmin", "tmax")
MOST_OF_FRONT = 20
SUFFIXES = {"s": "_s", "1/s": "_per_s", "": ""}
"""Of columns, by unit: as in the files that a sweep writes."""
PAIRS = ("estimate", "lower", "upper", "guaranteed")


class SweepOccasion(NamedTuple):
    """A cost model and the machine models it was put on: names, files, topologies, and what was fixed."""

    app: CostModel
    machines: tuple[str, ...]
    files: tuple[str, ...]
    networks: tuple[str, ...]
    schedule: str
    fixed: Mapping[str, Number | Interval]

    @property
    def title(self) -> str:
        """What, and where."""
        where = self.machines[0] if len(self.machines) == 1 else f"{len(self.machines)} machine models"
        return self.app.title(where)

    @property
    def unit(self) -> str:
        """Of what is predicted."""
        return self.app.unit


def sweep_answer(context: SweepOccasion, sweep: SweepSummary) -> Answer:
    """All points where they are few, then best, worst and front."""
    heading = context.app.heading(", ".join(context.machines), ", ".join(context.networks), context.schedule)
    sentences, notes = _sentences(context, sweep), _notes(context, sweep)
    ends = [] if sweep.best is None or sweep.rows or sweep.worst is None else [sweep.best, sweep.worst]
    titles = ("best", "worst") if context.unit == "s" else ("least", "greatest")
    listed = sweep.rows or [p for p in (sweep.best, sweep.worst) if p is not None]
    return Answer(
        kind="sweep",
        subject=context.app.name,
        unit=context.unit,
        parameters=context.fixed,
        predictions=[_row(sweep, point) for point in listed if point.times],
        notes=notes,
        results=_results(context, sweep),
        blocks=[
            [Heading(heading), Settings(settings(context.app, context.fixed))],
            [_table(context, sweep, sweep.rows)] if sweep.rows else [],
            [Sentences([*sentences, *(note.sentence for note in notes)])],
            [_table(context, sweep, ends, titles)] if ends else [],
            *(_front(context, sweep) if len(sweep.front) > 1 else []),
        ],
        figure=partial(front_figure, sweep, context.title),
    )


def _row(sweep: SweepSummary, point: SweepPoint) -> Estimate:
    pairs = [Interval(point.times[f"{kind}_tmin"], point.times[f"{kind}_tmax"]) for kind in PAIRS]
    estimate, lower, upper, guaranteed = pairs
    return Estimate(point.values, estimate, lower, upper, guaranteed, {"dominant": point.dominant or None})


def _notes(context: SweepOccasion, sweep: SweepSummary) -> tuple[Note, ...]:
    """What a reader needs besides; of mean run times where the bounds of a point leave room for one far away."""
    points = [p for p in (*sweep.rows, *sweep.front, sweep.best, sweep.worst) if p is not None and p.times]
    brackets = [[p.times[f"{name}_{end}"] for name in ("estimate", "lower", "upper")] for p in points for end in ENDS]
    return notes_on_estimates(context.app, room=any(room_for_mean(*bracket) for bracket in brackets))


def _results(context: SweepOccasion, sweep: SweepSummary) -> dict[str, Any]:
    """The keys of docs/howto/sweep.md."""
    rows = {"rows": [_json(sweep, point) for point in sweep.rows]} if sweep.rows else {}
    return {
        **{"model": context.app.name, "machines": context.files, **context.app.description()},
        **{"branches": context.app.setting.branches, "schedule": context.schedule, "set": context.fixed},
        **{"columns": sweep.names, "points": sweep.points, "undefined": sweep.undefined},
        **{"by": sweep.objective, "against": sweep.against},
        **{"best": _json(sweep, sweep.best), "worst": _json(sweep, sweep.worst)},
        **{"pareto": [_json(sweep, point) for point in sweep.front], "output": sweep.path},
        "seconds": round(sweep.seconds, 3),
        **rows,
    }


def front_csv(context: SweepOccasion, sweep: SweepSummary) -> str:
    """The front as comma-separated values with the columns of the sweep, the cheapest point first."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    costs = [] if sweep.against == PROCESSORS else [sweep.against]
    writer.writerow([*sweep.names, *costs, *(f"{name}{SUFFIXES[context.unit]}" for name in TIMES), "dominant"])
    for point in sweep.front:
        values = [v if isinstance(v, int | str) else repr(float(v)) for v in point.values.values()]
        cost = [repr(point.cost)] if costs else []
        writer.writerow([*values, *cost, *(repr(point.times[name]) for name in TIMES), point.dominant])
    return out.getvalue()


def _sentences(context: SweepOccasion, sweep: SweepSummary) -> list[str]:
    facts = [f"{sweep.points:,} {'point' if sweep.points == 1 else 'points'}"]
    if sweep.undefined:
        facts.append(f"{sweep.undefined:,} without a prediction")
    if sweep.path is not None:
        facts.append(f"written to {sweep.path}")
    sentences = [", ".join(facts) + "."]
    if sweep.path is None and not sweep.rows:
        sentences.append("To keep all rows: -o sweep.csv or -o sweep.parquet")
    if sweep.rows and sweep.best is not None and sweep.worst is not None and sweep.points > 1:
        first, last = ("Best", "Worst") if context.unit == "s" else ("Least", "Greatest")
        ends = [_extreme_text(context, sweep, point) for point in (sweep.best, sweep.worst)]
        sentences += [f"{first}: {ends[0]}.", f"{last}: {ends[1]}."]

    return sentences


def _extreme_text(context: SweepOccasion, sweep: SweepSummary, point: SweepPoint) -> str:
    values = ", ".join(f"{name} = {_value(context.app, name, v)}" for name, v in point.values.items())
    objective = OBJECTIVES[sweep.objective]
    of = unit_for([point.times[objective]], context.unit)
    upper = column([point.times[objective]], of, 1 if sweep.objective == "guaranteed" else 0)[0]
    return f"{values} with {'at most' if sweep.objective == 'guaranteed' else 'about'} {upper} {of.name}".rstrip()


def _front(context: SweepOccasion, sweep: SweepSummary) -> list[Block]:
    what = "processors" if sweep.against == PROCESSORS else "cost per hour"
    count = len(sweep.front)
    more = "" if count <= MOST_OF_FRONT else f", of which the first {MOST_OF_FRONT} are shown"
    title = f"Pareto front: {count:,} points that no other beats in both time and {what}{more}:"
    return [[Sentences([title])], [_table(context, sweep, sweep.front[:MOST_OF_FRONT], costs=True)]]


def _table(
    context: SweepOccasion,
    sweep: SweepSummary,
    points: Sequence[SweepPoint],
    titles: Sequence[str] = (),
    costs: bool = False,
) -> Table:
    priced = costs and sweep.against != PROCESSORS
    defined = [p for p in points if p.times]
    of = unit_for((time for p in defined for time in p.times.values()), context.unit)
    columns = []

    for kind in ("estimate", "guaranteed"):
        times = [Interval(p.times[f"{kind}_tmin"], p.times[f"{kind}_tmax"]) for p in defined]
        columns.append(iter(interval_cells(times, of, 1 if kind == "guaranteed" else 0)))

    rows = []
    for k, point in enumerate(points):
        row = [*([titles[k]] if titles else []), *(_value(context.app, n, v) for n, v in point.values.items())]
        row += [f"{point.cost:.4g}"] if priced else []
        row += [next(columns[0]), next(columns[1]), point.dominant] if point.times else ["no prediction", "", ""]
        rows.append(row)

    names = [*([""] if titles else []), *sweep.names, *([sweep.against] if priced else [])]
    align = "".join("<" if name in ("", "machines") else ">" for name in names) + "<<<"
    return Table([*names, "estimate", context.app.bracket_title, "limited by"], rows, align)


def _value(app: CostModel, name: str, value: Number | str) -> str:
    return value if isinstance(value, str) else parameter_text(app, name, value)


def _json(sweep: SweepSummary, point: SweepPoint | None) -> dict[str, Any] | None:
    if point is None:
        return None

    document: dict[str, Any] = {"number": point.number}
    document["parameters"] = {n: v if isinstance(v, str) else plain(v) for n, v in point.values.items()}
    if sweep.against != PROCESSORS:
        document[sweep.against] = point.cost

    for kind in PAIRS:
        ends = {end: point.times[f"{kind}_{end}"] for end in ("tmin", "tmax")} if point.times else None
        document[kind] = ends

    document["dominant"] = point.dominant or None
    return document
