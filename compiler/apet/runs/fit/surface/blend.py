"""The blend of the whole run, the sum of its phases, and simple opinions, in ln t."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from apet.runs.experiments import PROCESSORS, DesignPoint, Experiment
from apet.runs.fit.surface.average import Averaged, CurveData, averaged
from apet.runs.fit.surface.opinions import gaussian_process, plane
from apet.runs.fit.surface.term_library import Array, TermLibrary, library

SMALL_SHARE = 0.03
"""Phases that are nowhere a larger part of the run are one."""
SMALL, OTHER = "small phases", "the rest"
ABSENT = 1e-9
"""Of the run: shorter phases count as this."""
REPETITION_NOISE = 1.5
PHASE_NOISE, MOST_PHASE_NOISE = 0.003, 0.25
OVERLAP = 1.05
"""Phases that add up to more of the run overlap: their sum says nothing."""


class BlendWeights(NamedTuple):
    """Of whole, by phase, process, process by phase, plane; `reach` limits how far each moves the mean, in ln t."""

    weights: tuple[float, float, float, float, float]
    reach: float


WITH_PROCESSORS = BlendWeights((1, 2, 0, 0, 0), 0.6)
ONLY_SIZES = BlendWeights((2, 1, 1, 1, 1), 1.5)
FARTHEST_OPINION = 2.0


@dataclass(frozen=True, slots=True)
class PhaseFit:
    """A phase or the whole run: seconds at the runs, ln t at the targets with their spread, the likeliest sum."""

    name: str
    seconds: Array
    averaged: Averaged


@dataclass(frozen=True, slots=True)
class Blended:
    """ln t at targets, (targets,), and what the width of intervals depends on: the spread among structures, between
    whole and phases, among simple opinions (each (targets,)), and the misfit `scale`."""

    logs: Array
    structures_spread: Array
    phases_spread: Array
    opinions_spread: Array
    scale: float
    whole: PhaseFit
    phases: tuple[PhaseFit, ...]
    terms: TermLibrary


def blended(experiment: Experiment, targets: Array) -> Blended:
    """Predictions at targets (targets, parameters), before intervals."""
    x = np.array([p.x for p in experiment.points], dtype=float)
    seconds = np.array([p.t for p in experiment.points], dtype=float)
    noise = repetition_noise(experiment.points)
    counts = [len(experiment.values(k)) for k in range(len(experiment.parameters))]
    terms = library(experiment.parameters, counts, experiment.largest)
    whole = PhaseFit("whole run", seconds, averaged(CurveData(x, seconds, noise), targets, terms))

    phases = list[PhaseFit]()
    for name, own in phase_seconds(experiment).items():
        extra = np.minimum((PHASE_NOISE * (seconds / own - 1)) ** 2, MOST_PHASE_NOISE)
        phases.append(PhaseFit(name, own, averaged(CurveData(x, own, noise + extra), targets, terms)))
    return _joined(experiment, x, targets, terms, whole, phases)


def _joined(
    experiment: Experiment, x: Array, targets: Array, terms: TermLibrary, whole: PhaseFit, phases: Sequence[PhaseFit]
) -> Blended:
    z, z_targets = (np.log(v / np.array(terms.largest)) for v in (x, targets))
    logs = np.log(whole.seconds)
    by_phase = np.log(sum(np.exp(p.averaged.logs) for p in phases)) if phases else None
    process = gaussian_process(z, logs, z_targets, experiment.parameters)
    flat = plane(z, logs, z_targets)
    rule = WITH_PROCESSORS if any(p.role == PROCESSORS for p in experiment.parameters) else ONLY_SIZES
    processes = None
    if phases and rule.weights[3]:
        own = [gaussian_process(z, np.log(p.seconds), z_targets, experiment.parameters) for p in phases]
        processes = np.log(sum(np.exp(o) for o in own))

    first = whole.averaged.logs if by_phase is None else (whole.averaged.logs + by_phase) / 2
    opinions = [
        (o, w)
        for o, w in zip((whole.averaged.logs, by_phase, process, processes, flat), rule.weights, strict=True)
        if o is not None and w
    ]
    moved = sum(w * np.clip(o - first, -rule.reach, rule.reach) for o, w in opinions)
    middle = first + moved / sum(w for _, w in opinions)

    structures = np.sqrt(whole.averaged.spread**2)
    near = [whole.averaged.logs] + ([] if by_phase is None else [by_phase])
    return Blended(
        middle,
        structures,
        _spread(near, middle),
        _spread([process, flat], middle),
        whole.averaged.scale,
        whole,
        tuple(phases),
        terms,
    )


def _spread(opinions: Sequence[Array], middle: Array) -> Array:
    """The root mean square of distances from the blend."""
    off = [np.clip(o - middle, -FARTHEST_OPINION, FARTHEST_OPINION) for o in opinions]
    return np.asarray(np.sqrt(np.mean(np.square(off), axis=0)))


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
