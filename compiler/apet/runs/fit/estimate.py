"""ln t of a curve at targets: steps 1 to 4 of the recipe, of the whole run and of its phases."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit import normal_form, recipe
from apet.runs.fit.blend import BlendFit, fit
from apet.runs.fit.recipe import SETTINGS, Mixture, Settings
from apet.runs.measurements import Curve

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class LogEstimate:
    """Mean and standard deviation of ln t at the targets, (targets,) each, and the fits of the whole run and of its
    phases."""

    mean: Array
    spread: Array
    fits: Mapping[str, BlendFit]


def estimate(curve: Curve, at: Array, settings: Mapping[str, Settings] = SETTINGS) -> LogEstimate:
    """Each target by the settings of its kind; at least two runs."""
    between = at < curve.runs[-1].n
    if curve.kind == "size" or not between.any():
        return _estimate(curve, at, settings[curve.kind])
    inner = _estimate(curve, at, settings["between"])
    if between.all():
        return inner

    outer = _estimate(curve, at, settings[curve.kind])
    mean = np.where(between, inner.mean, outer.mean)
    return replace(outer, mean=mean, spread=np.where(between, inner.spread, outer.spread))


def regimes(kind: str, at: Array, largest: float) -> list[str]:
    """The kind of each target."""
    return [kind if kind == "size" or x >= largest else "between" for x in at]


def _estimate(curve: Curve, at: Array, settings: Settings) -> LogEstimate:
    n, t = curve.arrays()
    whole = fit(curve.kind, n, t, at, settings.blend)
    own = _spread(whole.mean, whole.between, whole.within, whole.line)
    phases = main_phases(curve, t)
    if len(phases) < 2:
        mean = mixed(settings.mixture, curve.kind, n, t, at, whole.mean, {})
        return LogEstimate(mean, own, {"whole": whole})

    fits = {}
    for name, p in phases.items():
        noise = recipe.NOISE_OF_SHARES * np.minimum(t / p - 1, recipe.LEAST_SHARED)
        fits[name] = fit(curve.kind, n, p, at, settings.blend, noise**2)
    total, summed = _summed(list(fits.values()))

    # Both estimates of the whole, weighed by their precision; they are not independent, hence the 2.
    precision, precision_summed = 1 / own**2, 1 / summed**2
    mean = (total * precision_summed + whole.mean * precision) / (precision_summed + precision)
    mean = mixed(settings.mixture, curve.kind, n, t, at, mean, phases)
    return LogEstimate(mean, np.sqrt(2 / (precision_summed + precision)), {"whole": whole, **fits})


def _summed(fits: list[BlendFit]) -> tuple[Array, Array]:
    """ln of the sum of phases, and how uncertain it is; parts count by their share."""
    means = np.array([np.exp(f.mean) for f in fits])
    total = means.sum(axis=0)
    shares = means / total
    between = np.sum(shares * np.array([f.between for f in fits]), axis=0)
    within = np.sum(shares * np.array([f.within for f in fits]), axis=0)
    straight = np.log(np.sum(np.exp([f.line for f in fits]), axis=0))
    return np.log(total), _spread(np.log(total), between, within, straight)


def _spread(mean: Array, between: Array, within: Array, straight: Array) -> Array:
    """How uncertain ln t is: the geometric mean of what the shapes leave open and the distance from the straight line
    through the last two runs."""
    disagreement = np.sqrt(between**2 + within**2 + recipe.LEAST_DISAGREEMENT**2)
    distance = np.abs(straight - mean) + recipe.LEAST_DISTANCE
    return np.asarray(np.minimum(recipe.WIDEST, np.sqrt(disagreement * distance)))


def mixed(
    mixture: Mixture, kind: str, n: Array, t: Array, at: Array, mean: Array, phases: Mapping[str, Array]
) -> Array:
    """The blend, drawn towards the normal form and, between points, towards the chord of n t: each stretch behaves as
    if it had a serial part of its own (G. M. Amdahl)."""
    others, inside = np.zeros_like(mean), (at > n[0]) & (at < n[-1])
    if mixture.normal_form and len(n) >= recipe.RUNS_OF_NORMAL_FORM:
        # Over processors the work n t grows slowly, and is what terms describe.
        work = n if kind == "procs" else np.ones_like(n)
        per_work = at if kind == "procs" else np.ones_like(at)
        how = (mixture.weighting, mixture.sharpness)
        form = np.log(normal_form.averaged(n, work * t, at, *how) / per_work)
        if phases:
            parts = (normal_form.averaged(n, work * p, at, *how) for p in phases.values())
            form = (form + np.log(sum(parts) / per_work)) / 2
        apart = recipe.FARTHEST_APART
        others = others + mixture.normal_form * np.clip(form - mean, -apart, apart)

    if mixture.chord:
        chord = np.log(np.interp(at, n, n * t) / at)
        others = others + np.where(inside, mixture.chord, 0.0) * (chord - mean)
    return np.asarray(mean + others)


def main_phases(curve: Curve, t: Array) -> dict[str, Array]:
    """Seconds by phase (runs,): those that all runs have; what is small or left over is one phase more."""
    names = set.intersection(*(set(r.phases) for r in curve.runs)) if curve.runs else set()
    phases, small = dict[str, Array](), np.zeros_like(t)
    for name in sorted(names):
        times = np.array([r.phases[name] for r in curve.runs])
        if times.min() <= 0 or float((times / t).mean()) < recipe.SMALL_PHASE:
            small = small + np.maximum(times, 0.0)
        else:
            phases[name] = times

    if not phases or added_twice(curve, t):
        return {}
    rest = t - sum(phases.values())
    if float((rest / t).mean()) > recipe.SMALLEST_TIME or small.any():
        phases["rest"] = np.maximum(rest, recipe.SMALLEST_TIME * t)
    return phases


def added_twice(curve: Curve, t: Array) -> bool:
    """Whether phases make up clearly more than a whole run."""
    return any(sum(r.phases.values()) > recipe.MOST_SHARE * x for r, x in zip(curve.runs, t, strict=True))
