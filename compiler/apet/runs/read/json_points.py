"""Runs over several parameters as JSON: points with `x`, or with each parameter by its name; and the forms in which
pandas writes a frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document
from apet.runs import errors
from apet.runs.read import units
from apet.runs.read.checking import Checker
from apet.runs.read.parameter_names import IGNORED, TIMES
from apet.runs.read.samples import WHOLE, SampleSet, Value
from apet.runs.read.table_forms import callpath

REPETITIONS = ("reps", "seconds")
OTHER_KEYS = frozenset((*TIMES, *IGNORED, "reps", "phases", "cpu_s", "peak_bytes", "truth", "note", "unit", "x"))


def is_points(content: object) -> bool:
    """Whether a JSON value has points, of a curve or of an experiment."""
    return isinstance(content, dict) and isinstance(content.get("points"), list)


def has_coordinates(content: object) -> bool:
    """Whether the points of a JSON value are those of an experiment: `x` with several coordinates."""
    return (
        isinstance(content, dict)
        and isinstance(content.get("parameters"), list)
        and isinstance(content.get("points"), list)
        and all(isinstance(p, dict) and "x" in p for p in content["points"])
    )


def as_points(content: object) -> dict[str, Any] | None:
    """A frame of pandas as an object with points, in whichever form: records, split, columns, index or table; None for
    anything else."""
    if isinstance(content, list):
        is_list = bool(content) and all(isinstance(row, dict) and "points" not in row for row in content)
        return {"points": content} if is_list and any(_time_key(row) for row in content) else None
    if not isinstance(content, dict) or is_points(content):
        return None
    columns, data = content.get("columns"), content.get("data")
    if isinstance(data, list) and isinstance(columns, list):
        return as_points([dict(zip(map(str, columns), row, strict=False)) for row in data if isinstance(row, list)])
    if isinstance(data, list) and "schema" in content:
        return as_points(data)

    rows = list(content.values())
    if not rows or not all(isinstance(row, dict) and row for row in rows):
        return None
    if all(key.isdecimal() for key in content):
        return as_points(rows)
    keys = list(rows[0])
    return as_points([{name: column.get(key) for name, column in content.items()} for key in keys])


def _time_key(point: Mapping[str, Any]) -> str:
    """The key of the time, which may name its unit; empty where there is none."""
    heads = {key: units.split_heading(key)[0].lower() for key in point}
    return next((key for word in TIMES for key, head in heads.items() if head == word), "")


def read_samples(document: Document, content: Mapping[str, Any], path: tuple[str | int, ...] = ()) -> SampleSet:
    """The samples of a value with points; `ApetError` with every error."""
    notes = Checker(document.source)
    unit = content.get("unit", "s")
    factor = units.of_curve(unit) if isinstance(unit, str) else None
    if factor is None:
        notes.errors.append(errors.UnknownTimeUnit(document.source, None, str(unit)))
    names, roles = _parameters(content)
    samples = SampleSet(str(content.get("id") or content.get("name") or ""), names, document.source, False, roles)

    for k, point in enumerate(content["points"]):

        def place(*keys: str | int, at: tuple[str | int, ...] = (*path, "points", k)) -> Any:
            return lambda: document.locator.value((*at, *keys)) or document.locator.value(at)

        if not isinstance(point, dict):
            notes.errors.append(errors.NotATime(document.source, place()(), "a point", "no object"))
            continue
        _take(notes, samples, point, factor or 1.0, place)
    notes.finish()
    if not samples.times:
        raise ApetError(
            errors.NoRuns(document.source, None, "this file", 'a point is {"x": [100, 4], "seconds": [1.5]}')
        )
    return samples


def _parameters(content: Mapping[str, Any]) -> tuple[tuple[str, ...], dict[str, str]]:
    listed = content.get("parameters")
    if isinstance(listed, list):
        names = tuple(str(p.get("name", "")) if isinstance(p, dict) else str(p) for p in listed)
        roles = {str(p.get("name")): str(p["role"]) for p in listed if isinstance(p, dict) and "role" in p}
        return names, {n: r for n, r in roles.items() if r in ("size", "procs")}
    keys = dict.fromkeys(key for p in content["points"] if isinstance(p, dict) for key in p if is_coordinate(key, p))
    return tuple(keys), {}


def is_coordinate(key: str, point: Mapping[str, Any]) -> bool:
    """Whether a key of a point is a parameter: a number or a text of a name that means nothing else."""
    value = point[key]
    return (
        units.split_heading(key)[0].lower() not in OTHER_KEYS
        and isinstance(value, int | float | str)
        and not isinstance(value, bool)
    )


def _take(notes: Checker, samples: SampleSet, point: Mapping[str, Any], factor: float, place: Any) -> None:
    x = _coordinates(notes, samples, point, place)
    listed = next((point[key] for key in REPETITIONS if key in point), None)
    if listed is None and (key := _time_key(point)):
        own = units.SECONDS.get(units.split_heading(key)[1])
        factor, listed = own if own is not None else factor, _seconds(point[key])
    times = listed if isinstance(listed, list) and listed else [listed or None]
    samples.add(x, WHOLE, [factor * notes.positive(t, "a time", place()) for t in times])

    phases = point.get("phases")
    for name, own in phases.items() if isinstance(phases, dict) else ():
        values = own if isinstance(own, list) else [own]
        path = callpath(str(name))
        samples.add(
            x, path, [factor * notes.not_negative(t, f"phase {name}", place("phases", str(name))) for t in values]
        )


def _seconds(value: object) -> object:
    """Seconds of a text such as `1m10s`; any other value as it is."""
    parsed = units.number_and_unit(value) if isinstance(value, str) else None
    return value if parsed is None else parsed[0] * units.SECONDS.get(parsed[1], 1.0)


def _coordinates(notes: Checker, samples: SampleSet, point: Mapping[str, Any], place: Any) -> tuple[Value, ...]:
    if "x" not in point:
        values = [point.get(name) for name in samples.names]
    else:
        values = point["x"] if isinstance(point["x"], list) else [point["x"]]
        if len(values) != len(samples.names):
            what = (len(values), "coordinates", len(samples.names), "parameters are named", "")
            notes.errors.append(errors.WrongCellCount(notes.source, place("x")(), *what))
            values = [1.0] * len(samples.names)

    return tuple(
        v if isinstance(v, str) else notes.positive(v, name, place())
        for v, name in zip(values, samples.names, strict=True)
    )
