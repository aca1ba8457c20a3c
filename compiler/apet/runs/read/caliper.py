"""Profiles of Caliper in its format json-split, or as it records: rows of values, and the tree of their regions.

D. Boehme et al., Caliper: performance introspection for HPC software stacks, 2016. `{"data": [[…]], "columns": […],
"column_metadata": [{"is_value"}], "nodes": [{"label", "column", "parent"}]}`; other keys are globals, such as those of
Adiak: the parameters of the run.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import Document, parse_document
from apet.ground.documents.key_paths import KeyPath
from apet.ground.documents.places import Locator
from apet.ground.source import Source, Span
from apet.runs.read import cali, units
from apet.runs.read.checking import MOST
from apet.runs.read.parameter_names import IGNORED, TIMES
from apet.runs.read.profile import CallNode, LoopedCallersError, ProfiledRun, broken, of_call_tree

_START = re.compile(r'\s*\{\s*"data"\s*:\s*\[\s*\[')
TREES = ("path", "source.function#callpath.address")
"""Columns that point into the tree: regions, else functions as sampled."""
RANK = "mpi.rank"
_DURATION = re.compile(r"time\.(?:inclusive\.)?duration|^time\b|\btime/rank", re.IGNORECASE)
_INCLUSIVE = re.compile(r"inclusive|\((?:inc|i)\)", re.IGNORECASE)
_OF_RANKS = re.compile(r"(min|max|total|variance|percent)\b", re.IGNORECASE)
"""Columns of reports over ranks that are not their mean."""
UNITS = {**units.SECONDS, "nanosecond": 1e-9, "microsecond": 1e-6}
MICROSECONDS, NANOSECONDS = 1e-6, 1e-9
"""Durations without a unit: those that end in `.ns`, and all others, as Caliper measured before it wrote units."""
NO_PARAMETER = frozenset((*IGNORED, *TIMES, "launchdate", "launchday", "systime", "cputime", "uid"))
Seconds = dict[int, float]


class _TimeColumns(NamedTuple):
    """Where times are in a row, seconds in their unit, and whether they are with what a region calls."""

    place: int
    factor: float
    inclusive: bool


class _Tree(NamedTuple):
    """The regions: labels, and the number of the one around each."""

    labels: list[str]
    callers: list[int | None]


class _NoPlaces(Locator):
    """Of a table that is not written as it is read."""

    def value(self, path: KeyPath) -> Span | None:
        """None: the whole file is meant."""
        return None


def recognises(text: str) -> bool:
    """Whether a text begins as json-split does, or as records do."""
    return text.startswith(cali.BEGINNING) or _START.match(text) is not None


def read(source: Source) -> ProfiledRun:
    """Seconds by region as means over ranks; the run is the longest rank's."""
    records = source.text.startswith(cali.BEGINNING)
    document = Document(source, cali.content(source), _NoPlaces(source, "JSON")) if records else parse_document(source)
    tree, column = _tree(document), _time_column(document)
    by_rank = _by_rank(document, tree, column)
    own = [_own(seconds, tree) if column.inclusive else seconds for seconds in by_rank.values()]
    total = max((sum(seconds.values()) for seconds in own), default=0.0)
    if not total > 0:
        raise broken(source, "Caliper", "it holds no times of regions", None)

    means = defaultdict[int, float](float)
    for seconds in own:
        for node, value in seconds.items():
            means[node] += value / len(own)
    used = [CallNode(tree.labels[k], tree.callers[k], means.get(k, 0.0)) for k in range(len(tree.labels))]
    try:
        return of_call_tree(used, total, _parameters(document.content))
    except LoopedCallersError:
        raise _broken(document, ("nodes",), "its regions contain each other") from None


def _broken(document: Document, path: KeyPath, problem: str) -> ApetError:
    return broken(document.source, "Caliper", problem, document.locator.value(path))


def _list(document: Document, key: str) -> list[Any]:
    value = document.content.get(key)
    if not isinstance(value, list):
        raise _broken(document, (key,) if value is not None else (), f"it has no list of {key}")
    return value


def _tree(document: Document) -> _Tree:
    nodes = _list(document, "nodes")
    for number, node in enumerate(nodes):
        caller = node.get("parent") if isinstance(node, dict) else -1
        if caller is not None and not (isinstance(caller, int) and 0 <= caller < len(nodes)):
            raise _broken(document, ("nodes", number), "this is no node, or its parent is none")
    return _Tree([str(n.get("label", "")) or "unknown" for n in nodes], [n.get("parent") for n in nodes])


def _time_column(document: Document) -> _TimeColumns:
    """The mean time by rank, with what regions call where there is a choice."""
    names, metadata = _list(document, "columns"), _list(document, "column_metadata")
    candidates = list[tuple[bool, _TimeColumns]]()
    for place, (name, about) in enumerate(zip(names, metadata, strict=False)):
        about = about if isinstance(about, dict) else {}
        alias = str(about.get("attribute.alias", name))
        unit = str(about.get("attribute.unit", "")).lower()
        if about.get("is_value") is not True or not (_DURATION.search(str(name)) or _DURATION.search(alias)):
            continue
        factor = UNITS.get(unit, NANOSECONDS if str(name).endswith(".ns") else MICROSECONDS)
        inclusive = _INCLUSIVE.search(f"{name} {alias}") is not None
        extreme = _OF_RANKS.match(str(name)) is not None or _OF_RANKS.match(alias) is not None
        candidates.append((extreme, _TimeColumns(place, factor, inclusive)))

    if not candidates:
        listed = ", ".join(map(str, names))
        raise _broken(document, ("columns",), f"no column is a time: {listed}")
    return min(candidates, key=lambda c: (c[0], not c[1].inclusive))[1]


def _by_rank(document: Document, tree: _Tree, column: _TimeColumns) -> dict[int, Seconds]:
    """Seconds by rank and region, as they stand in the rows; rows of no region do not count."""
    names = [str(name) for name in _list(document, "columns")]
    path = next((names.index(name) for name in TREES if name in names), None)
    if path is None:
        raise _broken(document, ("columns",), f"no column is a path: {', '.join(names)}")
    rank = names.index(RANK) if RANK in names else None

    by_rank = dict[int, Seconds]()
    for number, row in enumerate(_list(document, "data")):
        if not isinstance(row, list) or len(row) != len(names):
            raise _broken(document, ("data", number), f"this row has not {len(names)} values, as there are columns")
        node, value = row[path], row[column.place]
        if node is None or value is None:
            continue
        if not (isinstance(node, int) and 0 <= node < len(tree.labels)):
            raise _broken(document, ("data", number, path), "this is the number of no node")
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value * column.factor < MOST:
            raise _broken(document, ("data", number, column.place), "this is no time")
        own = row[rank] if rank is not None else 0
        seconds = by_rank.setdefault(own if isinstance(own, int) else 0, {})
        seconds[node] = seconds.get(node, 0.0) + value * column.factor
    return by_rank


def _own(inclusive: Mapping[int, float], tree: _Tree) -> Seconds:
    """Times without what regions call: clocks may let the parts be a little longer than the whole."""
    own = dict(inclusive)
    for node, seconds in inclusive.items():
        caller = tree.callers[node]
        if caller in own:
            own[caller] -= seconds
    return {node: max(seconds, 0.0) for node, seconds in own.items()}


def _parameters(content: Mapping[str, Any]) -> dict[str, float | str]:
    """Globals that are numbers, but for those that say when and how was measured."""
    return dict(_numbers(content))


def _numbers(content: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for name, value in content.items():
        if name.lower() in NO_PARAMETER or name.startswith("cali.") or isinstance(value, bool):
            continue
        try:
            number = float(value) if isinstance(value, int | float | str) else -1.0
        except (ValueError, OverflowError):
            continue
        if 0 < number < MOST:
            yield name, number
