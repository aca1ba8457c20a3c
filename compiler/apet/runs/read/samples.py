"""What files of runs hold before anything is chosen: times by point and call path; and how an experiment, or a curve
over one parameter, is made of them."""

from __future__ import annotations

import re
import shlex
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.notes import Note, NoteKind
from apet.ground.source import Source
from apet.runs import errors
from apet.runs.experiments import FAR_APART, PROCESSORS, SIZE, DesignPoint, Experiment, RunParameter, parent
from apet.runs.measurements import Run
from apet.runs.read.parameter_names import is_processors
from apet.runs.read.units import TIME

Value = float | str
Point = tuple[Value, ...]
WHOLE = ""
"""The call path of the whole run."""
INCLUSIVE_WITHIN = 1.05
MOST_LISTED = 8
_THOUSANDS = re.compile(r"(\d+(?:\.\d+)?)([kKMG])(i?)")
MOST_POINTS = 100_000
"""A fit uses few hundred of them."""


@dataclass
class SampleSet:
    """Times in seconds, or values of another metric in its unit, by point and call path (parts separated by `/`, empty
    for the whole run).

    `names` are those of the coordinates of a point; `exclusive` whether times leave out what a path calls, None where
    the file does not say. `source` is what errors point to.
    """

    name: str
    names: tuple[str, ...]
    source: Source | None = None
    exclusive: bool | None = None
    roles: dict[str, str] = field(default_factory=dict)
    times: dict[Point, dict[str, list[float]]] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    unit: str = TIME

    def add(self, point: Point, path: str, seconds: Iterable[float]) -> None:
        """Take in times of one call path at one point."""
        paths = self.times.get(point)
        if paths is None:
            if len(self.times) >= MOST_POINTS:
                raise ApetError(errors.TooManyRunPoints(self.source, None, MOST_POINTS))
            paths = self.times[point] = {}
        paths.setdefault(path, []).extend(seconds)

    def joined(self, other: SampleSet) -> None:
        """Take in those of another file; a parameter that either lacks is an error."""
        if set(other.names) != set(self.names):
            lacking = sorted(set(self.names) ^ set(other.names))
            own = other.name or (other.source.name if other.source else "a folder")
            raise ApetError(errors.OtherParameters(None, None, own, ", ".join(lacking)))
        self.notes += other.notes
        order = [other.names.index(n) for n in self.names]
        for point, paths in other.times.items():
            for path, seconds in paths.items():
                self.add(tuple(point[k] for k in order), path, seconds)

    def values(self, name: str) -> list[Value]:
        """The values of a parameter, each once, ascending."""
        k = self.names.index(name)
        return sorted({p[k] for p in self.times}, key=lambda v: (isinstance(v, str), v))

    def varying(self) -> list[str]:
        """The parameters of more than one value."""
        return [n for n in self.names if len(self.values(n)) > 1]


def where(samples: SampleSet, conditions: Mapping[str, str]) -> SampleSet:
    """The samples at which parameters have the values asked for, as text; `ApetError` where there are none."""
    _check_names(samples, tuple(conditions))
    remaining = samples.times
    for name, text in conditions.items():
        k = samples.names.index(name)
        value = as_value(text)
        remaining = {p: times for p, times in remaining.items() if p[k] == value}
        if not remaining:
            listed = _listed(samples.values(name))
            raise ApetError(errors.NoSuchValue(samples.source, None, name, text, listed))

    return replace(samples, times=remaining)


def chosen_name(source: Source | None, names: Sequence[str], wanted: str | None, what: str = "benchmarks") -> str:
    """The metric or benchmark that is wanted, or the only one; `ApetError` where there are several, or others."""
    if wanted is not None:
        if wanted in names:
            return wanted
        what, near = "metric or benchmark", nearest(wanted, names)
        raise ApetError(errors.UnknownRunName(source, None, what, wanted, near, ", ".join(names)))
    if len(names) > 1:
        listed = ", ".join(names)
        option = f"--metric {shlex.quote(names[0])}"
        raise ApetError(errors.SeveralToChoose(source, None, len(names), what, option, listed))
    return names[0]


def as_value(text: str) -> Value:
    """A coordinate: a number where it is one, also `10K` and `64Ki`."""
    match = _THOUSANDS.fullmatch(text.strip())
    try:
        if match:
            return float(match[1]) * (1024.0 if match[3] else 1000.0) ** (1 + "KMG".index(match[2].upper()))
        return float(text.strip().replace("_", ""))
    except ValueError:
        return text.strip()


def experiment(
    samples: SampleSet, parameters: Sequence[str] = (), roles: Mapping[str, str] | None = None
) -> tuple[Experiment, tuple[Note, ...]]:
    """The experiment over the parameters that vary, and notes; `ApetError` where others vary than those asked for."""
    _check_names(samples, parameters)
    varying = samples.varying()
    for name in varying:
        texts = [v for v in samples.values(name) if isinstance(v, str)]
        if texts:
            raise ApetError(errors.TextParameter(samples.source, None, name, _listed(samples.values(name)), texts[0]))
    extra = [n for n in varying if parameters and n not in parameters]
    if extra:
        raise ApetError(several(samples.source, varying, samples))

    order = [n for n in (parameters or varying) if n in varying]
    own = {**samples.roles, **(roles or {})}
    chosen = tuple(RunParameter(n, own.get(n) or (PROCESSORS if is_processors(n) else SIZE)) for n in order)
    columns = [samples.names.index(n) for n in order]
    constants = {n: samples.values(n)[0] for n in samples.names if n not in order}
    notes = [
        *samples.notes,
        *(Note(NoteKind.CONSTANT, f"{n} is {_shown(constants[n])} in all runs") for n in parameters if n not in order),
    ]

    exclusive = samples.exclusive
    if exclusive is None:
        exclusive = _looks_exclusive(samples)
    points = []
    for point, paths in samples.times.items():
        points.append(_point(tuple(float(point[k]) for k in columns), paths, exclusive))
    points.sort(key=lambda p: p.x)
    _check_totals(samples, points, order)
    notes += _far_apart(points, order, samples.unit)
    return Experiment(samples.name, chosen, tuple(points), constants, samples.unit), tuple(notes)


def _check_totals(samples: SampleSet, points: Sequence[DesignPoint], names: Sequence[str]) -> None:
    """`ApetError` where a run takes no time; some of its call paths may."""
    for p in points:
        if not min(p.t, *p.repetitions, p.t) > 0:
            what = "the time" if samples.unit == TIME else "the value"
            at = ", ".join(f"{n} = {v:.12g}" for n, v in zip(names, p.x, strict=True))
            raise ApetError(errors.NotPositive(samples.source, None, f"{what} at {at}" if at else what, "0"))


def as_runs(samples: SampleSet) -> tuple[str, list[Run]]:
    """The kind and the runs of samples in which one parameter varies; `ApetError` where several do."""
    varying = samples.varying()
    if len(varying) > 1:
        raise ApetError(several(samples.source, varying, samples))
    name = (varying or list(samples.names))[:1]
    if not name:
        raise ApetError(errors.OneRunEach(samples.source, None, "no run names one"))

    own, _ = experiment(samples, name if varying else ())
    order = [point[samples.names.index(name[0])] for point in samples.times]
    if any(a > b for a, b in pairwise(order)):  # type: ignore[operator]
        samples.notes.append(Note(NoteKind.UNSORTED, "the runs were put in the order of n"))
    first = next(iter(samples.times))[samples.names.index(name[0])]
    alone = first if isinstance(first, float) and first > 0 else 1.0
    runs = [run if varying else run._replace(n=alone) for run in own.runs]
    return samples.roles.get(name[0]) or (PROCESSORS if is_processors(name[0]) else ""), runs


def several(source: Source | None, names: Sequence[str], samples: SampleSet | None = None) -> errors.SeveralParameters:
    """The error where more than one parameter varies: the names, and the ways out."""
    last = names[-1]
    value = "1" if samples is None else _shown(samples.values(last)[0])
    return errors.SeveralParameters(source, None, len(names), ", ".join(names), f"{last}={value}", ",".join(names))


def _check_names(samples: SampleSet, parameters: Sequence[str]) -> None:
    for name in parameters:
        if name not in samples.names:
            listed = ", ".join(samples.names) or "none"
            what = ("parameter", name, nearest(name, samples.names), listed)
            raise ApetError(errors.UnknownRunName(samples.source, None, *what))


def _point(x: tuple[float, ...], paths: Mapping[str, list[float]], exclusive: bool) -> DesignPoint:
    """Medians; what no root holds is the sum of the outermost paths."""
    middle = {path: statistics.median(seconds) for path, seconds in paths.items() if path}
    if exclusive:
        middle = _inclusive(middle)
    repetitions = tuple(paths.get(WHOLE, ()))
    if repetitions:
        return DesignPoint(x, statistics.median(repetitions), repetitions, middle)

    outer = [path for path in middle if parent(path, middle) is None]
    counts = {len(paths[path]) for path in outer if path in paths}
    if len(counts) == 1 and not exclusive:
        repetitions = tuple(sum(paths[path][k] for path in outer) for k in range(counts.pop()))
    total = sum(middle[path] for path in outer)

    if len(outer) == 1:  # a root: its children are the phases
        root = outer[0]
        middle = {path[len(root) + 1 :]: t for path, t in middle.items() if path != root}
    return DesignPoint(x, statistics.median(repetitions) if repetitions else total, repetitions, middle)


def _inclusive(own: Mapping[str, float]) -> dict[str, float]:
    """Own times with those of all paths below."""
    total = dict(own)
    for path, seconds in own.items():
        above = parent(path, own)
        while above is not None:
            total[above] += seconds
            above = parent(above, own)
    return total


def _looks_exclusive(samples: SampleSet) -> bool:
    """Whether what paths call adds up to more than they take themselves, at most points."""
    over = sum(_is_over(paths) for paths in samples.times.values())
    return 2 * over > len(samples.times)


def _is_over(paths: Mapping[str, list[float]]) -> bool:
    middle = {path: statistics.median(seconds) for path, seconds in paths.items() if path}
    below = dict[str, float]()
    for path, seconds in middle.items():
        above = parent(path, middle)
        if above is not None:
            below[above] = below.get(above, 0.0) + seconds
    return any(total > INCLUSIVE_WITHIN * middle[path] for path, total in below.items())


def _far_apart(points: Sequence[DesignPoint], names: Sequence[str], unit: str) -> list[Note]:
    """A note where repetitions differ by a factor that no prediction survives."""
    far = [p for p in points if p.scatter > FAR_APART]
    if not far:
        return []
    worst = max(far, key=lambda p: p.scatter)
    at = ", ".join(f"{n} = {v:.12g}" for n, v in zip(names, worst.x, strict=True))
    ends = f"{min(worst.repetitions):.4g} to {max(worst.repetitions):.4g} {unit}".rstrip()
    count = "1 point differ" if len(far) == 1 else f"{len(far)} points differ"
    text = f"those of {count} by more than {FAR_APART:g} times, at {at} {ends}; intervals are of medians"
    return [Note(NoteKind.REPETITIONS, text)]


def _listed(values: Sequence[Value]) -> str:
    more = ", …" if len(values) > MOST_LISTED else ""
    return ", ".join(_shown(v) for v in values[:MOST_LISTED]) + more


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else f"{value:.12g}"
