"""The phases of a run, and the fit of one: what is small beside the run is known only roughly, and may be absent."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apet.runs.experiments import PROCESSORS, DesignPoint, Experiment
from apet.runs.fit.surface.average import Averaged, CurveData, averaged
from apet.runs.fit.surface.term_library import Array, TermLibrary

SMALL_SHARE = 0.03
"""Phases that are nowhere a larger part of the run are one."""
SMALL, OTHER = "small phases", "the rest"
ABSENT = 1e-9
"""Of the run: shorter phases count as this."""
REPETITION_NOISE = 1.5
PHASE_NOISE, MOST_PHASE_NOISE = 0.003, 0.25
"""Relative to the whole run: below such a share a phase is drowned in noise."""
LEAST_OTHERS = 2
"""Points beyond one for each parameter that a fit needs."""
AS_EXPECTED, UNEXPLAINED = 1.0, 1.5
"""The misfit that noise alone leads to; that no law in the library explains."""
OVERLAP = 1.05
"""Phases that add up to more of the run overlap: their sum says nothing."""


def repetition_noise(points: Sequence[DesignPoint]) -> Array:
    """Variances of ln t at the points, from the pooled deviation of all repetitions."""
    squares, freedom = 0.0, 0
    for point in points:
        if len(point.repetitions) > 1:
            logs = np.log(point.repetitions)
            squares += float(((logs - logs.mean()) ** 2).sum())
            freedom += len(logs) - 1
    pooled = squares / freedom if freedom else 0.0
    return np.array([REPETITION_NOISE * pooled / max(len(p.repetitions), 1) for p in points])


def phase_seconds(experiment: Experiment) -> dict[str, Array]:
    """Seconds of phases at the points, what is left included; none where the phases overlap, or there is but one."""
    names, points = experiment.phases, experiment.points
    whole = np.array([p.t for p in points])
    table = {name: np.array([p.paths.get(name, 0.0) for p in points]) for name in names}
    total = sum(table.values(), np.zeros(len(points)))
    if not names or np.median(total / whole) > OVERLAP:
        return {}

    rest = whole - total
    if np.max(rest / whole) > SMALL_SHARE and np.median(rest) > 0:
        table[OTHER] = np.maximum(rest, 0.0)
    large = {n: s for n, s in table.items() if np.max(s / whole) >= SMALL_SHARE}
    small = [s for n, s in table.items() if n not in large]
    if small and float(np.max(sum(small) / whole)) > ABSENT:
        large[SMALL] = np.sum(small, axis=0)
    if len(large) < 2:
        return {}
    return {name: np.maximum(seconds, ABSENT * whole) for name, seconds in large.items()}


def fitted_whole(experiment: Experiment, run: CurveData, targets: Array, terms: TermLibrary) -> Averaged:
    """The prediction of the whole run; without the runs on a single processor where nothing explains them with the
    others."""
    return _fitted(run, targets, terms, _alone(experiment, run.x), UNEXPLAINED)


def fitted_phase(experiment: Experiment, run: CurveData, own: Array, targets: Array, terms: TermLibrary) -> Averaged:
    """The prediction of a phase that takes `own` seconds of the runs; without the runs on a single processor in which
    it is absent, where these spoil its fit."""
    own = np.maximum(own, ABSENT * run.seconds)
    extra = np.minimum((PHASE_NOISE * (run.seconds / own - 1)) ** 2, MOST_PHASE_NOISE)
    absent = _alone(experiment, run.x) & (own < PHASE_NOISE * run.seconds)
    return _fitted(CurveData(run.x, own, run.noise + extra), targets, terms, absent, AS_EXPECTED)


def _fitted(data: CurveData, targets: Array, terms: TermLibrary, apart: NDArray[np.bool_], most: float) -> Averaged:
    """The prediction from all points; from those that are not `apart`, where its misfit is above `most` and less there.

    A single processor sends no messages: no sum of terms can follow what begins with the second one.
    """
    fit = averaged(data, targets, terms)
    left = len(apart) - int(apart.sum())
    if fit.scale <= most or not data.x.shape[1] + LEAST_OTHERS <= left < len(apart):
        return fit
    other = averaged(CurveData(data.x[~apart], data.seconds[~apart], data.noise[~apart]), targets, terms)
    return other if other.scale < fit.scale else fit


def _alone(experiment: Experiment, x: Array) -> NDArray[np.bool_]:
    """Which points (points, parameters) are runs on a single processor."""
    columns = [x[:, k] == 1 for k, parameter in enumerate(experiment.parameters) if parameter.role == PROCESSORS]
    return np.any(columns, axis=0) if columns else np.zeros(len(x), dtype=bool)
