"""Predictions of the blend: of the whole run, and of its phases where the runs were profiled."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.analysis.runs import Curve, Extrapolated, Extrapolation
from apet.backends.scaling.blend import Fitted, fit, interval, spread
from apet.backends.scaling.likeliest import likeliest
from apet.backends.scaling.shapes import shapes
from apet.interval import Interval

Array = NDArray[np.float64]
SMALL_PHASE, SMALLEST_TIME = 0.03, 0.001
NOISE_OF_SHARES = 0.003
LEAST_SHARED = 1e6
"""A phase of less than a millionth of the run counts as one of a millionth."""
ROUGH_MISFIT, ROUGH_RESIDUAL = 4.0, 0.15
LEAST_RATIO = 1.2
CHORD = {"size": 0.0, "procs": 0.42}
"""The weight of the chord between neighbours, for targets between measured points."""
TRUSTED = {"size": (0.09, 0.20), "procs": (0.20, 0.28)}
"""Greatest spreads below which trust is high and fair: the thirds of measured curves, predicted up to 4 times."""


class _Estimate(NamedTuple):
    """Means and spreads of ln t at the targets, and the misfit of the whole run."""

    mean: Array
    spread: Array
    misfit: float
    fits: dict[str, Fitted]


def extrapolate(curve: Curve, targets: Sequence[float]) -> Extrapolation:
    """Predict the run time at each target from at least two runs; five (sizes) or four (processors) are better."""
    n = np.array([r.n for r in curve.runs])
    t = np.array([r.t for r in curve.runs])
    at = np.array(targets, dtype=float)
    found = _between(curve.kind, n, t, at, _estimate(curve, n, t, at))
    low, high = interval(curve.kind, found.mean, found.spread, at < n[-1])
    middle = np.exp(found.mean)
    predictions = tuple(
        Extrapolated(float(x), float(m), Interval(float(a), float(b)), float(s))
        for x, m, a, b, s in zip(at, middle, low, high, found.spread, strict=True)
    )
    flags = tuple(_flags(curve, n, t, found.misfit))
    trust = _trust(curve.kind, float(found.spread.max()) if len(at) else 0.0, flags)
    fits = {name: _described(curve.kind, f) for name, f in found.fits.items()}
    law = likeliest({k: f for k, f in found.fits.items() if k != "whole"} or found.fits, curve.kind, float(n[-1]))
    return Extrapolation("blend", trust, flags, predictions, fits, law, tuple(_advice(curve, n, trust)))


def _estimate(curve: Curve, n: Array, t: Array, at: Array) -> _Estimate:
    whole = fit(curve.kind, n, t, at)
    own = spread(curve.kind, whole.mean, whole.between, whole.within, whole.line)
    phases = _phases(curve, t)
    if len(phases) < 2:
        return _Estimate(whole.mean, own, whole.misfit, {"whole": whole})
    fits = {
        name: fit(curve.kind, n, p, at, (NOISE_OF_SHARES * np.minimum(t / p - 1, LEAST_SHARED)) ** 2)
        for name, p in phases.items()
    }
    means = np.array([np.exp(f.mean) for f in fits.values()])
    total = means.sum(axis=0)
    shares = means / total
    between = np.sum(shares * np.array([f.between for f in fits.values()]), axis=0)
    within = np.sum(shares * np.array([f.within for f in fits.values()]), axis=0)
    straight = np.log(np.sum(np.exp([f.line for f in fits.values()]), axis=0))
    summed = spread(curve.kind, np.log(total), between, within, straight)
    precise, weight = 1 / own**2, 1 / summed**2
    mean = (np.log(total) * weight + whole.mean * precise) / (weight + precise)
    return _Estimate(mean, np.sqrt(2 / (weight + precise)), whole.misfit, {"whole": whole, **fits})


def _between(kind: str, n: Array, t: Array, at: Array, found: _Estimate) -> _Estimate:
    """Drawn towards the chord of n t between neighbours: each stretch has a serial part of its own (G. M. Amdahl)."""
    weight = np.where((at > n[0]) & (at < n[-1]), CHORD[kind], 0.0)
    chord = np.log(np.interp(at, n, n * t) / at)
    return found._replace(mean=(1 - weight) * found.mean + weight * chord)


def _phases(curve: Curve, t: Array) -> dict[str, Array]:
    """Seconds by phase: those that all runs have; what is small or left over is one phase more."""
    names = set.intersection(*(set(r.phases) for r in curve.runs)) if curve.runs else set()
    found, small = dict[str, Array](), np.zeros_like(t)
    for name in sorted(names):
        times = np.array([r.phases[name] for r in curve.runs])
        if times.min() <= 0 or float((times / t).mean()) < SMALL_PHASE:
            small = small + np.maximum(times, 0.0)
        else:
            found[name] = times
    if not found:
        return {}
    rest = t - sum(found.values())
    if float((rest / t).mean()) > SMALLEST_TIME or small.any():
        found["rest"] = np.maximum(rest, SMALLEST_TIME * t)
    return found


def _flags(curve: Curve, n: Array, t: Array, misfit: float) -> list[str]:
    flags = []
    if misfit > ROUGH_MISFIT or _roughness(n, t) > ROUGH_RESIDUAL:
        flags.append("rough: neighbouring runs do not follow a smooth curve")
    if len(n) < (4 if curve.kind == "procs" else 5):
        flags.append(f"few: {len(n)} runs; one or two more would narrow the interval")
    return flags


def _roughness(n: Array, t: Array) -> float:
    """The median distance of a point from the log-log line between its neighbours."""
    kept = [0]
    for i in range(1, len(n)):
        if n[i] >= LEAST_RATIO * n[kept[-1]]:
            kept.append(i)
    z, y = np.log(n[kept]), np.log(t[kept])
    between = [
        abs(y[i] - np.interp(z[i], z[[i - 1, i + 1]], y[[i - 1, i + 1]])) for i, _ in pairwise(range(1, len(kept)))
    ]
    return float(np.median(between)) if between else 0.0


def _trust(kind: str, widest: float, flags: Sequence[str]) -> str:
    high, fair = TRUSTED[kind]
    if any(f.startswith("rough") for f in flags):
        return "low"
    return "high" if widest < high else "fair" if widest <= fair else "low"


def _advice(curve: Curve, n: Array, trust: str) -> list[str]:
    """Runs that would help, the most helpful first."""
    if trust == "high":
        return []
    apart = float(n[-1] / n[-2])
    enough = 4 if curve.kind == "procs" else 5
    found = [f"add a run at n = {2 * n[-1]:.6g}: nothing narrows an interval more than a run closer to it"]
    if len(n) < enough:
        found.append(f"add runs below n = {n[-1]:.6g}: {enough} in all are what the intervals are calibrated for")
    elif apart > 4:
        found.append(f"add a run near n = {np.sqrt(n[-1] * n[-2]):.3g}: the last two are far apart")
    if not curve.runs[0].phases:
        found.append("profile the runs: phases that scale differently are predicted one by one")
    return found


def _described(kind: str, fitted: Fitted) -> dict[str, float]:
    """The likeliest shape, with its share of the weight."""
    best = max(fitted.weights, key=lambda m: fitted.weights[m])
    first, second, third = (float(p) for p in shapes(kind).parameters[best])
    names = ("exponent", "logarithms", "growing share") if kind == "size" else ("serial", "overhead", "logarithmic")
    weight, constant = fitted.weights[best], fitted.offsets[best]
    return dict(zip(names, (first, second, third), strict=True)) | {"weight": weight, "ln t at the largest": constant}
