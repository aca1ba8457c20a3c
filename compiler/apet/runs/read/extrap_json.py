"""Extra-P's JSON: as version 4 reads it, as older ones did, and in saved experiments (`*.extra-p`)."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document
from apet.ground.documents.key_paths import KeyPath
from apet.ground.source import Source, Span
from apet.runs import errors
from apet.runs.read.checking import Checker
from apet.runs.read.extrap import Datum, ExtraPData, positive, values_of, wrong_point

Entry = tuple[KeyPath, str, str, object, object]
"""Where a measurement is, its call path, its metric, its point and its values, as they are written."""
SAVED = "experiment.json"
MOST_SAVED = 1 << 28


def is_json(content: object) -> bool:
    """Whether a JSON value is an experiment of Extra-P, of whatever version."""
    return isinstance(content, dict) and (isinstance(content.get("measurements"), dict) or _is_numbered(content))


def _is_numbered(content: Mapping[str, Any]) -> bool:
    """Whether call paths, metrics and points are listed with numbers, as before version 4."""
    keys = ("measurements", "callpaths", "metrics", "coordinates")
    return all(isinstance(content.get(key), list) for key in keys)


def read_json(document: Document) -> ExtraPData:
    """The data of a JSON file: parameters, and measurements by call path and metric."""
    notes, data, content = Checker(document.source), list[Datum](), document.content
    entries = _numbered_entries(content) if _is_numbered(content) else _entries(content["measurements"])
    for path, path_name, measured, point, values in entries:

        def place(path: KeyPath = path) -> Span | None:
            return document.locator.value(path)

        coordinates = positive(notes, point, "a coordinate", place)
        if data and len(coordinates) != len(data[0].point):
            wrong_point(notes, place(), coordinates, len(data[0].point), "has the first one")
        data.append(Datum(coordinates, path_name, measured, values_of(notes, values, place)))
    notes.finish()
    names = [str(p.get("name", "")) if isinstance(p, dict) else str(p) for p in content.get("parameters", ())]
    return ExtraPData(document.source, names, data)


def _entries(measurements: Mapping[str, Any]) -> Iterator[Entry]:
    """Those by call path and metric: `point` and `values`, or, of a saved experiment, `coordinate` and `median`."""
    for path_name, metrics in measurements.items():
        for measured, listed in metrics.items() if isinstance(metrics, dict) else ():
            for k, entry in enumerate(listed if isinstance(listed, list) else ()):
                members = entry if isinstance(entry, dict) else {}
                point, values = members.get("point", members.get("coordinate")), members.get("values")
                if "median" in members:
                    values = members["median"]
                yield ("measurements", path_name, measured, k), path_name, measured, point, values


def _numbered_entries(content: Mapping[str, Any]) -> Iterator[Entry]:
    """Those of lists that refer to each other by their ids."""
    paths, metrics = _by_id(content, "callpaths", "name"), _by_id(content, "metrics", "name")
    points = _by_id(content, "coordinates", "parameter_value_pairs")
    for k, entry in enumerate(content["measurements"]):
        members = entry if isinstance(entry, dict) else {}
        pairs = points.get(members.get("coordinate_id"))
        pairs = sorted(pairs, key=_parameter_id) if isinstance(pairs, list) and _are_objects(pairs) else None
        point = pairs and [p.get("parameter_value") for p in pairs]
        named = str(paths.get(members.get("callpath_id"), "")), str(metrics.get(members.get("metric_id"), "time"))
        yield ("measurements", k), *named, point, members.get("value")


def _by_id(content: Mapping[str, Any], key: str, value: str) -> dict[Any, Any]:
    listed = [entry for entry in content[key] if isinstance(entry, dict) and isinstance(entry.get("id"), int | str)]
    return {entry["id"]: entry.get(value) for entry in listed}


def _are_objects(listed: list[Any]) -> bool:
    return all(isinstance(p, dict) for p in listed)


def _parameter_id(pair: Mapping[str, Any]) -> float:
    number = pair.get("parameter_id")
    return float(number) if isinstance(number, int) else 0.0


def is_saved(content: bytes) -> bool:
    """Whether a file is a saved experiment of Extra-P 4: an archive with its JSON."""
    return content.startswith(b"PK\x03\x04") and SAVED.encode() in content


def saved_text(path: str, content: bytes) -> str:
    """The JSON in a saved experiment; `ApetError` where the archive is damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive, archive.open(SAVED) as file:
            text = file.read(MOST_SAVED + 1)
        if len(text) > MOST_SAVED:
            raise ValueError
        return text.decode("utf-8")
    except (zipfile.BadZipFile, KeyError, ValueError, RuntimeError, NotImplementedError, OSError, zlib.error, EOFError):
        problem = f"its archive has no {SAVED} that can be read"
        raise ApetError(errors.UnknownFormat(Source(path, ""), None, problem)) from None
