"""Predictions of the default method, with intervals, flags, trust and advice; `recipe` says how it goes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.runs.fit.blend import BlendFit
from apet.runs.fit.estimate import added_twice, estimate, regimes
from apet.runs.fit.held_back import factors
from apet.runs.fit.likeliest import likeliest
from apet.runs.fit.recipe import LEAST_RATIO, MOST_RATIO, ROUGH_RESIDUAL, TRUSTED
from apet.runs.fit.shapes import shapes
from apet.runs.measurements import ENOUGH_RUNS, Curve, Extrapolated, Extrapolation

Array = NDArray[np.float64]


def extrapolate(curve: Curve, targets: Sequence[float]) -> Extrapolation:
    """Predict the run time at each target from at least two runs; five (sizes) or four (processors) are better."""
    n, t = curve.arrays()
    at = np.array(targets, dtype=float)
    guess = estimate(curve, at)
    kinds = regimes(curve.kind, at, float(n[-1]))
    ends = {kind: factors(curve, kind) for kind in set(kinds)}
    low, high = (np.exp(guess.mean + guess.spread * [ends[k][side] for k in kinds]) for side in (0, 1))
    middle = np.exp(guess.mean)
    predictions = tuple(
        Extrapolated(float(x), float(m), Interval(float(a), float(b)), float(s))
        for x, m, a, b, s in zip(at, middle, low, high, guess.spread, strict=True)
    )

    flags = tuple(_flags(curve, n, t))
    trust = _trust(curve.kind, float(guess.spread.max()) if len(at) else 0.0, flags)
    fits = {name: _described(curve.kind, f) for name, f in guess.fits.items()}
    law = likeliest({k: f for k, f in guess.fits.items() if k != "whole"} or guess.fits, curve.kind, float(n[-1]))
    return Extrapolation("blend", trust, flags, predictions, fits, law, tuple(_advice(curve, n, trust)))


def _flags(curve: Curve, n: Array, t: Array) -> list[Note]:
    flags = []
    if _roughness(n, t) > ROUGH_RESIDUAL:
        flags.append(Note(NoteKind.ROUGH, "neighbouring runs do not follow a smooth curve"))
    if len(n) < ENOUGH_RUNS[curve.kind]:
        flags.append(Note(NoteKind.FEW, f"{len(n)} runs; one or two more would narrow the interval"))
    if curve.runs[0].phases and added_twice(curve, t):
        flags.append(Note(NoteKind.PHASES, "they add up to more than the whole run and were not used"))
    return flags


def _roughness(n: Array, t: Array) -> float:
    """The median distance of a point from the log-log line between its neighbours, where these are near."""
    apart = [0]
    for i in range(1, len(n)):
        if n[i] >= LEAST_RATIO * n[apart[-1]]:
            apart.append(i)

    z, y = np.log(n[apart]), np.log(t[apart])
    off = [
        abs(y[i] - np.interp(z[i], z[[i - 1, i + 1]], y[[i - 1, i + 1]]))
        for i in range(1, len(apart) - 1)
        if z[i + 1] - z[i - 1] <= np.log(MOST_RATIO)
    ]
    return float(np.median(off)) if off else 0.0


def _trust(kind: str, widest: float, flags: Sequence[Note]) -> str:
    high, fair = TRUSTED[kind]
    if any(f.kind is NoteKind.ROUGH for f in flags):
        return "low"
    return "high" if widest < high else "fair" if widest <= fair else "low"


def _advice(curve: Curve, n: Array, trust: str) -> list[str]:
    """Runs that would help, the most helpful first."""
    if trust == "high":
        return []

    apart, enough = float(n[-1] / n[-2]), ENOUGH_RUNS[curve.kind]
    advice = [f"add a run at n = {2 * n[-1]:.6g}: nothing narrows an interval more than a run closer to it"]
    if len(n) < enough:
        advice.append(f"add runs below n = {n[-1]:.6g}: {enough} in all are what the intervals are calibrated for")
    elif apart > 4:
        advice.append(f"add a run near n = {np.sqrt(n[-1] * n[-2]):.3g}: the last two are far apart")
    if not curve.runs[0].phases:
        advice.append("profile the runs: phases that scale differently are predicted one by one")
    return advice


def _described(kind: str, fitted: BlendFit) -> dict[str, float]:
    """The likeliest shape, with its share of the weight."""
    best = max(fitted.weights, key=lambda m: fitted.weights[m])
    first, second, third = (float(p) for p in shapes(kind).parameters[best])
    names = ("exponent", "logarithms", "growing share") if kind == "size" else ("serial", "overhead", "logarithmic")
    weight, constant = fitted.weights[best], fitted.offsets[best]
    return dict(zip(names, (first, second, third), strict=True)) | {"weight": weight, "ln t at the largest": constant}
