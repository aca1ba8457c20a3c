"""Extra-P's formats: text, JSON Lines and Talpas here; all become the same samples."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.runs import errors
from apet.runs.read import units
from apet.runs.read.checking import Checker, Place
from apet.runs.read.samples import SampleSet, chosen_name
from apet.runs.read.table_forms import callpath

COORDINATES = ("params", "parameters")
"""What the point of a line is called in JSON Lines and in Talpas."""
_POINT = re.compile(rf'"(?:{"|".join(COORDINATES)})"\s*:\s*\{{')
_PARENTHESES = re.compile(r"\(([^()]*)\)")


class ExtraPData(NamedTuple):
    """What a file of any of the three forms holds: names of the coordinates (as many as are named), and its data."""

    source: Source
    names: list[str]
    data: list[Datum]


class Datum(NamedTuple):
    """Repetitions of a metric of one call path at one point."""

    point: tuple[float, ...]
    callpath: str
    metric: str
    values: tuple[float, ...]


def is_lines(text: str) -> bool:
    """Whether a text is Extra-P's JSON Lines."""
    first = text.lstrip().partition("\n")[0].strip()
    return first.startswith("{") and _POINT.search(first) is not None and '"value"' in first


def is_text(text: str) -> bool:
    """Whether a text is in Extra-P's text format."""
    return re.search(r"^\s*PARAMETER\s", text, re.MULTILINE) is not None


def read_text(source: Source) -> ExtraPData:
    """The data of a file in the text format."""
    notes, names, points, data = Checker(source), list[str](), list[tuple[float, ...]](), list[Datum]()
    region, measured, row, at = "", "time", 0, 0
    for line in source.text.splitlines(keepends=True):
        span, words = Span(at + len(line) - len(line.lstrip()), at + len(line.rstrip())), line.split("#")[0].split()
        at += len(line)
        if not words:
            continue
        keyword, rest = words[0].upper(), words[1:]
        if keyword == "PARAMETER":
            names += rest
        elif keyword == "POINTS":
            points += _points(notes, line.split(None, 1)[1] if rest else "", len(names), span)
        elif keyword == "METRIC":
            measured, row = " ".join(rest), 0
        elif keyword in ("REGION", "CALLPATH"):
            region, row = " ".join(rest), 0
        elif keyword == "DATA":
            if row >= len(points):
                _too_many(notes, span, region or measured, len(points))
            else:
                values = values_of(notes, [*map(_number, rest)], lambda s=span: s)  # type: ignore[misc]
                data.append(Datum(points[row], region, measured, values))
            row += 1
        elif keyword != "EXPERIMENT":
            raise ApetError(errors.UnknownFormat(source, span, f"{words[0]} is no keyword of Extra-P's text format"))

    notes.finish()
    return ExtraPData(source, names, data)


def _points(notes: Checker, text: str, parameters: int, span: Span) -> list[tuple[float, ...]]:
    groups = _PARENTHESES.findall(text) if "(" in text else text.split()
    points = [_numbers(notes, g.replace(",", " ").split(), span, "n") for g in groups]
    for point in points:
        if len(point) != max(parameters, 1):
            wrong_point(notes, span, point, parameters, "parameters are named")
    return points


def wrong_point(notes: Checker, span: Span | None, point: Sequence[float], expected: int, reason: str) -> None:
    notes.errors.append(
        errors.WrongCellCount(notes.source, span, len(point), "coordinates of a point", expected, reason, "")
    )


def _too_many(notes: Checker, span: Span, region: str, points: int) -> None:
    advised = "each REGION has one DATA line for each of the POINTS; repetitions stand in one line"
    notes.errors.append(
        errors.WrongCellCount(notes.source, span, points + 1, f"lines of data for {region}", points, "points", advised)
    )


def _numbers(notes: Checker, words: Sequence[str], span: Span, what: str = "a time") -> tuple[float, ...]:
    return positive(notes, [_number(word) for word in words], what, lambda: span)


def _number(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


def positive(notes: Checker, values: object, what: str, place: Place) -> tuple[float, ...]:
    """One number above 0, or a list of at least one of them."""
    numbers = values if isinstance(values, list) else [values]
    return tuple(notes.positive(v, what, place) for v in numbers or [None])


def values_of(notes: Checker, values: object, place: Place) -> tuple[float, ...]:
    """Repetitions of a call path, which may take no time."""
    numbers = values if isinstance(values, list) else [values]
    return tuple(notes.not_negative(v, "a value", place) for v in numbers or [None])


def read_lines(source: Source) -> ExtraPData:
    """The data of JSON Lines, or of Talpas: a line is an object with params or parameters, callpath, metric, value."""
    notes, data, names, at = Checker(source), list[Datum](), list[str](), 0
    for line in source.text.splitlines(keepends=True):
        span = Span(at, at + len(line.rstrip()))
        at += len(line)
        if not line.strip():
            continue
        entry = _object(notes, line, span)
        if entry is None:
            continue
        parameters = next(entry[key] for key in COORDINATES if key in entry)
        names = names or list(parameters)
        point = tuple(notes.positive(parameters.get(k), k, lambda s=span: s) for k in names)  # type: ignore[misc]
        values = values_of(notes, entry.get("value"), lambda s=span: s)  # type: ignore[misc]
        data.append(Datum(point, str(entry.get("callpath", "")), str(entry.get("metric", "time")), values))

    notes.finish()
    return ExtraPData(source, names, data)


def _object(notes: Checker, line: str, span: Span) -> Mapping[str, Any] | None:
    entry = _parsed(line) or _parsed(line.rstrip().rstrip(";").replace(";", ","))  # Talpas has ; for ,
    if isinstance(entry, dict) and any(isinstance(entry.get(key), dict) for key in COORDINATES):
        return entry
    notes.errors.append(
        errors.UnknownFormat(notes.source, span, 'this line is no JSON object with "params" and "value"')
    )
    return None


def _parsed(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def read_samples(content: ExtraPData, metric: str | None) -> SampleSet:
    """The times of a metric by point and call path."""
    source, names, data = content
    if not data:
        raise ApetError(errors.NoRuns(source, None, "this file", "each point needs its data"))
    chosen = _metric(source, list(dict.fromkeys(d.metric for d in data)), metric)
    count = max(len(d.point) for d in data)
    labels = [*names, *(f"parameter {k + 1}" for k in range(len(names), count))][:count]
    unit = units.of_metric(chosen)
    samples = SampleSet("", tuple(labels), source, unit=unit.unit)
    for d in data:
        if d.metric == chosen:
            path = callpath(d.callpath.replace("/", "|") if "->" in d.callpath else d.callpath)
            samples.add(d.point, path, [unit.of(value) for value in d.values])
    return samples


def _metric(source: Source, names: Sequence[str], metric: str | None) -> str:
    times = [m for m in names if units.of_metric(m).unit == units.TIME]
    if metric is None and times:
        return min(times, key=len)
    return chosen_name(source, names, metric, "metrics, none of them the time")
