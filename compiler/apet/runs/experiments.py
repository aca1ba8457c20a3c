"""Runs over several parameters, by call path: the data that readers, fits and reports share.

Times are in seconds, other metrics in the unit of the experiment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from apet.runs.measurements import Run

SIZE, PROCESSORS = "size", "procs"
FAR_APART = 3.0
"""Ratio from which repetitions of one point are worth a note."""


class RunParameter(NamedTuple):
    """A parameter that varies over the runs; its role is "size" or "procs" (processors)."""

    name: str
    role: str


class DesignPoint(NamedTuple):
    """Runs at one point: a value for each parameter, above 0; `t` seconds (the median), all repetitions where known,
    and seconds by call path, inclusive, whose parts are separated by `/`."""

    x: tuple[float, ...]
    t: float
    repetitions: tuple[float, ...] = ()
    paths: Mapping[str, float] = {}

    @property
    def scatter(self) -> float:
        """The longest repetition over the shortest."""
        return max(self.repetitions) / min(self.repetitions) if self.repetitions else 1.0


@dataclass(frozen=True, slots=True)
class Experiment:
    """Runs of one program over parameters that all vary; each point once, in ascending order."""

    name: str
    parameters: tuple[RunParameter, ...]
    points: tuple[DesignPoint, ...]
    constants: Mapping[str, float | str]  #: parameters of one value, which the fit does not see
    unit: str = "s"  #: of what was measured; empty for plain numbers

    @property
    def names(self) -> tuple[str, ...]:
        """The parameters, in order."""
        return tuple(p.name for p in self.parameters)

    @property
    def largest(self) -> tuple[float, ...]:
        """The largest value of each parameter: the corner that predictions start from."""
        return tuple(max(p.x[k] for p in self.points) for k in range(len(self.parameters)))

    def values(self, parameter: int) -> tuple[float, ...]:
        """The values of a parameter, ascending, each once."""
        return tuple(sorted({p.x[parameter] for p in self.points}))

    @property
    def paths(self) -> tuple[str, ...]:
        """All call paths."""
        return tuple(dict.fromkeys(path for point in self.points for path in point.paths))

    @property
    def phases(self) -> tuple[str, ...]:
        """The call paths that others do not contain: they make up the run. None where the run was not profiled."""
        paths = dict.fromkeys(self.paths)
        return tuple(path for path in paths if parent(path, paths) is None)

    @property
    def runs(self) -> tuple[Run, ...]:
        """Those of the curve over the first parameter, the only one; n is 1 where there is none."""
        outer = self.phases
        phases = [{path: p.paths[path] for path in outer if path in p.paths} for p in self.points]
        repeated = [p.repetitions if len(p.repetitions) > 1 else () for p in self.points]
        n = [p.x[0] if p.x else 1.0 for p in self.points]
        return tuple(map(Run, n, [p.t for p in self.points], repeated, phases))

    def phase(self, path: str) -> Experiment:
        """The runs of one call path: its time for that of the run, and the paths below it."""
        points = []
        for p in self.points:
            if p.paths.get(path, 0.0) > 0:
                below = {q[len(path) + 1 :]: t for q, t in p.paths.items() if q.startswith(path + "/")}
                points.append(DesignPoint(p.x, p.paths[path], (), below))
        return Experiment(f"{self.name}: {path}", self.parameters, tuple(points), self.constants, self.unit)

    def only(self, keep: Sequence[int]) -> Experiment:
        """The same with some of the points."""
        return replace(self, points=tuple(self.points[k] for k in keep))


def parent(path: str, paths: Mapping[str, object]) -> str | None:
    """The longest of the paths that contains this one, None if there is none."""
    while "/" in path:
        path = path.rpartition("/")[0]
        if path in paths:
            return path
    return None
