"""Means and variances of times that follow each other or run at the same time, by fitted Erlang distributions.

As in the overlap-factor model of V. W. Mak and S. F. Lundstrom (IEEE TPDS 1(3), 1990): with c2 = variance / mean^2 a
time has m = 1 phases if c2 > 1, else round(1 / c2), at most 20, of rate x = m / mean. For independent A and B

    T(A, B, o) = E[A^(o + 1); A < B]
               = (xA/s)^mA s^-(o + 1) sum_{k < mB} (xB/s)^k (mA + k + o)! / ((mA - 1)! k!),  s = xA + xB.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple

MOST_PHASES = 20


class Moments(NamedTuple):
    """Mean seconds and their variance."""

    mean: float
    variance: float


NONE = Moments(0.0, 0.0)


def serial(parts: Iterable[Moments]) -> Moments:
    """Independent times one after the other."""
    moments = list(parts)
    return Moments(sum(m.mean for m in moments), sum(m.variance for m in moments))


def parallel(parts: Iterable[Moments]) -> Moments:
    """The greatest of independent times, folded pair by pair."""
    return reduce(_greater, parts, NONE)


def harmonic(parts: Iterable[Moments]) -> Moments:
    """The fork/join operator H_k max: k exponential times as long as the longest."""
    branches = [m for m in parts if m.mean > 0]
    longest = max((m.mean for m in branches), default=0.0)
    count = range(1, len(branches) + 1)
    return Moments(longest * sum(1 / i for i in count), longest**2 * sum(1 / i**2 for i in count))


def before(first: Moments, second: Moments) -> float:
    """P(first < second)."""
    if second.mean <= 0:
        return 0.0
    if first.mean <= 0:
        return 1.0
    return _moment(_fit(first), _fit(second), -1)


def _greater(a: Moments, b: Moments) -> Moments:
    if a.mean <= 0 or b.mean <= 0:
        return a if b.mean <= 0 else b
    fa, fb = _fit(a), _fit(b)
    mean = a.mean + b.mean - _moment(fa, fb, 0) - _moment(fb, fa, 0)
    squares = sum(m.mean**2 * (1 + 1 / f[0]) for m, f in ((a, fa), (b, fb)))
    square = squares - _moment(fa, fb, 1) - _moment(fb, fa, 1)
    return Moments(mean, max(0.0, square - mean**2))


def _fit(m: Moments) -> tuple[int, float]:
    variation = m.variance / m.mean**2
    phases = MOST_PHASES if variation <= 1 / MOST_PHASES else max(1, round(1 / variation))
    return phases, phases / m.mean


def _moment(a: tuple[int, float], b: tuple[int, float], order: int) -> float:
    (na, xa), (nb, xb) = a, b
    both = xa + xb
    share, term = xb / both, math.factorial(na + order) / math.factorial(na - 1)
    total = 0.0
    for k in range(nb):
        total += term
        term *= share * (na + k + 1 + order) / (k + 1)
    return total * (xa / both) ** na / both ** (order + 1)
