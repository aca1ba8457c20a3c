"""From files or a folder to one curve: which format a file has, which run it is, and what was unusual about it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.documents import errors as file_errors
from apet.ground.documents.document import parse_document
from apet.ground.resources import located
from apet.ground.source import Source
from apet.runs.measurements import Curve, Run
from apet.runs.read import errors, extrap, json_runs, nvidia, perf, python_profile, table, tau
from apet.runs.read.merging import FileRuns, merged
from apet.runs.read.profile import ProfiledRun, ProfileReader

MOST_BYTES = 256 * 1024 * 1024
_NUMBER = re.compile(r"\d+(?:\.\d+)?(?:[eE]\+?\d+)?")
_NAMED = re.compile(r"(?:^|[^a-zA-Z])(?:n|N|size|p|P|np|procs|threads|ranks)[=_-]?(\d+(?:\.\d+)?)(?![\d.]*[a-zA-Z])")
_PROFILERS: tuple[ProfileReader, ...] = (tau, perf, python_profile, nvidia)
_HEAD = 65_536
"""Bytes by which a format is recognised."""


@dataclass(frozen=True, slots=True)
class RunsFile:
    """A curve, and what was unusual about its runs, in words."""

    curve: Curve  #: its runs, in seconds
    notes: tuple[str, ...]  #: what was unusual, in words


class Options(NamedTuple):
    """What a caller may say about the files: which curve, which metric, and which kind where the file says none."""

    curve: str | None
    metric: str | None
    kind: str


def read_runs(
    *paths: str | os.PathLike[str],
    at: Iterable[tuple[float, str]] = (),
    curve: str | None = None,
    metric: str | None = None,
    kind: str = "size",
) -> RunsFile:
    """Measured runs from files, a folder, or a shipped sample: a curve over "size" or "procs", and notes about it.

    `at` gives profiles with their n; `curve` chooses one of several, `metric` one of Extra-P's. `ApetError` with every
    error.
    """
    options, files, profiles = Options(curve, metric, kind), [os.fspath(located(path)) for path in paths], list(at)
    parts = [_read(path, options, len(files) > 1 or bool(profiles)) for path in files]
    parts.append(FileRuns("", "", [_as_run(n, _profile(path)) for n, path in profiles]))
    readings = [r for part in parts for r in part.runs]
    what = ", ".join([*files, *(p for _, p in profiles)])
    if not readings:
        raise ApetError(errors.NoRuns(None, None, what or "the call", "name a file of runs, or a folder of profiles"))

    runs, notes = merged(readings)
    known = next((part.kind for part in parts if part.kind), "")
    if known and known != kind:
        verb = "apet speedup" if known == "procs" else "apet extrapolate"
        notes = (*notes, f"kind: these runs are over {_axis(known)}; {verb} is made for them")
    name = next((part.name for part in parts if part.name), "") or os.path.basename(os.path.normpath(what))
    return RunsFile(Curve(name, known or kind, runs), notes)


def _axis(kind: str) -> str:
    return "processors" if kind == "procs" else "sizes"


def _read(path: str, options: Options, several: bool) -> FileRuns:
    if os.path.isdir(path):
        return _folder(path, options)
    content = _content(path)
    if _is_profile(content):
        if not several:
            raise ApetError(errors.OneProfile(None, None, path))
        return FileRuns("", "", [_as_run(_size(path, [path]), _profile(path))])
    return _table_or_curve(_source(path, content), options)


def _table_or_curve(source: Source, options: Options) -> FileRuns:
    text = source.text.lstrip()
    if extrap.is_lines(text):
        return extrap.read_lines(source, options.metric)
    if source.name.lower().endswith((".json", ".toml")) or text[:1] in ("{", "["):
        return _document(source, options)
    if extrap.is_text(source.text):
        return extrap.read_text(source, options.metric)
    return table.read_table(source)


def _document(source: Source, options: Options) -> FileRuns:
    document = parse_document(source)
    if extrap.is_json(document.content):
        return extrap.read_json(document, options.metric)
    if json_runs.is_curve(document.content) or isinstance(document.content, list):
        return json_runs.read_curves(document, options.curve)
    problem = 'it has neither "points" (a curve) nor "measurements" (Extra-P)'
    raise ApetError(errors.UnknownFormat(source, None, problem))


def _folder(path: str, options: Options) -> FileRuns:
    """Each file, or each folder of TAU profiles, is one run."""
    entries = sorted(e for e in os.listdir(path) if not e.startswith("."))
    full = [os.path.join(path, e) for e in entries]
    if tau.profiles_in(path):
        if not os.path.basename(path):
            path = os.path.dirname(path)
        raise ApetError(errors.OneProfile(None, None, path))

    members = [f for f in full if os.path.isfile(f) or tau.profiles_in(f)]
    if not members:
        advised = "put one profile for each n into it, with n in its name"
        raise ApetError(errors.NoRuns(None, None, path, advised))
    readings = list[Run]()
    for member in members:
        content = _content(member) if os.path.isfile(member) else None
        if content is not None and not _is_profile(content):
            readings += _table_or_curve(_source(member, content), options).runs
        else:
            readings.append(_as_run(_size(member, members), _profile(member)))
    return FileRuns(os.path.basename(os.path.normpath(path)), "", readings)


def _is_profile(content: bytes) -> bool:
    return python_profile.is_marshalled(content) or _profiler(content) is not None


def _profiler(content: bytes) -> ProfileReader | None:
    head = content[:_HEAD].decode("utf-8", "replace")
    return next((profiler for profiler in _PROFILERS if profiler.recognises(head)), None)


def _profile(path: str) -> ProfiledRun:
    threads = tau.profiles_in(path)
    if threads:
        return tau.read_threads([_source(t, _content(t)) for t in threads]).shortened()
    content = _content(path)
    if python_profile.is_marshalled(content):
        return python_profile.read_marshalled(path, content).shortened()
    profiler, source = _profiler(content), _source(path, content)
    if profiler is None:
        raise ApetError(errors.UnknownFormat(source, None, "it is no profile"))
    return profiler.read(source).shortened()


def _as_run(n: float, profile: ProfiledRun) -> Run:
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


def _content(path: str) -> bytes:
    try:
        if os.path.isfile(path) and os.path.getsize(path) > MOST_BYTES:
            raise ApetError(file_errors.TooBig(None, None, path, MOST_BYTES // 2**20))
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise ApetError(file_errors.DocumentUnreadable(None, None, path, error.strerror or str(error))) from None


def _source(path: str, content: bytes) -> Source:
    try:
        return Source(path, content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ApetError(file_errors.DocumentNotText(None, None, path, error.start + 1)) from None
