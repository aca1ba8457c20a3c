"""ADEPT: run times over processors by Downey's model, fitted anew for each target.

A. Deshmeh, J. Machina and A. Sodan, ADEPT scalability predictor in support of adaptive resource allocation, 2010:
an envelope from pairs of observations; weights biased to the observations closest to the target; two steps, the closest
observation first fixed, then let vary; anomalies weighed down; patterns; a judgement of reliability. T(1) may be
unknown.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.ground.notes import Note, NoteKind
from apet.runs.fit import anomalies, downey
from apet.runs.fit.pairs import envelope
from apet.runs.fit.student import prediction
from apet.runs.measurements import Curve, Extrapolated, Extrapolation
from apet.runs.scaling_laws import Speedup

Array = NDArray[np.float64]
ANOMALOUS = 1e-3
"""The weight of an anomaly: its relative error may be a hundred times that of the others."""
BIAS = 0.35
"""The distance in ln n at which an observation counts half as much as one at the target's place."""
VARIED = 0.05
"""How far the closest observation may be off in the second step."""
LINEAR_EFFICIENCY = 0.95
"""Where all runs are above it, they do not show where scaling ends."""
HIGH_ERROR = 0.08
"""Relative: a root mean square above it needs an explanation."""
RIVAL_ERROR, RIVAL_RATIO = 1.1, 2.0
"""A second optimum is a rival if its error is at most ten per cent above the best, and its A twice as far."""
LEAST_SPREAD = 0.02
"""Of ln t: the deviation that the envelope of pairs allows for."""


class Judged(NamedTuple):
    """Flags, and runs that would help."""

    flags: tuple[Note, ...]
    advice: tuple[str, ...]
    reliable: bool


def adept(curve: Curve, targets: Sequence[float]) -> Extrapolation:
    """Predictions, with the fit to all runs and what is not reliable about it."""
    n, t = curve.arrays()
    pattern = anomalies.favoured(n, t)
    off = [] if pattern else anomalies.anomalies(n, t)
    weights = np.where(np.isin(np.arange(len(n)), off), ANOMALOUS, 1.0)
    if pattern:
        weights = np.where(np.isin(np.arange(len(n)), pattern.runs), 1.0, 1e-3)

    bounds = envelope(n[weights > 0.5], t[weights > 0.5])
    fits = downey.candidates(n, t, weights, bounds)
    widest = downey.most_parallel(n, t, weights, bounds, best=fits[0])
    step = None if pattern else anomalies.steps(n, t, fits[0])
    judged = _judged(n, t, fits, off, step, pattern)
    rivals = [f for f in fits[1:] if f.error <= RIVAL_ERROR * fits[0].error + 1e-6]
    predictions = tuple(_target(x, n, t, weights, bounds, step, [fits[0], *rivals]) for x in targets)

    best = widest if step is None else step.after
    fit = {"A": best.parallelism, "sigma": best.sigma, "T(1)": best.one}
    fit |= {"rms of relative errors": math.sqrt(best.error), "least A": bounds.low, "greatest A": bounds.high}
    trust = "high" if judged.reliable and not off and step is None else "fair" if judged.reliable else "low"
    law = Speedup(best.one, best.parallelism, best.sigma)
    unusual = tuple(float(n[i]) for i in off)
    return Extrapolation("adept", trust, judged.flags, predictions, {"whole": fit}, law, judged.advice, unusual)


def fit_for(x: float, n: Array, t: Array, weights: Array, bounds: downey.SearchRange) -> downey.Downey:
    """The two-step fit for one target: through the closest observation, then that let vary by 5 %."""
    distance = np.abs(np.log(n / x))
    biased = weights / (1.0 + (distance - distance.min()) / BIAS)
    closest = int(np.argmin(distance + np.where(weights < 0.5, 1e3, 0.0)))
    anchored = np.where(np.arange(len(n)) == closest, 1e3, 1.0) * biased
    first = downey.fit(n, t, anchored, bounds)
    around = downey.SearchRange(first.one * (1 - VARIED), first.one * (1 + VARIED))
    return downey.most_parallel(n, t, biased, bounds, around)


def _target(
    x: float,
    n: Array,
    t: Array,
    weights: Array,
    bounds: downey.SearchRange,
    step: anomalies.TwoSteps | None,
    rivals: Sequence[downey.Downey],
) -> Extrapolated:
    if step is not None:
        own = step.before if x < n[step.at] else step.after
    else:
        own = fit_for(x, n, t, weights, bounds)

    at = np.array([x])
    middle = float(own.seconds(at)[0])
    others = [abs(math.log(float(r.seconds(at)[0]) / middle)) for r in rivals]
    away = max(math.log(x / n[-1]), math.log(n[0] / x), 0.0)
    rms = math.sqrt(max(rivals[0].error, own.error) * len(n) / max(len(n) - 2, 1))
    spread = math.hypot(max(rms, LEAST_SPREAD) * (1.0 + away), max(others), 0.08 * away)
    return prediction(x, middle, spread, 2.0)


def _judged(
    n: Array,
    t: Array,
    fits: Sequence[downey.Downey],
    off: Sequence[int],
    step: anomalies.TwoSteps | None,
    pattern: anomalies.Favoured | None,
) -> Judged:
    best, flags, advice = fits[0], list[Note](), list[str]()
    odd = "the run at n = {:.12g} does not fit its neighbours and counts less"
    flags += [Note(NoteKind.ANOMALY, odd.format(n[i])) for i in off]
    if step is not None:
        before = "runs before it count for no target there"
        flags.append(Note(NoteKind.STEPWISE, f"from n = {n[step.at]:.12g} on another model holds; {before}"))
    if pattern is not None:
        flags.append(Note(NoteKind.FAVOURED, f"the program runs better on {pattern.words}; predictions are for those"))

    efficiency = (n[0] * t[0]) / (n * t)
    linear = bool(np.all(efficiency > LINEAR_EFFICIENCY))
    if linear:
        flags.append(Note(NoteKind.LINEAR, "all runs scale almost perfectly, so that they do not show where this ends"))
        advice.append(f"run at n = {4 * n[-1]:.12g} or more, where the speed-up begins to bend")

    wrong = math.sqrt(best.error) > HIGH_ERROR and not off and step is None and pattern is None
    if wrong:
        flags.append(Note(NoteKind.FIT, f"relative errors of {math.sqrt(best.error):.0%} that no anomaly explains"))
        advice.append("repeat the runs, or measure phases and predict them one by one")
    rival = next((f for f in fits[1:] if _rivals(f, best)), None)
    if rival is not None and not linear:
        a, b = sorted((best.parallelism, rival.parallelism))
        flags.append(Note(NoteKind.RUNNER_UP, f"A = {a:.3g} and A = {b:.3g} fit nearly as well"))
        advice.append(f"run at n = {max(2 * n[-1], round(math.sqrt(a * b))):.12g}, where both differ most")
    return Judged(tuple(flags), tuple(advice), not (linear or wrong or rival is not None))


def _rivals(one: downey.Downey, best: downey.Downey) -> bool:
    ratio = max(one.parallelism, best.parallelism) / min(one.parallelism, best.parallelism)
    return ratio > RIVAL_RATIO and one.error <= RIVAL_ERROR * best.error + 1e-6
