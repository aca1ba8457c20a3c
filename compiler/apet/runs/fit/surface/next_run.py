"""Which run to make next: the largest corner that is affordable, else the middle; and designs for a fresh start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from apet.ground.interval import Interval
from apet.runs.experiments import DesignPoint, Experiment
from apet.runs.fit.surface.surface import fit_surface


@dataclass(frozen=True, slots=True)
class NextRun:
    """A run worth its cost: where, its predicted seconds, and the interval at the target before and after it."""

    x: tuple[float, ...]
    seconds: float
    before: Interval
    after: Interval


def next_run(experiment: Experiment, target: Sequence[float], budget: float | None = None) -> NextRun | None:
    """The candidate that narrows the interval at the target most within a budget in seconds; None where none does."""
    measured = {p.x for p in experiment.points}
    candidates = [x for x in _candidates(experiment) if x not in measured]
    fit = fit_surface(experiment, [target, *candidates])
    before, best = fit.predictions[0].interval, None

    for predicted in fit.predictions[1:]:
        if budget is not None and predicted.t > budget:
            continue
        supposed = DesignPoint(predicted.x, predicted.t, (), predicted.phases)
        points = tuple(sorted((*experiment.points, supposed), key=lambda p: p.x))
        more = Experiment(experiment.name, experiment.parameters, points, experiment.constants)
        after = fit_surface(more, [target]).predictions[0].interval
        if _width(after) < _width(best.after if best else before):
            best = NextRun(predicted.x, predicted.t, before, after)
    return best


def _candidates(experiment: Experiment) -> list[tuple[float, ...]]:
    """The corner, the middle, and twice the largest of each parameter."""
    corner = experiment.largest
    middle = tuple(values[len(values) // 2] for values in map(experiment.values, range(len(corner))))
    doubled = [tuple(2 * v if j == k else v for j, v in enumerate(corner)) for k in range(len(corner))]
    return list(dict.fromkeys([corner, middle, *doubled]))


def _width(interval: Interval) -> float:
    return math.log(float(interval.hi) / float(interval.lo))


def few_points(ranges: Sequence[tuple[float, float]]) -> list[tuple[float, ...]]:
    """Few runs that tell most: all corners, the middle, the middles of faces at the largest corner, and one between.

    Two parameters have eight; they predicted as well as all 25 of a grid at half the cost. Values are whole where both
    ends are.
    """
    corners = list(product(*[(low, high) for low, high in ranges]))
    middle = tuple(_at(r, 0.5) for r in ranges)
    faces = [tuple(_at(r, 0.5) if j == k else r[1] for j, r in enumerate(ranges)) for k in range(len(ranges))]
    between = tuple(_at(r, 0.75) for r in ranges)
    return list(dict.fromkeys([*corners, middle, *faces, between]))


def _at(ends: tuple[float, float], part: float) -> float:
    low, high = ends
    value = low * (high / low) ** part
    return float(round(value)) if low == round(low) and high == round(high) else float(f"{value:.4g}")
