"""From files or a folder to one curve: which format a file has, which run it is, and what was unusual about it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.notes import Note, NoteKind
from apet.ground.resources import located
from apet.ground.source import Source
from apet.ground.source_files import read_bytes
from apet.runs import errors
from apet.runs.measurements import Curve, Run
from apet.runs.read import (
    benchmarks,
    criterion,
    extrap_json,
    json_points,
    json_runs,
)
from apet.runs.read.checking import LEAST, MOST
from apet.runs.read.experiment_reader import Asked, document_of, is_document, source_of, text_samples
from apet.runs.read.folders import members_of
from apet.runs.read.merging import FileRuns, merged
from apet.runs.read.name_pattern import varying_numbers
from apet.runs.read.profiles import as_profiled, holds_profile, is_profile
from apet.runs.read.samples import SampleSet, as_runs
from apet.runs.read.samples import several as several_parameters
from apet.runs.read.samples import where as fixed

LARGE = 4 * 2**20
"""Characters of a table from which the places of all its cells would fill the memory."""
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE]\+?\d+)?")
_NAMED = re.compile(r"(?:^|[^a-zA-Z])(?:n|N|size|p|P|np|procs|threads|ranks)[=_-]?(\d+(?:\.\d+)?)(?![\d.]*[a-zA-Z])")


@dataclass(frozen=True, slots=True)
class RunsFile:
    """A curve, and what was unusual about its runs, in words."""

    curve: Curve  #: its runs, in seconds
    notes: tuple[Note, ...]  #: what was unusual


class Options(NamedTuple):
    """What a caller may say about the files: which curve, which metric, and which kind where the file says none."""

    curve: str | None
    metric: str | None
    kind: str
    conditions: Mapping[str, str] = {}


def read_runs(
    *paths: str | os.PathLike[str],
    at: Iterable[tuple[float, str]] = (),
    curve: str | None = None,
    metric: str | None = None,
    kind: str = "size",
    where: Mapping[str, str] | None = None,
) -> RunsFile:
    """Measured runs from files, a folder, or a shipped sample: a curve over "size" or "procs", and notes about it. An
    empty `kind` is what the file says.

    `at` gives profiles with their n; `curve` chooses one of several, `metric` one of Extra-P's; `where` fixes further
    parameters at values, as text. `ApetError` with every error, and where more than one parameter varies.
    """
    options, files, profiles = (
        Options(curve, metric, kind, where or {}),
        [os.fspath(located(path)) for path in paths],
        list(at),
    )
    parts = [_read(path, options, len(files) > 1 or bool(profiles)) for path in files]
    parts.append(FileRuns("", "", [_as_run(n, path) for n, path in profiles]))
    readings = [r for part in parts for r in part.runs]
    what = ", ".join([*files, *(p for _, p in profiles)])
    if not readings:
        raise ApetError(errors.NoRuns(None, None, what or "the call", "name a file of runs, or a folder of profiles"))

    units = {part.unit for part in parts if part.runs}
    if len(units) > 1:
        raise ApetError(errors.OtherUnits(None, None, what, " and ".join(sorted(u or "plain numbers" for u in units))))
    unit = units.pop()
    runs, unusual = merged(readings, unit)
    notes = (*dict.fromkeys(note for part in parts for note in part.notes), *unusual)
    own_kind = next((part.kind for part in parts if part.kind), "")
    if own_kind and kind and own_kind != kind:
        notes = (*notes, Note(NoteKind.AXIS, f"these runs are over {_axis(own_kind)}: --kind {own_kind}"))
    name = next((part.name for part in parts if part.name), "") or os.path.basename(os.path.normpath(what))
    return RunsFile(Curve(name, own_kind or kind or "size", runs, unit), notes)


def _axis(kind: str) -> str:
    return "processors" if kind == "procs" else "sizes"


def _read(path: str, options: Options, several: bool) -> FileRuns:
    if os.path.isdir(path):
        return _folder(path, options)
    content = read_bytes(path)
    if is_profile(content):
        if not several:
            raise ApetError(errors.OneProfile(None, None, path))
        return FileRuns("", "", [_as_run(_size(path, [path]), path)])
    return _table_or_curve(source_of(path, content), options)


def _table_or_curve(source: Source, options: Options) -> FileRuns:
    """Curves of JSON have a reader of their own; all else holds samples."""
    if is_document(source):
        document = document_of(source)
        if _is_curve(document.content, options):
            return json_runs.read_curves(document, options.curve, options.metric)

    selection = Asked((), tuple(options.conditions), options.metric, "")
    return _fixed(text_samples(source, selection), options)


def _is_curve(content: object, options: Options) -> bool:
    if extrap_json.is_json(content) or benchmarks.is_benchmark(content) or json_points.has_coordinates(content):
        return False
    if json_points.as_points(content) is not None:
        return False
    return isinstance(content, list) or (json_points.is_points(content) and not options.conditions)


def _fixed(content: SampleSet, options: Options) -> FileRuns:
    """The runs over the one parameter that varies where the conditions hold."""
    chosen = fixed(content, options.conditions)
    if options.curve is not None and options.curve != chosen.name:
        near = nearest(options.curve, [chosen.name])
        raise ApetError(errors.UnknownRunName(chosen.source, None, "curve", options.curve, near, chosen.name or "none"))
    kind, runs = as_runs(chosen)
    return FileRuns(chosen.name, kind, runs, chosen.unit, tuple(chosen.notes))


def _folder(path: str, options: Options) -> FileRuns:
    """Each file, or each folder of a profile, is one run; Criterion's results are many."""
    if holds_profile(path):
        if not os.path.basename(path):
            path = os.path.dirname(path)
        raise ApetError(errors.OneProfile(None, None, path))
    if criterion.is_results(path):
        return _fixed(criterion.read_samples(path, options.metric, ""), options)

    members = members_of(path)
    if not members:
        advised = "put one profile for each n into it, with n in its name"
        raise ApetError(errors.NoRuns(None, None, path, advised))
    varying = varying_numbers([os.path.basename(member) for member in members])
    if len(varying) > 1:
        joined = f"{','.join(varying)} --name-pattern '{_pattern(varying)}'"
        raise ApetError(several_parameters(None, varying).replace(joined=joined))
    readings = list[Run]()
    for member in members:
        content = read_bytes(member) if os.path.isfile(member) else None
        if content is not None and not is_profile(content):
            readings += _table_or_curve(source_of(member, content), options).runs
        else:
            readings.append(_as_run(_size(member, members), member))
    return FileRuns(os.path.basename(os.path.normpath(path)), "", readings)


def _pattern(names: Sequence[str]) -> str:
    return "*".join(f"{name}{{{name}}}" for name in names if name.isalpha()) or "{n}_{P}"


def _as_run(n: float, path: str) -> Run:
    profile = as_profiled(path)
    for what, value in (("n", n), ("the time of all functions", profile.total)):
        if not LEAST <= value <= MOST:
            raise ApetError(errors.BeyondMeasuring(Source(path, ""), None, what, f"{value:.6g}"))
    return Run(n, profile.total, (), profile.functions)


def _size(path: str, others: Sequence[str]) -> float:
    """The n in a name: after n, p or size, else the number in which the names differ."""
    name = os.path.basename(os.path.normpath(path))
    named = _NAMED.findall(name)
    if len(named) == 1:
        return float(named[0])
    numbers = [_NUMBER.findall(os.path.basename(os.path.normpath(o))) for o in others]

    mine = _NUMBER.findall(name)
    if len(mine) == 1:
        number = mine[0]
    else:
        same = {len(x) for x in numbers} == {len(mine)}
        varying = [k for k in range(len(mine)) if same and len({x[k] for x in numbers}) > 1]
        number = mine[varying[0]] if len(varying) == 1 else ""
    if not number or float(number) <= 0:
        raise ApetError(errors.NoSize(None, None, name))
    return float(number)
