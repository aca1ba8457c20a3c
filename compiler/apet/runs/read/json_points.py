"""Runs as JSON: curves `{"id", "kind", "unit", "points": [{"n", "t", "reps"?, "phases"?}]}`, points with `x` or with
each parameter by its name, and the forms in which pandas writes a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.documents.document import Document
from apet.ground.notes import Note, NoteKind
from apet.runs import errors
from apet.runs.read import units
from apet.runs.read.checking import Checker
from apet.runs.read.parameter_names import IGNORED, TIMES
from apet.runs.read.samples import WHOLE, SampleSet, Value
from apet.runs.read.table_forms import callpath

REPETITIONS = ("reps", "seconds")
MOST_NAMES = 12
MEASURED = ("wall_s", "queued_s", "cpu_s", "peak_bytes", "preempted")
"""What `apet measure` writes next to the time."""
OTHER_KEYS = frozenset((*TIMES, *IGNORED, "reps", "phases", *MEASURED, "truth", "note", "unit", "x"))


def is_points(content: object) -> bool:
    """Whether a JSON value has points, of a curve or of an experiment."""
    return isinstance(content, dict) and isinstance(content.get("points"), list)


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


def with_metric(document: Document, content: Mapping[str, Any], metric: str) -> dict[str, Any]:
    """Points whose times are the values under another key; `ApetError` where not all have it."""
    points = [point for point in content["points"] if isinstance(point, dict)]
    if not all(_is_measured(point.get(metric)) for point in points):
        shared = [key for key in points[0] if all(_is_measured(p.get(key)) for p in points)] if points else []
        names = [key for key in shared if key not in ("n", "x", *REPETITIONS)]
        near = nearest(metric, names)
        raise ApetError(
            errors.UnknownRunName(document.source, None, "metric", metric, near, ", ".join(names) or "none")
        )
    values = [{"n": p.get("n"), "reps": v if isinstance(v := p[metric], list) else [v]} for p in points]
    return {
        **content,
        "points": [
            {**{k: v for k, v in p.items() if is_coordinate(k, p) or k == "x"}, **own}
            for p, own in zip(points, values, strict=True)
        ],
    }


def _is_measured(value: object) -> bool:
    listed = value if isinstance(value, list) and value else [value]
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in listed)


def notes_of(content: Mapping[str, Any]) -> tuple[Note, ...]:
    """What a file says of the machine on which it was measured."""
    listed = content.get("notes")
    texts = listed if isinstance(listed, list) else []
    return tuple(Note(NoteKind.MACHINE, text) for text in texts if isinstance(text, str))


def _time_key(point: Mapping[str, Any]) -> str:
    """The key of the time, which may name its unit; empty where there is none."""
    heads = {key: units.split_heading(key)[0].lower() for key in point}
    return next((key for word in TIMES for key, head in heads.items() if head == word), "")


def read_chosen(document: Document, curves: Sequence[Any], chosen: str | None, metric: str | None) -> SampleSet:
    """The samples of the only curve of a list, or of that with the chosen id; `ApetError` with every error."""
    names = [str(c.get("id", k + 1)) if is_points(c) else "" for k, c in enumerate(curves)]
    if not names:
        raise ApetError(errors.NoRuns(document.source, None, "an empty list", 'a curve is {"points": [...]}'))
    if "" in names:
        problem = "this member of the list is no curve with points"
        place = document.locator.value((names.index(""),))
        raise ApetError(errors.UnknownFormat(document.source, place, problem))
    if chosen is None and len(names) > 1:
        what = (len(names), "curves in this file", "--curve ID", _listed(names))
        raise ApetError(errors.SeveralToChoose(document.source, None, *what))
    check_chosen(document, names, chosen)
    index = 0 if chosen is None else names.index(chosen)
    return read_samples(document, curves[index], (index,), metric)


def check_chosen(document: Document, names: Sequence[str], chosen: str | None) -> None:
    """`ApetError` where a curve is chosen that there is not."""
    if chosen is not None and chosen not in names:
        near = nearest(chosen, names)
        raise ApetError(errors.UnknownRunName(document.source, None, "curve", chosen, near, _listed(names)))


def _listed(names: Sequence[str]) -> str:
    more = f", … ({len(names)} in all)" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def read_samples(
    document: Document, content: Mapping[str, Any], path: tuple[str | int, ...] = (), metric: str | None = None
) -> SampleSet:
    """The samples of a value with points, of the time or another key; `ApetError` with every error."""
    notes, measure = Checker(document.source), units.SECOND if metric is None else units.of_metric(metric)
    content = content if metric is None else with_metric(document, content, metric)
    unit = content.get("unit", "s")
    factor = units.of_curve(unit) if isinstance(unit, str) else None
    if factor is None and "/" not in str(unit):
        place_of_unit = document.locator.value((*path, "unit"))
        notes.errors.append(errors.UnknownTimeUnit(document.source, place_of_unit, str(unit)))
    names, roles = _parameters(content)
    name = str(content.get("id") or content.get("name") or "")
    samples = SampleSet(name, names, document.source, False, roles, notes=[*notes_of(content)], unit=measure.unit)
    factor = factor if metric is None else measure.factor

    for k, point in enumerate(content["points"]):

        def place(*keys: str | int, at: tuple[str | int, ...] = (*path, "points", k)) -> Any:
            return lambda: document.locator.value((*at, *keys)) or document.locator.value(at)

        if not isinstance(point, dict):
            notes.errors.append(errors.NotATime(document.source, place()(), "a point", 'not {"n": …, "t": …}'))
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
    names, kind = tuple(keys) or ("n",), content.get("kind")
    return names, {names[0]: kind} if len(names) == 1 and kind in ("size", "procs") else {}


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
    key = next((key for key in REPETITIONS if isinstance(point.get(key), list) and point[key]), "")
    if key:
        times = [notes.positive(v, "a repetition", place(key, k)) for k, v in enumerate(point[key])]
    else:
        key = _time_key(point) or "t"
        own = units.SECONDS.get(units.split_heading(key)[1])
        factor, listed = own if own is not None else factor, _seconds(point.get(key))
        values = listed if isinstance(listed, list) and listed else [None if listed == [] else listed]
        times = [notes.positive(v, key, place(key)) for v in values]
    samples.add(x, WHOLE, [factor * t for t in times])

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
        v if isinstance(v, str) and name != "n" else notes.positive(v, name, place(name))
        for v, name in zip(values, samples.names, strict=True)
    )
