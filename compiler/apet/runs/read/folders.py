"""A folder of runs, or several files of one run each: the parameters are in their names, or in the profiles."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.runs import errors
from apet.runs.read.checking import LEAST, MOST
from apet.runs.read.name_pattern import by_pattern, labelled, only_numbers, varying_numbers
from apet.runs.read.profile import ProfiledRun
from apet.runs.read.profiles import as_profiled, holds_profile
from apet.runs.read.samples import WHOLE, SampleSet, Value
from apet.runs.read.sources import Asked

Point = Mapping[str, Value]
WHOLE_SHARE = 0.95
"""Of what is around it: a call path that takes less is a part of the run, and not the run."""


def members_of(folder: str) -> list[str]:
    """The files of a folder, and the folders in it that are profiles, in the order of their names."""
    paths = [os.path.join(folder, e) for e in sorted(os.listdir(folder)) if not e.startswith(".")]
    return [path for path in paths if os.path.isfile(path) or holds_profile(path)]


def profile_samples(what: str, members: Sequence[str], asked: Asked, size: str = "n") -> SampleSet:
    """The samples of profiles of one run each; `what` holds them all, and `size` is what a number without a label is
    called. `ApetError`."""
    names = [os.path.basename(os.path.normpath(m)) for m in members]
    profiles = [as_profiled(member) for member in members]
    by_name = [by_pattern(asked.pattern, name) for name in names] if asked.pattern else labelled(names)
    points: Sequence[Point] | None = (
        by_name or _own_points(profiles, asked.names if asked.parameters else ()) or only_numbers(names, size)
    )
    if points is None:
        labels = varying_numbers(names)
        if len(labels) < 2:
            raise ApetError(errors.NoSize(None, None, names[0]))
        raise ApetError(errors.NeedsNamePattern(None, None, what, ", ".join(labels)))
    return _samples(os.path.basename(os.path.normpath(what)), members, points, profiles)


def samples_at(at: Sequence[tuple[float, str]], size: str) -> SampleSet:
    """The samples of profiles with their n."""
    return _samples(
        "", [path for _, path in at], [{size: float(n)} for n, _ in at], [as_profiled(path) for _, path in at]
    )


def _samples(name: str, members: Sequence[str], points: Sequence[Point], profiles: Sequence[ProfiledRun]) -> SampleSet:
    samples = SampleSet(name, tuple(points[0]), None, False)
    tables = [p.paths or {name.replace("/", "|"): t for name, t in p.functions.items()} for p in profiles]
    around = _around(tables)
    for member, point, profile, paths in zip(members, points, profiles, tables, strict=True):
        at = tuple(point[n] for n in samples.names)
        for title, value in (*point.items(), ("the time of all functions", profile.total)):
            if isinstance(value, float) and not LEAST <= value <= MOST:
                raise ApetError(errors.BeyondMeasuring(Source(member, ""), None, title, f"{value:.6g}"))
        samples.add(at, WHOLE, (profile.total,))
        for path, seconds in paths.items():
            if path.startswith(around) and path != around:
                samples.add(at, path[len(around) :], (seconds,))
    return samples


def _own_points(profiles: Sequence[ProfiledRun], parameters: Sequence[str]) -> list[dict[str, Value]] | None:
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
