"""Intervals from errors on held-back runs (conformal prediction), those of other programs and those of this one.

V. Vovk, A. Gammerman and G. Shafer, Algorithmic Learning in a Random World, 2005: an interval that holds 90 % of the
errors seen holds 90 % of those to come, if they are exchangeable. An error counts in units of the own uncertainty. Of
other programs the quantiles are known. Where there are runs enough, later ones are predicted from earlier ones, and
runs between from the others; each such try counts as one error more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit.estimate import estimate
from apet.runs.fit.recipe import (
    FARTHEST_TRY,
    HIGH,
    LEVELS,
    LOW,
    MOST_TRIES,
    OWN_ERRORS_WEIGHT,
    QUANTILES,
)
from apet.runs.measurements import ENOUGH_RUNS, Curve, Run

Array = NDArray[np.float64]
Scores = tuple[tuple[float, float], ...]
"""Errors in units of the uncertainty, and how much each counts."""


def factors(curve: Curve, regime: str) -> tuple[float, float]:
    """The ends of a 90 % interval of ln t around the prediction, in units of the uncertainty: one below, one above."""
    own = own_scores(curve.kind, regime, tuple((r.n, r.t, tuple(r.phases.items())) for r in curve.runs))
    return _quantile(QUANTILES[regime], own, LOW), _quantile(QUANTILES[regime], own, HIGH)


@lru_cache(maxsize=8)
def own_scores(kind: str, regime: str, runs: tuple[tuple[float, float, tuple[tuple[str, float], ...]], ...]) -> Scores:
    """Errors on runs that were held back; none with four runs over processors or five over sizes."""
    curve = Curve("", kind, tuple(Run(n, t, (), dict(phases)) for n, t, phases in runs))
    tries = _between(curve) if regime == "between" else _later(curve)
    scores = list[tuple[float, float]]()
    for rest, held_back in tries:
        guess = estimate(rest, np.array([r.n for r in held_back]))
        off = (np.log([r.t for r in held_back]) - guess.mean) / guess.spread
        scores += [(float(x), 1.0 / len(held_back)) for x in off]
    return tuple(scores)


def _later(curve: Curve) -> Iterator[tuple[Curve, Sequence[Run]]]:
    """The first runs, and the later ones up to four times the largest of them."""
    least, count = ENOUGH_RUNS[curve.kind], len(curve.runs)
    for k in range(max(least, count - MOST_TRIES), count):
        held_back = [r for r in curve.runs[k:] if r.n <= FARTHEST_TRY * curve.runs[k - 1].n]
        if held_back:
            yield curve._replace(runs=curve.runs[:k]), held_back


def _between(curve: Curve) -> Iterator[tuple[Curve, Sequence[Run]]]:
    """Each run but the ends, and all others."""
    for k in range(1, len(curve.runs) - 1) if len(curve.runs) > ENOUGH_RUNS[curve.kind] else ():
        yield curve._replace(runs=(*curve.runs[:k], *curve.runs[k + 1 :])), [curve.runs[k]]


def _quantile(others: Sequence[float], own: Scores, level: float) -> float:
    """Of the mixture of the distribution of others, linear between its quantiles, and of the own errors."""
    if not own:
        return float(np.interp(level, LEVELS, others))
    below = level * (OWN_ERRORS_WEIGHT + math.fsum(w for _, w in own))
    places = sorted({*others, *(x for x, _ in own)})
    shares = [_share(others, own, x) for x in places]
    if below <= shares[0]:
        return places[0]

    for (x, a), (y, b) in pairwise(zip(places, shares, strict=True)):
        if below <= b:
            return x + (y - x) * (below - a) / max(b - a, 1e-12)
    return places[-1]


def _share(others: Sequence[float], own: Scores, x: float) -> float:
    below = math.fsum(w for y, w in own if y <= x)
    return OWN_ERRORS_WEIGHT * float(np.interp(x, others, LEVELS, left=0.0, right=1.0)) + below
