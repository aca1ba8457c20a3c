"""ln t of a curve at targets: the blend and the averaged normal form, of the whole run and of its phases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit import normal_form
from apet.runs.fit.blend import Fitted, fit
from apet.runs.fit.constants import SETTINGS, Mixture, Settings
from apet.runs.measurements import Curve

Array = NDArray[np.float64]
SMALL_PHASE, SMALLEST_TIME = 0.03, 0.001
MOST_SHARE = 1.1
"""Phases that add up to more count some time twice, and are left alone."""
NOISE_OF_SHARES = 0.003
LEAST_SHARED = 1e6
"""A phase of less than a millionth of the run counts as one of a millionth."""
WIDEST = 0.6
LEAST_DISAGREEMENT, LEAST_DISTANCE = 0.01, 0.03
FARTHEST_APART = 1.0
"""The normal form draws ln t no farther than from a prediction this far off."""
RUNS_OF_NORMAL_FORM = 4


class Estimate(NamedTuple):
    """Means and uncertainties of ln t at the targets, and the fits of the whole run and of its phases."""

    mean: Array
    spread: Array
    fits: Mapping[str, Fitted]


def estimate(curve: Curve, at: Array, settings: Mapping[str, Settings] = SETTINGS) -> Estimate:
    """Each target by the settings of its kind; at least two runs."""
    largest = curve.runs[-1].n
    between = at < largest
    if curve.kind == "size" or not between.any():
        return _estimate(curve, at, settings[curve.kind])
    inner = _estimate(curve, at, settings["between"])
    if between.all():
        return inner
    outer = _estimate(curve, at, settings[curve.kind])
    mean, spread = (np.where(between, a, b) for a, b in zip(inner[:2], outer[:2], strict=True))
    return outer._replace(mean=mean, spread=spread)


def regimes(kind: str, at: Array, largest: float) -> list[str]:
    """The kind of each target."""
    return [kind if kind == "size" or x >= largest else "between" for x in at]


def _estimate(curve: Curve, at: Array, settings: Settings) -> Estimate:
    n = np.array([r.n for r in curve.runs], dtype=float)
    t = np.array([r.t for r in curve.runs], dtype=float)
    whole = fit(curve.kind, n, t, at, settings.blend)
    own = _spread(whole.mean, whole.between, whole.within, whole.line)
    phases = main_phases(curve, t)
    if len(phases) < 2:
        mean = mixed(settings.mixture, curve.kind, n, t, at, whole.mean, {})
        return Estimate(mean, own, {"whole": whole})
    fits = {
        name: fit(curve.kind, n, p, at, settings.blend, (NOISE_OF_SHARES * np.minimum(t / p - 1, LEAST_SHARED)) ** 2)
        for name, p in phases.items()
    }
    means = np.array([np.exp(f.mean) for f in fits.values()])
    total = means.sum(axis=0)
    shares = means / total
    between = np.sum(shares * np.array([f.between for f in fits.values()]), axis=0)
    within = np.sum(shares * np.array([f.within for f in fits.values()]), axis=0)
    straight = np.log(np.sum(np.exp([f.line for f in fits.values()]), axis=0))
    summed = _spread(np.log(total), between, within, straight)
    precise, weight = 1 / own**2, 1 / summed**2
    mean = (np.log(total) * weight + whole.mean * precise) / (weight + precise)
    mean = mixed(settings.mixture, curve.kind, n, t, at, mean, phases)
    return Estimate(mean, np.sqrt(2 / (weight + precise)), {"whole": whole, **fits})


def _spread(mean: Array, between: Array, within: Array, straight: Array) -> Array:
    """How uncertain ln t is: the geometric mean of what the shapes leave open and the distance from the straight line
    through the last two runs."""
    disagreement = np.sqrt(between**2 + within**2 + LEAST_DISAGREEMENT**2)
    return np.asarray(np.minimum(WIDEST, np.sqrt(disagreement * (np.abs(straight - mean) + LEAST_DISTANCE))))


def mixed(
    mixture: Mixture, kind: str, n: Array, t: Array, at: Array, mean: Array, phases: Mapping[str, Array]
) -> Array:
    """The blend, drawn towards the normal form and, between points, towards the chord of n t: each stretch behaves as
    if it had a serial part of its own (G. M. Amdahl)."""
    others, inside = np.zeros_like(mean), (at > n[0]) & (at < n[-1])
    if mixture.normal_form and len(n) >= RUNS_OF_NORMAL_FORM:
        work = n if kind == "procs" else np.ones_like(n)
        there = at if kind == "procs" else np.ones_like(at)
        how = (mixture.weighting, mixture.sharpness)
        found = np.log(normal_form.averaged(n, work * t, at, *how) / there)
        if phases:
            parts = (normal_form.averaged(n, work * p, at, *how) for p in phases.values())
            found = (found + np.log(sum(parts) / there)) / 2
        others = others + mixture.normal_form * np.clip(found - mean, -FARTHEST_APART, FARTHEST_APART)
    if mixture.chord:
        chord = np.log(np.interp(at, n, n * t) / at)
        others = others + np.where(inside, mixture.chord, 0.0) * (chord - mean)
    return np.asarray(mean + others)


def main_phases(curve: Curve, t: Array) -> dict[str, Array]:
    """Seconds by phase: those that all runs have; what is small or left over is one phase more."""
    names = set.intersection(*(set(r.phases) for r in curve.runs)) if curve.runs else set()
    found, small = dict[str, Array](), np.zeros_like(t)
    for name in sorted(names):
        times = np.array([r.phases[name] for r in curve.runs])
        if times.min() <= 0 or float((times / t).mean()) < SMALL_PHASE:
            small = small + np.maximum(times, 0.0)
        else:
            found[name] = times
    if not found or added_twice(curve, t):
        return {}
    rest = t - sum(found.values())
    if float((rest / t).mean()) > SMALLEST_TIME or small.any():
        found["rest"] = np.maximum(rest, SMALLEST_TIME * t)
    return found


def added_twice(curve: Curve, t: Array) -> bool:
    """Whether phases make up clearly more than a whole run."""
    return any(sum(r.phases.values()) > MOST_SHARE * x for r, x in zip(curve.runs, t, strict=True))
