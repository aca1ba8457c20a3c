"""Runs over several parameters as JSON: points with `x`, or with each parameter by its name."""

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
    return key.lower() not in OTHER_KEYS and isinstance(value, int | float | str) and not isinstance(value, bool)


def _take(notes: Checker, samples: SampleSet, point: Mapping[str, Any], factor: float, place: Any) -> None:
    x = _coordinates(notes, samples, point, place)
    listed = next((point[key] for key in REPETITIONS if key in point), None)
    times = listed if isinstance(listed, list) else [listed if listed is not None else point.get("t")]
    if not times:
        times = [None]
    samples.add(x, WHOLE, [factor * notes.positive(t, "a time", place()) for t in times])

    phases = point.get("phases")
    for name, own in phases.items() if isinstance(phases, dict) else ():
        values = own if isinstance(own, list) else [own]
        path = callpath(str(name))
        samples.add(
            x, path, [factor * notes.not_negative(t, f"phase {name}", place("phases", str(name))) for t in values]
        )


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
