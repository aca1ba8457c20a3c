"""An interval of which more is known: how its values are distributed.

Every distribution here is a mixture of *pieces*, uniform stretches with a weight; a piece of width zero is an atom.
Samples are atoms of equal weight. Quantiles are joined by straight lines, and what lies beyond the outermost of them is
put on it, so that no draw ever leaves the interval. An interval without more is one piece: its values are taken as
equally likely.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

from apet.ground.interval import Interval
from apet.ground.records import NamedTuple


class Piece(NamedTuple):
    """A share `weight` of all values, uniform from `lo` to `hi`."""

    weight: float
    lo: float
    hi: float


class Spread(Interval):
    """An interval with a distribution on it; as an interval it runs from the least to the greatest value given.

    `form` is "samples" or "quantiles"; `outside` the share of all values that the file says lie beyond the ends (0 for
    samples: of those nothing more is known).
    """

    __slots__ = ("form", "outside", "pieces")

    pieces: tuple[Piece, ...]
    form: str
    outside: float

    def __init__(self, pieces: Iterable[Piece], form: str = "samples", outside: float = 0.0) -> None:
        """`pieces` in ascending order, one or more; their weights sum to 1."""
        ordered = tuple(pieces)
        Interval.__init__(self, ordered[0].lo, ordered[-1].hi)
        for name, value in (("pieces", ordered), ("form", form), ("outside", outside)):
            object.__setattr__(self, name, value)

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other) and self._more == other._more  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((self.lo, self.hi, *self._more))

    @property
    def _more(self) -> tuple[object, ...]:
        return self.pieces, self.outside

    def __reduce__(self) -> tuple[type[Spread], tuple[Any, ...]]:
        return Spread, (self.pieces, self.form, self.outside)

    def __repr__(self) -> str:
        return f"Spread({self.form}, {self.lo!r}..{self.hi!r})"


def of_samples(samples: Sequence[float]) -> Spread:
    """The empirical distribution of measured values, each as likely as the others; equal ones are put together."""
    ordered, share = sorted(samples), 1 / len(samples)
    pieces: list[Piece] = []
    for value in ordered:
        if pieces and pieces[-1].lo == value:
            pieces[-1] = pieces[-1]._replace(weight=pieces[-1].weight + share)
        else:
            pieces.append(Piece(share, value, value))
    return Spread(pieces, "samples")


def of_quantiles(quantiles: Sequence[tuple[float, float]]) -> Spread:
    """Pairs (level, value) in ascending order of both, levels in [0, 1]; straight lines between them."""
    (first, low), (last, high) = quantiles[0], quantiles[-1]
    pieces = [Piece(first, low, low)] if first > 0 else []
    pieces += [Piece(u2 - u1, v1, v2) for (u1, v1), (u2, v2) in pairwise(quantiles)]
    if last < 1:
        pieces.append(Piece(1 - last, high, high))
    return Spread(pieces, "quantiles", first + (1 - last))


def pieces_of(interval: Interval) -> tuple[Piece, ...]:
    """The distribution of an interval: its own, or uniform where it has none."""
    if isinstance(interval, Spread):
        return interval.pieces
    return (Piece(1.0, float(interval.lo), float(interval.hi)),)


def quantile(pieces: Sequence[Piece], level: float) -> float:
    """The least value that a share `level` in [0, 1] of all values does not exceed."""
    ends = [0.0, *accumulate(p.weight for p in pieces)]
    k = min(bisect_right(ends, level) - 1, len(pieces) - 1)
    weight, low, high = pieces[k]
    return low + (high - low) * min(1.0, (level - ends[k]) / weight)


def mean(pieces: Sequence[Piece]) -> float:
    """The mean of a mixture of uniform stretches."""
    total = sum(p.weight for p in pieces)
    return sum(p.weight * (p.lo + p.hi) / 2 for p in pieces) / total


def central_moment(pieces: Sequence[Piece], order: int) -> float:
    """The moment about the mean: for a stretch [a, b] about c the mean of (a-c)^i (b-c)^(order-i), i = 0..order."""
    centre, total = mean(pieces), sum(p.weight for p in pieces)
    moment = 0.0
    for weight, low, high in pieces:
        a, b = low - centre, high - centre
        moment += weight * sum(a**i * b ** (order - i) for i in range(order + 1)) / (order + 1)
    return moment / total
