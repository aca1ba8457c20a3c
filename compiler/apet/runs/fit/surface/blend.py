"""The blend of the whole run, the sum of its phases, and simple opinions, in ln t."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from apet.runs.experiments import PROCESSORS, Experiment
from apet.runs.fit.surface.average import Averaged, CurveData
from apet.runs.fit.surface.opinions import gaussian_process, plane
from apet.runs.fit.surface.phases import fitted_phase, fitted_whole, phase_seconds, repetition_noise
from apet.runs.fit.surface.term_library import Array, TermLibrary, library


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
    run = CurveData(x, seconds, repetition_noise(experiment.points))
    counts = [len(experiment.values(k)) for k in range(len(experiment.parameters))]
    terms = library(experiment.parameters, counts, experiment.largest)
    whole = PhaseFit("whole run", seconds, fitted_whole(experiment, run, targets, terms))

    phases = [
        PhaseFit(name, own, fitted_phase(experiment, run, own, targets, terms))
        for name, own in phase_seconds(experiment).items()
    ]
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

    near = [whole.averaged.logs] + ([] if by_phase is None else [by_phase])
    return Blended(
        middle,
        whole.averaged.spread,
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
