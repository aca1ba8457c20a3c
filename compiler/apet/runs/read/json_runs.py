"""Curves as JSON: `{"id", "kind", "unit", "points": [{"n", "t", "reps"?, "phases"?}]}`, or a list of them."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.documents.document import Document
from apet.ground.documents.key_paths import KeyPath
from apet.runs import errors
from apet.runs.measurements import Run
from apet.runs.read import units
from apet.runs.read.checking import Checker
from apet.runs.read.json_points import is_coordinate, is_points, notes_of, with_metric
from apet.runs.read.merging import FileRuns
from apet.runs.read.samples import several

MOST_NAMES = 12


def read_curves(document: Document, chosen: str | None, metric: str | None = None) -> FileRuns:
    """The curve of a file, or the one chosen by its id; `metric` is the key of points that is read for the time.

    `ApetError` with every error.
    """
    content = document.content
    if isinstance(content, list):
        index = _choose(document, content, chosen)
        return _curve(document, content[index], (index,), metric)
    if chosen is not None and chosen != content.get("id"):
        _unknown(document, chosen, [str(content.get("id", "?"))])
    return _curve(document, content, (), metric)


def _choose(document: Document, content: Sequence[Any], chosen: str | None) -> int:
    names = [str(c.get("id", k + 1)) if is_points(c) else "" for k, c in enumerate(content)]
    for k, name in enumerate(names):
        if not name:
            problem = "this member of the list is no curve with points"
            raise ApetError(errors.UnknownFormat(document.source, document.locator.value((k,)), problem))

    if not names:
        raise ApetError(errors.NoRuns(document.source, None, "an empty list", 'a curve is {"points": [...]}'))
    if chosen is None:
        if len(names) > 1:
            what = (len(names), "curves in this file", "--curve ID", _listed(names))
            raise ApetError(errors.SeveralToChoose(document.source, None, *what))
        return 0
    if chosen not in names:
        _unknown(document, chosen, names)
    return names.index(chosen)


def _unknown(document: Document, chosen: str, names: Sequence[str]) -> None:
    raise ApetError(
        errors.UnknownRunName(document.source, None, "curve", chosen, nearest(chosen, names), _listed(names))
    )


def _listed(names: Sequence[str]) -> str:
    more = f", … ({len(names)} in all)" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def _curve(document: Document, content: Mapping[str, Any], path: KeyPath, metric: str | None) -> FileRuns:
    notes, measure = Checker(document.source), units.SECOND if metric is None else units.of_metric(metric)
    if metric is not None:
        content = with_metric(document, content, metric)
    unit = content.get("unit", "s")
    factor = units.of_curve(unit) if isinstance(unit, str) else None
    if factor is None and "/" not in str(unit):
        place = document.locator.value((*path, "unit"))
        notes.errors.append(errors.UnknownTimeUnit(document.source, place, str(unit)))

    kind = content.get("kind", "")
    readings = [
        reading
        for k, point in enumerate(content["points"])
        if (
            reading := _point(
                document, notes, point, (*path, "points", k), (factor or 1.0) if metric is None else measure.factor
            )
        )
        is not None
    ]
    notes.finish()
    _check_parameters(document, content)
    own_kind = kind if kind in ("size", "procs") else ""
    return FileRuns(str(content.get("id", "")), own_kind, readings, measure.unit, notes_of(content))


def _check_parameters(document: Document, content: Mapping[str, Any]) -> None:
    """`ApetError` where the points have another parameter than n, which varies."""
    values = dict[str, set[object]]()
    for point in content["points"]:
        for key in point:
            if is_coordinate(key, point):
                values.setdefault(key, set()).add(point[key])
    varying = [key for key, all_of in values.items() if len(all_of) > 1 and key != "n"]
    if varying:
        first = next(point[varying[0]] for point in content["points"] if varying[0] in point)
        error = several(document.source, ["n", *varying]).replace(condition=f"{varying[0]}={first}")
        raise ApetError(error)


def _point(document: Document, notes: Checker, point: object, path: KeyPath, factor: float) -> Run | None:
    def place(*keys: str | int) -> Any:
        return lambda: document.locator.value((*path, *keys)) or document.locator.value(path)

    if not isinstance(point, dict):
        notes.errors.append(errors.NotATime(document.source, place()(), "a point", 'not {"n": …, "t": …}'))
        return None
    n = notes.positive(point.get("n"), "n", place("n"))
    listed = point.get("reps")
    repetitions = tuple(
        factor * notes.positive(v, "a repetition", place("reps", k))
        for k, v in enumerate(listed if isinstance(listed, list) else ())
    )
    if "t" not in point and repetitions:
        t = statistics.median(repetitions)
    else:
        t = factor * notes.positive(point.get("t"), "t", place("t"))

    phases = point.get("phases")
    times = {
        str(name): factor * notes.not_negative(v, f"phase {name}", place("phases", str(name)))
        for name, v in (phases.items() if isinstance(phases, dict) else ())
    }
    return Run(n, t, repetitions, times)
