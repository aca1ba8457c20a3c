"""What the small charts of a call path show: its seconds against each parameter, measured and by its formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from apet.runs.experiments import Experiment
from apet.runs.fit.surface.call_tree import CallPathFit

STEPS = 16


class PathPanel(NamedTuple):
    """Seconds against one parameter, the others at their largest measured values."""

    parameter: str
    measured: tuple[tuple[float, float], ...]
    fitted: tuple[tuple[float, float], ...]


def panels(experiment: Experiment, row: CallPathFit, target: Sequence[float]) -> Iterator[PathPanel]:
    """One for each parameter, from its smallest value to that of the target; times of 0 are left out."""
    corner = experiment.largest
    for k, name in enumerate(experiment.names):
        measured = [
            (p.x[k], p.paths.get(row.path, 0.0))
            for p in experiment.points
            if all(v == c for j, (v, c) in enumerate(zip(p.x, corner, strict=True)) if j != k)
        ]
        low, high = experiment.values(k)[0], max(target[k], corner[k])
        steps = [low * (high / low) ** (i / (STEPS - 1)) for i in range(STEPS)]
        fitted = [(v, row.law.seconds([v if j == k else c for j, c in enumerate(corner)])) for v in steps]
        yield PathPanel(name, tuple(p for p in measured if p[1] > 0), tuple(p for p in fitted if p[1] > 0))
