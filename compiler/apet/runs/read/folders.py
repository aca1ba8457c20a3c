"""A folder of runs, or several files of one run each: the parameters are in their names, or in the profiles."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence

from apet.ground.diagnostics import ApetError
from apet.runs import errors
from apet.runs.read import criterion
from apet.runs.read.name_pattern import by_pattern, labelled, varying_numbers
from apet.runs.read.profile import ProfiledRun
from apet.runs.read.profiles import as_profiled, holds_profile
from apet.runs.read.samples import WHOLE, SampleSet, Value

Point = Mapping[str, Value]
WHOLE_SHARE = 0.95
"""Of what is around it: a call path that takes less is a part of the run, and not the run."""


def members_of(folder: str) -> list[str]:
    """The files of a folder, and the folders in it that are profiles, in the order of their names."""
    paths = [os.path.join(folder, e) for e in sorted(os.listdir(folder)) if not e.startswith(".")]
    return [path for path in paths if os.path.isfile(path) or holds_profile(path)]


def folder_samples(path: str, parameters: Sequence[str], metric: str | None, pattern: str) -> SampleSet:
    """The samples of Criterion's results, or of profiles, each a run; `parameters` are those that the caller names."""
    if criterion.is_results(path):
        return criterion.read_samples(path, metric, pattern)
    members = members_of(path)
    if not members:
        advised = "put one profile for each point into it, with its parameters in its name"
        raise ApetError(errors.NoRuns(None, None, path, advised))
    return profile_samples(path, members, parameters, pattern)


def profile_samples(what: str, members: Sequence[str], parameters: Sequence[str], pattern: str) -> SampleSet:
    """The samples of profiles of one run each; `what` holds them all. `ApetError`."""
    names = [os.path.basename(os.path.normpath(m)) for m in members]
    named: Sequence[Point] | None = [dict(by_pattern(pattern, n)) for n in names] if pattern else labelled(names)
    profiles = [as_profiled(member) for member in members]
    points = named or _own_points(profiles, parameters)
    if points is None:
        labels = varying_numbers(names)
        raise ApetError(errors.NeedsNamePattern(None, None, what, ", ".join(labels) or "none of one form"))

    samples = SampleSet(os.path.basename(os.path.normpath(what)), tuple(points[0]), None, False)
    tables = [p.paths or {name.replace("/", "|"): t for name, t in p.functions.items()} for p in profiles]
    around = _around(tables)
    for point, profile, paths in zip(points, profiles, tables, strict=True):
        at = tuple(point[n] for n in samples.names)
        samples.add(at, WHOLE, (profile.total,))
        for path, seconds in paths.items():
            if path.startswith(around) and path != around:
                samples.add(at, path[len(around) :], (seconds,))
    return samples


def _own_points(profiles: Sequence[ProfiledRun], parameters: Sequence[str]) -> list[Point] | None:
    """The parameters that all profiles hold: those asked for, else all; None where there are none."""
    shared = [n for n in profiles[0].parameters if all(n in p.parameters for p in profiles)]
    chosen = [n for n in shared if n in parameters] or shared
    return [{n: p.parameters[n] for n in chosen} for p in profiles] if chosen else None


def _around(tables: Sequence[Mapping[str, float]]) -> str:
    """What all paths begin with, such as `main/`: it is the run, as is all that takes nearly as long as what is around
    it."""
    sums = defaultdict[str, float](float)
    for paths in tables:
        for path, seconds in paths.items():
            sums[path] += seconds

    around, whole = "", 0.0
    while True:
        first = {path[len(around) :].partition("/")[0] for path in sums if path.startswith(around)}
        longer = around + min(first, default="")
        inner = any(path.startswith(longer + "/") for path in sums)
        if len(first) != 1 or not inner or sums[longer] < WHOLE_SHARE * whole:
            return around
        around, whole = longer + "/", sums[longer]
