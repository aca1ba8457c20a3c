"""From files or a folder to an experiment: runs over several parameters, whatever wrote them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import parse_document
from apet.ground.notes import Note
from apet.ground.resources import located
from apet.ground.source import Source
from apet.ground.source_files import as_source, read_bytes
from apet.runs import errors
from apet.runs.experiments import Experiment
from apet.runs.read import benchmark_json, extrap, json_points, parameter_table, slurm
from apet.runs.read.folders import folder_samples, profile_samples
from apet.runs.read.profiles import holds_profile, is_profile
from apet.runs.read.samples import SampleSet, experiment, where


@runtime_checkable
class DataFrameLike(Protocol):
    """A table of pandas, or of anything that writes itself as CSV."""

    def to_csv(self, *, index: bool) -> str:
        """The table as text."""


class Asked(NamedTuple):
    """What the caller names: parameters to predict over, those of conditions, the metric, the pattern of names."""

    parameters: Sequence[str]
    conditions: Sequence[str]
    metric: str | None
    pattern: str

    @property
    def names(self) -> tuple[str, ...]:
        """All parameters."""
        return (*self.parameters, *self.conditions)


NOTHING = Asked((), (), None, "")


@dataclass(frozen=True, slots=True)
class ExperimentFile:
    """An experiment, and what was unusual about its runs, in words."""

    experiment: Experiment
    notes: tuple[Note, ...]


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
    `roles` says which are a "size" and which "procs", where names do not; `name_pattern` is for names of files or jobs,
    as in `n{n}_P{P}`. Several files may be profiles of one run each. Raises `ApetError` with every error.
    """
    if not paths:
        raise ApetError(errors.NoRuns(None, None, "the call", "name a file of runs, or a folder of profiles"))
    selection = Asked(parameters, tuple(conditions or ()), metric, name_pattern)
    if len(paths) > 1 and all(map(_is_one_run, paths)):
        runs = [os.fspath(located(path)) for path in paths if not isinstance(path, DataFrameLike)]
        folder = os.path.commonpath([os.path.dirname(os.path.abspath(run)) for run in runs])
        whole = profile_samples(folder, runs, selection.names, name_pattern)
    else:
        whole = _joined([_samples(path, selection) for path in paths])

    first = paths[0]
    whole.name = whole.name or (
        "frame" if isinstance(first, DataFrameLike) else os.path.basename(os.path.normpath(first))
    )
    own, notes = experiment(where(whole, conditions or {}), parameters, roles)
    return ExperimentFile(own, notes)


def _is_one_run(named: str | os.PathLike[str] | DataFrameLike) -> bool:
    """Whether a file or a folder is the profile of one run."""
    if isinstance(named, DataFrameLike):
        return False
    path = os.fspath(located(named))
    return holds_profile(path) if os.path.isdir(path) else is_profile(read_bytes(path))


def _joined(parts: Sequence[SampleSet]) -> SampleSet:
    whole = parts[0]
    for other in parts[1:]:
        whole.joined(other)
    return whole


def _samples(named: str | os.PathLike[str] | DataFrameLike, selection: Asked) -> SampleSet:
    if isinstance(named, DataFrameLike):
        source = Source("frame", named.to_csv(index=False))
        return parameter_table.read_samples(source, selection.parameters, selection.metric, selection.conditions)
    path = os.fspath(located(named))
    if _is_one_run(path):
        raise ApetError(errors.OneProfile(None, None, path))
    if os.path.isdir(path):
        return folder_samples(path, selection.names, selection.metric, selection.pattern)
    return text_samples(as_source(path, read_bytes(path)), selection)


def is_document(source: Source) -> bool:
    """Whether a file is one value of JSON or TOML: JSON Lines are many."""
    text = source.text.lstrip()
    named = source.name.lower().endswith((".json", ".toml"))
    return (named or text[:1] in ("{", "[")) and not extrap.is_lines(text)


def text_samples(source: Source, selection: Asked = NOTHING) -> SampleSet:
    """The samples of a file that holds several runs."""
    text = source.text.lstrip()
    if extrap.is_lines(text):
        return extrap.read_samples(extrap.read_lines(source), selection.metric)
    if is_document(source):
        return _document_samples(source, selection.metric)
    if extrap.is_text(source.text):
        return extrap.read_samples(extrap.read_text(source), selection.metric)
    if slurm.is_accounting(text):
        return slurm.read_samples(source, selection.pattern, selection.names)
    return parameter_table.read_samples(source, selection.parameters, selection.metric, selection.conditions)


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
