"""Curves as straight pieces in both logarithms: few of them, and as formulas that say where they bend.

T(n) = T(k_0) prod_i (min(max(n, k_i), k_{i+1}) / k_i)^{e_i}: a factor is 1 below its piece, and constant beyond it. The
first piece has no lower end, the last one no upper.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Rational
from apet.machine.fitted import FittedPieces

TOLERANCE = 1e-3
"""Greatest relative distance of a piece from the curve."""
NARROWEST = 1e-3
"""Of a piece, in ln n: what changes faster is a jump."""
ROUNDS = 12
DIGITS = 12
SHORT = 5
Sampled = Callable[[Sequence[float]], Sequence[tuple[float, ...]]]


def pieces_of(curves: Sampled, begin: Sequence[float]) -> tuple[FittedPieces, ...]:
    """Several curves, sampled at once, through points that ascend and what else each needs to be met."""
    sampled = dict(zip(begin, curves(begin), strict=True))
    waiting = list(pairwise(begin))
    for _ in range(ROUNDS):
        middles = [_between(a, b) for a, b in waiting]
        if not middles:
            break
        sampled |= zip(middles, curves(middles), strict=True)
        halves = list[tuple[float, float]]()
        for (a, b), middle in zip(waiting, middles, strict=True):
            if _off(sampled, a, middle, b) > TOLERANCE / 4 and math.log(b / a) > NARROWEST:
                halves += [(a, middle), (middle, b)]
        waiting = halves

    knots = sorted(sampled)
    count = len(next(iter(sampled.values())))
    return tuple(_thinned(knots, [sampled[n][k] for n in knots]) for k in range(count))


def _between(a: float, b: float) -> float:
    """The middle in logarithms, in few digits where that is between."""
    middle = math.sqrt(a * b)
    short = float(f"{middle:.{SHORT}g}")
    return short if a < short < b else middle


def _off(sampled: dict[float, tuple[float, ...]], a: float, middle: float, b: float) -> float:
    """How far the chords of all curves are from them in the middle."""
    rows = zip(sampled[a], sampled[middle], sampled[b], strict=True)
    part = math.log(middle / a) / math.log(b / a)
    return max(abs(math.log(m) - (1 - part) * math.log(x) - part * math.log(y)) for x, m, y in rows)


def _thinned(knots: Sequence[float], values: Sequence[float]) -> FittedPieces:
    """Only the knots that are needed (D. Douglas and T. Peucker, 1973)."""
    x, y = [math.log(n) for n in knots], [math.log(v) for v in values]
    corners, waiting = {0, len(knots) - 1}, [(0, len(knots) - 1)]

    while waiting:
        a, b = waiting.pop()
        slope = (y[b] - y[a]) / (x[b] - x[a])
        far = max(range(a + 1, b), key=lambda k: abs(y[k] - y[a] - slope * (x[k] - x[a])), default=a)
        if far != a and abs(y[far] - y[a] - slope * (x[far] - x[a])) > TOLERANCE:
            corners.add(far)
            waiting += [(a, far), (far, b)]
    indices = sorted(corners)
    return FittedPieces(tuple(knots[k] for k in indices), tuple(values[k] for k in indices))


def node_of(graph: Graph, pieces: FittedPieces, n: NodeId) -> NodeId:
    """The pieces as a formula in n."""
    knots, last = pieces.knots, len(pieces.knots) - 2
    factors = [graph.const(_exact(pieces.seconds[0]))]

    for k, exponent in enumerate(pieces.exponents):
        base = graph.scale(n, 1 / _exact(knots[k]))
        if k > 0:
            base = graph.maximum([base, graph.one])
        if k < last:
            base = graph.minimum([base, graph.const(_exact(knots[k + 1]) / _exact(knots[k]))])
        factors.append(graph.call("pow", [base, graph.const(_exact(exponent))]))
    return graph.times(*factors)


def _exact(value: float) -> Fraction:
    return Fraction(f"{value:.{DIGITS}g}")


def exact_number(value: float, digits: int = 12) -> Rational:
    """A number of so many digits as it is in formulas."""
    exact = Fraction(f"{value:.{digits}g}")
    return exact.numerator if exact.denominator == 1 else exact
