"""Measured runs from files, a folder, or a frame of pandas: as a curve over one parameter, or as an experiment."""

from __future__ import annotations

import math
import os
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.notes import Note, NoteKind
from apet.ground.resources import located
from apet.ground.source import Source
from apet.ground.source_files import read_bytes
from apet.runs import errors
from apet.runs.experiments import Experiment
from apet.runs.measurements import Curve, Run
from apet.runs.read import criterion, parameter_table, slurm
from apet.runs.read.folders import members_of, profile_samples, samples_at
from apet.runs.read.profiles import holds_profile, is_profile
from apet.runs.read.samples import SampleSet, as_runs, experiment, where
from apet.runs.read.sources import Asked, source_of, text_samples

FAR_OFF = 1.5
"""Ratio from which a repetition is worth a note: other work on the machine makes it."""
MEASURED_TWICE = 2


@runtime_checkable
class DataFrameLike(Protocol):
    """A table of pandas, or of anything that writes itself as CSV."""

    def to_csv(self, *, index: bool) -> str:
        """The table as text."""


Named = str | os.PathLike[str] | DataFrameLike


@dataclass(frozen=True, slots=True)
class RunsFile:
    """A curve, and what was unusual about its runs, in words."""

    curve: Curve  #: its runs, in seconds
    notes: tuple[Note, ...]  #: what was unusual


@dataclass(frozen=True, slots=True)
class ExperimentFile:
    """An experiment, and what was unusual about its runs, in words."""

    experiment: Experiment
    notes: tuple[Note, ...]


def read_runs(
    *paths: Named,
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
    conditions = where or {}
    whole = _whole(paths, Asked((), tuple(conditions), metric, "", curve), conditions, tuple(at))
    if curve is not None and curve != whole.name:
        near = nearest(curve, [whole.name])
        raise ApetError(errors.UnknownRunName(whole.source, None, "curve", curve, near, whole.name or "none"))
    own_kind, runs = as_runs(whole)
    notes = (*dict.fromkeys(whole.notes), *far_off(runs, whole.unit))
    if own_kind and kind and own_kind != kind:
        over = "processors" if own_kind == "procs" else "sizes"
        notes = (*notes, Note(NoteKind.AXIS, f"these runs are over {over}: --kind {own_kind}"))
    return RunsFile(Curve(whole.name, own_kind or kind or "size", tuple(runs), whole.unit), notes)


def read_experiment(
    *paths: Named,
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
    selection = Asked(parameters, tuple(conditions or ()), metric, name_pattern)
    own, notes = experiment(_whole(paths, selection, conditions or {}), parameters, roles)
    return ExperimentFile(own, notes)


def _whole(
    named: Sequence[Named], asked: Asked, conditions: Mapping[str, str], at: Sequence[tuple[float, str]] = ()
) -> SampleSet:
    """The samples of all files, and of profiles `at` an n each, where the conditions hold."""
    tables = [name if isinstance(name, DataFrameLike) else os.fspath(located(name)) for name in named]
    profiles = [name for name in tables if isinstance(name, str) and _is_one_run(name)]
    if len(profiles) == len(tables) == 1 and not at:
        raise ApetError(errors.OneProfile(None, None, profiles[0].rstrip(os.sep)))

    parts = [_alone(name, asked) for name in tables if name not in profiles]
    size = parts[0].names[0] if parts and len(parts[0].names) == 1 else "n"
    if profiles:
        folder = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in profiles])
        parts.append(profile_samples(folder, profiles, asked, size))
    if at:
        parts.append(samples_at(at, size))
    if not parts:
        raise ApetError(errors.NoRuns(None, None, "the call", "name a file of runs, or a folder of profiles"))

    files = [*(name if isinstance(name, str) else "frame" for name in tables), *(path for _, path in at)]
    units = sorted({part.unit or "plain numbers" for part in parts})
    if len(units) > 1:
        raise ApetError(errors.OtherUnits(None, None, ", ".join(files), " and ".join(units)))
    whole = joined(parts)
    whole.name = whole.name or os.path.basename(os.path.normpath(", ".join(files)))
    return where(whole, conditions)


def joined(parts: Sequence[SampleSet]) -> SampleSet:
    """The samples of all, in the first one."""
    for other in parts[1:]:
        parts[0].joined(other)
    return parts[0]


def _is_one_run(path: str) -> bool:
    """Whether a file or a folder is the profile of one run."""
    return holds_profile(path) if os.path.isdir(path) else is_profile(read_bytes(path))


def _samples(named: str | DataFrameLike, asked: Asked) -> SampleSet:
    if isinstance(named, DataFrameLike):
        source = Source("frame", named.to_csv(index=False))
        return parameter_table.read_samples(source, asked.parameters, asked.metric, asked.conditions)
    if os.path.isdir(named):
        return _folder(named, asked)
    return text_samples(source_of(named, read_bytes(named)), asked)


def _alone(named: str | DataFrameLike, asked: Asked) -> SampleSet:
    """The samples of what the call names; a pattern is for names of files in a folder, or of jobs."""
    if asked.pattern and isinstance(named, str) and not os.path.isdir(named):
        source = source_of(named, read_bytes(named))
        if not slurm.is_accounting(source.text):
            raise ApetError(errors.NeedlessPattern(source, None))
    return _samples(named, asked)


def _folder(path: str, asked: Asked) -> SampleSet:
    """Each file, or each folder of a profile, is one run, or holds several; Criterion's results are many."""
    if criterion.is_results(path):
        return criterion.read_samples(path, asked.metric, asked.pattern)
    members = members_of(path)
    profiles = [member for member in members if _is_one_run(member)]
    parts = [_samples(member, asked) for member in members if member not in profiles]
    if profiles:
        parts.append(profile_samples(path, profiles, asked, parts[0].names[0] if parts else "n"))
    if not parts:
        advised = "put one profile for each point into it, with its parameters in its name"
        raise ApetError(errors.NoRuns(None, None, path, advised))
    whole = joined(parts)
    whole.name = os.path.basename(os.path.normpath(path))
    return whole


def far_off(runs: Sequence[Run], unit: str) -> list[Note]:
    """Repetitions a factor of 1.5 or more from the median of the others, if those agree with each other.

    Only the longest or the shortest can be such: from any other one those two are apart by more.
    """
    notes = []
    for run in runs:
        if len(run.repetitions) <= MEASURED_TWICE:
            continue
        ordered = sorted(run.repetitions)
        for time, others in ((ordered[-1], ordered[:-1]), (ordered[0], ordered[1:])):
            middle = statistics.median(others)
            ratio = max(time, middle) / min(time, middle)
            if ratio >= FAR_OFF and math.log(ratio) > 3 * math.log(others[-1] / others[0]):
                one = f"one of {len(run.repetitions)} runs at n = {run.n:.12g} took {time:.4g} {unit}".rstrip()
                notes.append(Note(NoteKind.REPETITIONS, f"{one}, the others about {middle:.4g} {unit}".rstrip()))
    return notes
