"""Distributions of independent times put together as programs are: one after the other, at once, or by chance.

Cumulants of sums add, whatever the distributions; of maxima and mixtures they are taken from the distribution itself,
which is worked out on a grid where a maximum asks for it. Equal laws are one object, so a loop of a million equal
iterations costs as much as one. After H. Gautama & A. J. C. van Gemund (four moments of series-parallel programs).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from apet.machine.spread import Piece, central_moment, mean
from apet.questions.quantiles import grid_distribution as grids
from apet.questions.quantiles.grid_distribution import Grid

MOST_CONVOLVED = 24
"""Different summands that are convolved, those of the greatest variance; the others only tell their cumulants."""


class Cumulants(NamedTuple):
    """Mean, variance, third and fourth cumulant."""

    mean: float
    variance: float
    third: float = 0.0
    fourth: float = 0.0


class Law:
    """The distribution of one time. `number` tells laws of one `Laws` apart."""

    def __init__(self, number: int, cumulants: Cumulants, shape: Callable[[], Grid]) -> None:
        self.number = number
        self.cumulants = cumulants
        self._shape = shape
        self._grid: Grid | None = None

    @property
    def mean(self) -> float:
        """The expectation."""
        return self.cumulants.mean

    @property
    def deviation(self) -> float:
        """The standard deviation."""
        return math.sqrt(max(0.0, self.cumulants.variance))

    @property
    def grid(self) -> Grid:
        """The distribution, with the law's own mean and variance."""
        if self._grid is None:
            self._grid = grids.adjusted(self._shape(), self.cumulants.mean, self.cumulants.variance)
        return self._grid

    def quantile(self, level: float) -> float:
        """The quantile at a level in (0, 1)."""
        return self.grid.quantile(level)


Parts = Mapping[Law, float]
"""Laws and how many independent times of each."""


class Laws:
    """All laws of one walk; equal ones are one object.

    A `tolerance` above 0 saves the grid of a maximum whose mean is that of the greatest mean but for this share of it.
    """

    def __init__(self, tolerance: float = 0.0) -> None:
        self.tolerance = tolerance
        self._laws: dict[Hashable, Law] = {}
        self._parts: dict[int, dict[Law, float]] = {}
        self.nothing = self.constant(0.0)

    def constant(self, value: float) -> Law:
        """A time that is certain."""
        return self._law(("constant", value), Cumulants(value, 0.0), lambda: grids.point(value))

    def leaf(self, pieces: Sequence[Piece], scale: float = 1.0) -> Law:
        """A time that a machine file gives, `scale` times; the pieces may overlap."""
        scaled = tuple(Piece(w, lo * scale, hi * scale) for w, lo, hi in pieces)
        if all(p.lo == p.hi == scaled[0].lo for p in scaled):
            return self.constant(scaled[0].lo)
        variance = central_moment(scaled, 2)
        cumulants = Cumulants(
            mean(scaled), variance, central_moment(scaled, 3), central_moment(scaled, 4) - 3 * variance**2
        )
        return self._law(("leaf", scaled), cumulants, lambda: grids.of_pieces(scaled))

    def total(self, parts: Parts) -> Law:
        """The sum of independent times; a fractional number of one law counts as its share of mean and variance."""
        flat: defaultdict[Law, float] = defaultdict(float)
        shift = 0.0
        for law, n in parts.items():
            for inner, m in self._parts.get(law.number, {law: 1.0}).items():
                if inner.cumulants.variance == 0:
                    shift += n * m * inner.mean
                elif n * m > 0:
                    flat[inner] += n * m

        if not flat:
            return self.constant(shift)
        if shift == 0 and len(flat) == 1 and next(iter(flat.values())) == 1:
            return next(iter(flat))
        ordered = dict(sorted(flat.items(), key=lambda item: item[0].number))
        key = ("total", shift, tuple((law.number, n) for law, n in ordered.items()))
        law = self._law(key, _added(ordered, shift), lambda: _convolved(ordered, shift))
        self._parts.setdefault(law.number, {**ordered, self.constant(shift): 1.0} if shift else dict(ordered))
        return law

    def greatest(self, parts: Parts) -> Law:
        """The greatest of independent times."""
        flat = {law: n for law, n in parts.items() if n > 0}
        if not flat:
            return self.nothing
        if len(flat) == 1 and (next(iter(flat.values())) == 1 or next(iter(flat)).cumulants.variance == 0):
            return next(iter(flat))

        # constants need no grid, which would blur them
        if all(law.cumulants.variance == 0 for law in flat):
            return max(flat, key=lambda law: law.mean)

        greatest = max(flat, key=lambda law: law.mean)
        if self._excess(flat) < self.tolerance * greatest.mean:
            return greatest

        # in the order of their numbers, so that equal sets of laws have one key
        ordered = sorted(flat.items(), key=lambda item: item[0].number)
        key = ("greatest", tuple((law.number, n) for law, n in ordered))
        return self._from_grid(key, lambda: grids.greatest([(law.grid, n) for law, n in ordered]))

    def _excess(self, parts: Parts) -> float:
        """What the mean of the maximum is above the greatest mean, at most (T. Aven, J. Appl. Prob. 22, 1985)."""
        return math.sqrt(sum(n * law.cumulants.variance for law, n in parts.items()))

    def either(self, q: float, a: Law, b: Law) -> Law:
        """a with probability q, else b."""
        if a is b or q in (0, 1):
            return a if q == 1 or a is b else b
        return self._from_grid(("either", q, a.number, b.number), lambda: _mixed(q, a, b), _of_mixture(q, a, b))

    def scaled(self, law: Law, factor: float) -> Law:
        """A multiple of one time."""
        if factor == 1 or law is self.nothing:
            return law
        k = law.cumulants
        powers = [c * factor ** (i + 1) for i, c in enumerate(k)]

        def shape() -> Grid:
            start, step, masses = law.grid
            return Grid(start * factor, step * factor, masses)

        return self._law(("scaled", law.number, factor), Cumulants(*powers), shape)

    def _from_grid(self, key: Hashable, shape: Callable[[], Grid], cumulants: Cumulants | None = None) -> Law:
        law_of_grid = self._laws.get(key)
        if law_of_grid is None and cumulants is None:
            grid = shape()
            return self._law(key, Cumulants(*grid.cumulants()), lambda: grid)
        return law_of_grid or self._law(key, cumulants or Cumulants(0, 0), shape)

    def _law(self, key: Hashable, cumulants: Cumulants, shape: Callable[[], Grid]) -> Law:
        law = self._laws.get(key)
        if law is None:
            law = self._laws[key] = Law(len(self._laws), cumulants, shape)
        return law


def _added(parts: Parts, shift: float) -> Cumulants:
    sums = [math.fsum(n * law.cumulants[i] for law, n in parts.items()) for i in range(4)]
    return Cumulants(sums[0] + shift, *sums[1:])


def _convolved(parts: Parts, shift: float) -> Grid:
    """The sum's shape: parts of few convolved, parts of many by their cumulants."""
    ordered = sorted(parts.items(), key=lambda item: -item[1] * item[0].cumulants.variance)
    few = [(law, n) for law, n in ordered if n <= grids.EXACT_POWER and n == int(n)][:MOST_CONVOLVED]
    taken = {law for law, _ in few}
    many = [(law, n) for law, n in ordered if law not in taken]
    powers: list[Grid] = [grids.power(law.grid, int(n)) for law, n in few]
    if many:
        powers.append(grids.of_cumulants(*_added(dict(many), 0.0)[:3]))
    return _sum([*powers, grids.point(shift)])


def _sum(grids_to_add: Iterable[Grid]) -> Grid:
    ordered = sorted(grids_to_add, key=lambda g: g.end - g.start)
    total = ordered[0]
    for one in ordered[1:]:
        total = grids.sum_of_two(total, one)
    return total


def _of_mixture(q: float, a: Law, b: Law) -> Cumulants:
    """Cumulants of a mixture: central moments about the common mean. The variance holds q (1-q) (difference)²."""
    centre = q * a.mean + (1 - q) * b.mean
    second = third = fourth = 0.0
    for weight, (mean_of, variance, k3, k4) in ((q, a.cumulants), (1 - q, b.cumulants)):
        d = mean_of - centre
        second += weight * (variance + d * d)
        third += weight * (k3 + 3 * d * variance + d**3)
        fourth += weight * (k4 + 3 * variance**2 + 4 * d * k3 + 6 * d * d * variance + d**4)
    return Cumulants(centre, second, third, fourth - 3 * second**2)


def _mixed(q: float, a: Law, b: Law) -> Grid:
    """Both grids as atoms of one mixture."""
    pieces = []
    for weight, law in ((q, a), (1 - q, b)):
        half = law.grid.step / 2
        pieces += [
            Piece(weight * float(m), max(float(x) - half, 0.0), float(x) + half)
            for x, m in zip(law.grid.points, law.grid.masses, strict=True)
            if m > 0
        ]
    return grids.of_pieces(pieces)
