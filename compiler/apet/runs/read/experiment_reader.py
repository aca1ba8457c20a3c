"""From files or a folder to an experiment: runs over several parameters, whatever wrote them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import parse_document
from apet.ground.resources import located
from apet.ground.source import Source
from apet.ground.source_files import as_source, read_bytes
from apet.runs import errors
from apet.runs.experiments import Experiment
from apet.runs.read import benchmark_json, extrap, json_points, parameter_table, tau
from apet.runs.read.name_pattern import by_pattern, varying_numbers
from apet.runs.read.reader import as_profiled, is_profile
from apet.runs.read.samples import WHOLE, SampleSet, experiment, where


@runtime_checkable
class DataFrameLike(Protocol):
    """A table of pandas, or of anything that writes itself as CSV."""

    def to_csv(self, *, index: bool) -> str:
        """The table as text."""


@dataclass(frozen=True, slots=True)
class ExperimentFile:
    """An experiment, and what was unusual about its runs, in words."""

    experiment: Experiment
    notes: tuple[str, ...]


def read_experiment(
    *paths: str | os.PathLike[str] | DataFrameLike,
    parameters: Sequence[str] = (),
    conditions: Mapping[str, str] | None = None,
    roles: Mapping[str, str] | None = None,
    metric: str | None = None,
    name_pattern: str = "",
) -> ExperimentFile:
    """Measured runs over several parameters from files, a folder, a shipped sample, or a frame
    of pandas.

    `parameters` are those to predict over (all that vary where empty), `conditions` fix others at values, as text;
    `roles` says which are a "size" and which "procs", where names do not; `name_pattern` is for names of files, as in
    `n{n}_P{P}`. Raises `ApetError` with every error.
    """
    if not paths:
        raise ApetError(errors.NoRuns(None, None, "the call", "name a file of runs, or a folder of profiles"))
    read = [_samples(path, parameters, metric, name_pattern, tuple(conditions or ())) for path in paths]
    whole = read[0]
    for other in read[1:]:
        whole.joined(other)

    first = paths[0]
    whole.name = whole.name or (
        "frame" if isinstance(first, DataFrameLike) else os.path.basename(os.path.normpath(first))
    )
    own, notes = experiment(where(whole, conditions or {}), parameters, roles)
    return ExperimentFile(own, notes)


def _samples(
    named: str | os.PathLike[str] | DataFrameLike,
    parameters: Sequence[str],
    metric: str | None,
    pattern: str,
    also: Sequence[str],
) -> SampleSet:
    if isinstance(named, DataFrameLike):
        return parameter_table.read_samples(Source("frame", named.to_csv(index=False)), parameters, metric, also)
    path = os.fspath(located(named))
    if os.path.isdir(path):
        return folder_samples(path, parameters, metric, pattern)
    content = read_bytes(path)
    if is_profile(content):
        raise ApetError(errors.OneProfile(None, None, path))
    return text_samples(as_source(path, content), parameters, metric, also)


def text_samples(
    source: Source, parameters: Sequence[str] = (), metric: str | None = None, also: Sequence[str] = ()
) -> SampleSet:
    """The samples of a file that holds several runs; `also` names parameters of conditions."""
    text = source.text.lstrip()
    if extrap.is_lines(text):
        return extrap.read_samples(extrap.read_lines(source), metric)
    if source.name.lower().endswith((".json", ".toml")) or text[:1] in ("{", "["):
        return _document_samples(source, metric)
    if extrap.is_text(source.text):
        return extrap.read_samples(extrap.read_text(source), metric)
    return parameter_table.read_samples(source, parameters, metric, also)


def _document_samples(source: Source, metric: str | None) -> SampleSet:
    document = parse_document(source)
    content = document.content
    if extrap.is_json(content):
        return extrap.read_samples(extrap.read_json(document), metric)
    if benchmark_json.is_benchmark(content):
        return benchmark_json.read_samples(document, metric)
    if isinstance(content, list) and len(content) == 1 and json_points.is_points(content[0]):
        return json_points.read_samples(document, content[0], (0,))
    if json_points.is_points(content):
        return json_points.read_samples(document, content)
    problem = 'it has neither "points" nor "measurements" (Extra-P), nor is it of a known runner of benchmarks'
    raise ApetError(errors.UnknownFormat(source, None, problem))


def folder_samples(path: str, parameters: Sequence[str], metric: str | None, pattern: str) -> SampleSet:
    """Each file of a folder, or each folder of TAU profiles, is one run, whose parameters are in its name."""
    full = [os.path.join(path, e) for e in sorted(os.listdir(path)) if not e.startswith(".")]
    members = [f for f in full if os.path.isfile(f) or tau.profiles_in(f)]
    if not members:
        advised = "put one profile for each point into it, with its parameters in its name"
        raise ApetError(errors.NoRuns(None, None, path, advised))
    names = [os.path.basename(m) for m in members]
    if not pattern:
        labels = varying_numbers(names)
        raise ApetError(errors.NeedsNamePattern(None, None, path, ", ".join(labels) or "none of one form"))

    folder: SampleSet | None = None
    for member, name in zip(members, names, strict=True):
        point = by_pattern(pattern, name)
        if point is None:
            raise ApetError(errors.NoMatch(None, None, name, pattern))
        if folder is None:
            folder = SampleSet(os.path.basename(os.path.normpath(path)), tuple(point), None, False)
        profile = as_profiled(member)
        at = tuple(point[n] for n in folder.names)
        folder.add(at, WHOLE, (profile.total,))
        for function, seconds in profile.functions.items():
            folder.add(at, function.replace("/", "|"), (seconds,))
    assert folder is not None
    return folder
