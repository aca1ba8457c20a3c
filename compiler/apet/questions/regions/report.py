"""Which term decides where, as an answer."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import ceil, log
from typing import Any

from apet.answers.answer import Answer
from apet.answers.blocks import Block, Formulas, Heading, Lines, Piece, Sentences, Settings, Table
from apet.answers.predictions import settings
from apet.ground.interval import Interval, Number
from apet.ground.notes import Note, NoteKind
from apet.questions.expected import notes_on_estimates
from apet.questions.regions.plots import regions_figure
from apet.questions.regions.regions import Crossing, Line, Plane, RegionAxis, logarithmic
from apet.show.context import PredictionContext
from apet.show.formula_lines import Row
from apet.show.plain import plain
from apet.show.tables import intervals
from apet.show.times import column, percent, unit_for

DIGITS = 9
MOST_CURVES = 6
COLUMNS, ROWS = 60, 16
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
OF = {"estimate": "", "lower": "the lower bound ", "upper": "the upper bound "}
SURE = "Every value is proved: no region is missed between those that were looked at."
PROVED = "Every letter is proved for the whole of its part of the map."
OPEN = "Not resolved: {parts}. The term was found at the middle of these parts only."


def regions_answer(context: PredictionContext, answer: Line | Plane) -> Answer:
    """The question, the regions or a map, and the borders between them as formulas."""
    notes = [*_sure(answer), *notes_on_estimates(context.app, room=answer.room)]
    return Answer(
        kind="regions",
        subject=context.app.name,
        unit=context.unit,
        parameters=answer.settings,
        notes=notes,
        results={
            **{**context.json_head, **context.json_setting, "of": answer.of, "end": answer.end, "terms": answer.terms},
            **(_line_results(answer) if isinstance(answer, Line) else _plane_results(answer)),
        },
        blocks=[
            [Heading(context.heading), Settings(_question(context, answer))],
            *(_line_blocks(answer, context.unit) if isinstance(answer, Line) else _plane_blocks(answer)),
            _operands(answer),
            [Sentences([note.sentence for note in notes])],
        ],
        figure=partial(regions_figure, answer, context.title),
    )


def _question(context: PredictionContext, answer: Line | Plane) -> list[str]:
    axes = [answer.axis] if isinstance(answer, Line) else [answer.x, answer.y]
    varied = [f"{a.name} from {value(a, a.low)} to {value(a, a.high)}{a.unit and ' ' + a.unit}" for a in axes]
    fixed = settings(context.app, {n: v for n, v in answer.settings.items() if n != "P" or context.has_processors})
    end = f"at {answer.end}" if context.app.on_machines else ""
    return [*fixed, *varied, f"bottleneck {OF[answer.of]}{end}".rstrip()]


def value(axis: RegionAxis, number: Number) -> str:
    """A value of an axis."""
    return f"{int(number):,}" if axis.whole and -(10**15) < number < 10**15 else f"{float(number):,.{DIGITS}g}"


def _range(axis: RegionAxis, low: Number, high: Number) -> str:
    """Both ends; more digits where they are hardly apart."""
    ends = [value(axis, end) for end in (low, high)]
    if low != high and ends[0] == ends[1]:
        ends = [f"{float(end):,.17g}" for end in (low, high)]
    return ends[0] if low == high else " … ".join(ends)


# One parameter


def _line_blocks(line: Line, of: str) -> list[Block]:
    axis, regions = line.axis, line.regions
    unit = unit_for((s for r in regions for s in r.seconds), of)
    ends = [column([r.seconds[k] for r in regions], unit) for k in (0, 1)]
    rows = []

    for r, low, high in zip(regions, *ends, strict=True):
        where = _range(axis, r.low, r.high)
        time = intervals([low], [high], unit.name)[0]
        busiest = f"busiest: {r.member[2:-1]}" if r.member != r.term else ""
        rows.append([f"{axis.name} = {where}", r.term + ("" if r.certain else " ?"), time.rstrip(), busiest])

    borders: list[Piece] = []
    for crossing in line.crossings:
        borders.append(Lines([f"{crossing.after} takes over from {crossing.before} {_where(axis, crossing)}"]))
        if crossing.formula is not None:
            borders.append(_formula(axis.name, crossing.formula))
    return [[Table(("", "", "", ""), rows, "<<<<")], borders]


def _operands(answer: Line | Plane) -> Block:
    """Operands of a bound have numbers for names: what they are."""
    if answer.of == "estimate":
        return []
    names = [r.term for r in answer.regions] if isinstance(answer, Line) else answer.shares
    return [_formula(name, answer.terms[name]) for name in dict.fromkeys(names)]


def _where(axis: RegionAxis, crossing: Crossing) -> str:
    if axis.whole:
        return f"at {axis.name} = {value(axis, crossing.above)}"
    at = crossing.value if crossing.value is not None else (crossing.below + crossing.above) / 2
    return f"at {axis.name} = {value(axis, at)}{axis.unit and ' ' + axis.unit}"


def _formula(name: str, formula: str) -> Formulas:
    return Formulas([Row(name, formula)], indent=4)


def _sure(answer: Line | Plane) -> list[Note]:
    """What is proved, and what is not."""
    if not isinstance(answer, Line):
        return [Note(NoteKind.METHOD, PROVED)]
    loose = [r for r in answer.regions if not r.certain]
    if not loose:
        return [Note(NoteKind.METHOD, SURE)]
    parts = ", ".join(_range(answer.axis, r.low, r.high) for r in loose[:MOST_CURVES])
    more = f" and {len(loose) - MOST_CURVES} more" if len(loose) > MOST_CURVES else ""
    return [Note(NoteKind.WARNING, OPEN.format(parts=parts + more))]


# Two parameters


def _plane_blocks(plane: Plane) -> list[Block]:
    letters = dict(zip(plane.shares, LETTERS, strict=False))
    rows = [[letters.get(name, "?"), name, percent(share)] for name, share in plane.shares.items()]
    if plane.undecided:
        rows.append(["·", "not resolved: a border runs through", percent(plane.undecided)])

    borders: list[Piece] = []
    for curve in plane.curves[:MOST_CURVES]:
        x, y = (f"{float(v):.4g}" for v in curve.points[len(curve.points) // 2])
        at = f"for example at {plane.x.name} = {x}, {plane.y.name} = {y}"
        borders.append(Lines([f"between {curve.before} and {curve.after}, {at}:"]))
        closed = curve.formula is not None
        borders.append(_formula(curve.unknown, curve.formula or "") if closed else Lines([NO_FORM], 4))
    if len(plane.curves) > MOST_CURVES:
        borders.append(Lines([f"… and {len(plane.curves) - MOST_CURVES} more pieces of borders: --json lists them"]))
    return [[Lines(_picture(plane, letters))], [Table(("", "", "of the map"), rows, "<<>")], borders]


NO_FORM = "no closed form was found"


def _picture(plane: Plane, letters: dict[str, str]) -> list[str]:
    """The map in letters, the first parameter to the right and the second upward."""
    rows = [[" "] * COLUMNS for _ in range(ROWS)]
    for cell in plane.cells:
        mark = letters.get(cell.term, "?") if cell.certain else "·"
        for row in _places(plane.y, cell.y, ROWS):
            for at in _places(plane.x, cell.x, COLUMNS):
                rows[row][at] = mark

    names = [value(plane.y, plane.y.high), value(plane.y, plane.y.low)]
    margin = max(map(len, (*names, plane.y.name)))
    heads = [names[0], plane.y.name, *[""] * (ROWS - 3), names[1]]
    lines = [f"{h:>{margin}} |{''.join(row)}" for h, row in zip(heads, reversed(rows), strict=True)]
    left, right = value(plane.x, plane.x.low), value(plane.x, plane.x.high)
    lines.append(f"{'':>{margin}} +{'-' * COLUMNS}")
    lines.append(f"{'':>{margin}}  {left}{plane.x.name.center(COLUMNS - len(left) - len(right))}{right}")
    return lines


def _places(axis: RegionAxis, part: Interval, places: int) -> range:
    """The columns or rows whose middles lie in a part; a whole number is as wide as 1."""
    half = Fraction(1, 2) if axis.whole else Fraction(0)
    first, last, low, high = (
        _scaled(axis, Fraction(end) + off)
        for end, off in ((axis.low, -half), (axis.high, half), (part.lo, -half), (part.hi, half))
    )
    left, right = ((end - first) / (last - first) * places for end in (low, high))
    return range(max(0, ceil(left - 0.5)), min(places, ceil(right - 0.5)))


def _scaled(axis: RegionAxis, at: Fraction) -> float:
    return log(at) if logarithmic(axis) else float(at)


# For programs


def _axis_json(axis: RegionAxis) -> dict[str, Any]:
    return {"name": axis.name, "from": plain(axis.low), "to": plain(axis.high), "whole": axis.whole, "unit": axis.unit}


def _line_results(line: Line) -> dict[str, Any]:
    return {
        "for": [_axis_json(line.axis)],
        "regions": [
            {
                "from": plain(r.low),
                "to": plain(r.high),
                "dominant": r.term,
                "member": r.member,
                "seconds": [plain(s) for s in r.seconds],
                "certain": r.certain,
            }
            for r in line.regions
        ],
        "boundaries": [
            {
                "between": [plain(c.below), plain(c.above)],
                "before": c.before,
                "after": c.after,
                "formula": c.formula,
                "value": None if c.value is None else plain(c.value),
            }
            for c in line.crossings
        ],
        "certain": line.certain,
        "resolution": line.resolution,
        "evaluations": line.evaluations,
    }


def _plane_results(plane: Plane) -> dict[str, Any]:
    return {
        "for": [_axis_json(plane.x), _axis_json(plane.y)],
        "cells": [{"x": plain(c.x), "y": plain(c.y), "dominant": c.term, "certain": c.certain} for c in plane.cells],
        "boundaries": [
            {
                "before": c.before,
                "after": c.after,
                "unknown": c.unknown,
                "formula": c.formula,
                "points": _points(c.points),
            }
            for c in plane.curves
        ],
        "shares": dict(plane.shares),
        "undecided": plane.undecided,
        "certain": plane.undecided == 0,
        "depth": plane.depth,
        "evaluations": plane.evaluations,
    }


def _points(points: Sequence[tuple[float, float]]) -> list[list[float]]:
    return [list(point) for point in points]
