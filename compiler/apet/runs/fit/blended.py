"""Predictions of the default method, with intervals, flags, trust and advice; `recipe` says how it goes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from apet.ground.interval import Interval
from apet.ground.notes import Note, NoteKind
from apet.runs.fit.estimate import added_twice, estimate, main_phases, regimes
from apet.runs.fit.held_back import factors
from apet.runs.fit.laws.averaged import LogRange, MixedLaws, likeliest, mixed_with
from apet.runs.fit.laws.change import change_of_regime, last_leaves
from apet.runs.fit.recipe import CLEARLY, LEAST_RATIO, LIKELY_LAW, MOST_RATIO, ROUGH_RESIDUAL, TRUSTED
from apet.runs.measurements import ENOUGH_RUNS, Curve, Extrapolated, Extrapolation, Run
from apet.runs.scaling_laws import Law, PhaseSum, seconds

Array = NDArray[np.float64]
LAST = "the run at {n:.12g} leaves the law of the others: it was disturbed, or another law begins; intervals hold both"


def extrapolate(curve: Curve, targets: Sequence[float]) -> Extrapolation:
    """Predict the run time at each target from at least two runs; five (sizes) or four (processors) are better."""
    change = change_of_regime(curve)
    if change is None:
        return _one_regime(curve, targets)

    upper = curve._replace(runs=tuple(r for r in curve.runs if r.n >= change.first))
    above = _one_regime(upper, [x for x in targets if x >= change.first])
    below = _one_regime(curve, [x for x in targets if x < change.first])
    by_n = {p.n: p for p in (*above.predictions, *below.predictions)}
    symbol = "P" if curve.kind == "procs" else "n"
    where = f"between {symbol} = {change.after:.12g} and {change.before:.12g}"
    note = Note(NoteKind.REGIMES, f"the law changes {where}; predictions beyond are from the runs above")
    return replace(above, predictions=tuple(by_n[float(x)] for x in targets), flags=(*above.flags, note))


def _one_regime(curve: Curve, targets: Sequence[float]) -> Extrapolation:
    n, t = curve.arrays()
    at = np.array(targets, dtype=float)
    guess = estimate(curve, at)
    kinds = regimes(curve.kind, at, float(n[-1]))
    ends = {kind: factors(curve, kind) for kind in set(kinds)}
    low, high = (guess.mean + guess.spread * [ends[k][side] for k in kinds] for side in (0, 1))
    laws = mixed_with(curve, at, LogRange(guess.mean, low, high))
    spread = (1 - laws.share) * guess.spread + laws.share * laws.spread
    branches = last_leaves(curve, at)
    ranges = [_interval(laws.mixed, k) for k in range(len(at))]
    if branches is not None:
        ranges = [_around(own, branches[:, k]) for k, own in enumerate(ranges)]
    going_on = _going_on(laws, ranges)
    predictions = tuple(
        Extrapolated(float(x), math.exp(m), ends, float(s), law)
        for x, m, ends, s, law in zip(at, laws.mixed.mean, ranges, spread, going_on, strict=True)
    )

    flags = tuple(_flags(curve, n, t, lawful=laws.share >= LIKELY_LAW))
    if branches is not None:
        flags = (*flags, Note(NoteKind.REGIMES, LAST.format(n=n[-1])))
    trust = _trust(curve.kind, float(spread.max()) if len(at) else 0.0, flags)
    law = _law(curve, {name: times for name, times in main_phases(curve, t).items() if len(guess.fits) > 1})
    off = max(abs(seconds(law, x) / y - 1) for x, y in zip(n, t, strict=True))
    fits = {"whole": {"chance_of_a_law": laws.share, "off_by_at_most": off}}
    return Extrapolation("blend", trust, flags, predictions, fits, law, tuple(_advice(curve, n, trust)))


def _around(interval: Interval, branches: Array) -> Interval:
    """The interval and the branches, as far as there are any."""
    known = [math.exp(x) for x in branches if math.isfinite(x)]
    return Interval(min([interval.lo, *known]), max([interval.hi, *known]))


def _interval(logs: LogRange, k: int) -> Interval:
    return Interval(math.exp(logs.low[k]), math.exp(logs.high[k]))


def _going_on(laws: MixedLaws, ranges: Sequence[Interval]) -> Sequence[Interval | None]:
    """The intervals by pure laws alone, where these are likely and clearly narrower at some target."""
    if laws.law is None or laws.share < LIKELY_LAW:
        return [None] * len(ranges)
    own = [_interval(laws.law, k) for k in range(len(ranges))]
    narrower = any(CLEARLY * math.log(a.hi / a.lo) < math.log(b.hi / b.lo) for a, b in zip(own, ranges, strict=True))
    return own if narrower else [None] * len(ranges)


def _law(curve: Curve, phases: Mapping[str, Array]) -> Law:
    """The likeliest law, fitted to the runs; the sum of those of phases where there are several."""
    if not phases:
        return likeliest(curve)
    parts = (
        curve._replace(runs=tuple(Run(r.n, float(x)) for r, x in zip(curve.runs, times, strict=True)))
        for times in phases.values()
    )
    return PhaseSum(tuple(phases), tuple(likeliest(part) for part in parts))


def _flags(curve: Curve, n: Array, t: Array, *, lawful: bool) -> list[Note]:
    flags = []
    if not lawful and _roughness(n, t) > ROUGH_RESIDUAL:
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
