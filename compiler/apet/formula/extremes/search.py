"""Branch and bound for the least value of a function over boxes, given enclosures of it.

The box of the least bound is split until the least bound is as good as the best value met. Before it is bounded, a box
shrinks to an end in every coordinate in which the function is monotone there; then the search needs few boxes around
a smooth minimum, where enclosures alone would need many.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import count

from apet.formula.evaluate.rounding import ZERO, absolute, add, infinite, multiply, negate, point, up
from apet.formula.extremes.monotone import sign
from apet.ground.interval import Interval, Number

Box = dict[str, Interval]
Values = Mapping[str, Number]


class BranchAndBound:
    """One search of at most about `most` evaluations; `boxes` counts the boxes bounded so far."""

    def __init__(
        self,
        bound: Callable[[Box], Number],
        value: Callable[[Values], Number | None],
        slopes: Callable[[Box], Mapping[str, Interval]],
        whole: frozenset[str],
        tolerance: float,
        most: int,
    ) -> None:
        self._bound = bound
        self._value = value
        self.slopes = slopes
        self.whole = whole
        self.tolerance = Fraction(tolerance)
        self.most = most
        self.boxes = 0
        self.evaluations = 0
        self.best: Number = math.inf
        self.scale: Number = 0
        self._widths: dict[str, Number] = {}

    def least(self, starts: list[Box]) -> tuple[Number, bool]:
        """A number that no value is below, and whether it is within tolerance of the least value."""
        self._widths = {n: max(s[n].hi - s[n].lo for s in starts) for n in starts[0]}
        order, queue = count(), list[tuple[Number, int, Box, Mapping[str, Interval]]]()
        settled: Number = math.inf
        floor: Number = -math.inf
        todo = starts

        while True:
            for box in todo:
                low, smaller, slopes = self._bounded(box, floor)
                if low <= self.best:
                    heapq.heappush(queue, (low, next(order), smaller, slopes))
            # a box is dropped when its bound is above the best value, which as a float may lie below the exact one
            least = min(settled, queue[0][0] if queue else math.inf, self.best)
            if self._close(least):
                return least, True
            if not queue or self.evaluations >= self.most:
                return least, False
            floor, _, box, slopes = heapq.heappop(queue)
            todo = self._split(box, slopes)
            if not todo:
                settled = min(settled, floor)  # nothing left to split: its bound stands

    def bound(self, box: Box) -> Number:
        """A lower bound over a box."""
        self.evaluations += 1
        return self._bound(box)

    def value(self, values: Values) -> Number | None:
        """The value at a point, None where there is none."""
        self.evaluations += 1
        return self._value(values)

    def _close(self, least: Number) -> bool:
        if infinite(self.best) or infinite(least):
            return False
        return self.best - least <= self.tolerance * self.scale

    def _bounded(self, box: Box, floor: Number) -> tuple[Number, Box, Mapping[str, Interval]]:
        """A lower bound over a box, the part of it where the least value lies, and the slopes there."""
        self.boxes += 1
        slopes = self.slopes(box)
        smaller = {n: point(_low_end(x, slopes.get(n, ZERO))) if _monotone(n, slopes) else x for n, x in box.items()}
        low: Number = max(floor, self.bound(smaller))
        centre = {n: self._middle(n, x) for n, x in smaller.items()}
        value = self.value(centre)
        if value is not None:
            self.best = min(self.best, value)
            self.scale = max(self.scale, value, -value)
        if low <= self.best:
            low = max(low, self._by_slopes(smaller, centre, slopes))

        return low, smaller, slopes

    def _by_slopes(self, box: Box, centre: Values, slopes: Mapping[str, Interval]) -> Number:
        """The bound f(centre) + slope * distance (mean value form)."""
        steps = ZERO
        for name, x in box.items():
            if x.is_point:
                continue
            slope = slopes[name]
            if infinite(slope.lo) or infinite(slope.hi):
                return -math.inf
            steps = add(steps, multiply(slope, add(x, negate(point(centre[name])))))
        if steps == ZERO:
            return -math.inf
        return add(point(self.bound({n: point(v) for n, v in centre.items()})), steps).lo

    def _middle(self, name: str, x: Interval) -> Number:
        if x.is_point:
            return x.lo
        if name in self.whole:
            return (int(x.lo) + int(x.hi)) // 2
        return float(x.lo / 2 + x.hi / 2)

    def _split(self, box: Box, slopes: Mapping[str, Interval]) -> list[Box]:
        """Two halves across the coordinate that matters most; none if no coordinate can be split."""
        for name in sorted((n for n, x in box.items() if not x.is_point), key=lambda n: -self._weight(n, box, slopes)):
            x, middle = box[name], self._middle(name, box[name])
            if name in self.whole:
                return [{**box, name: Interval(x.lo, middle)}, {**box, name: Interval(middle + 1, x.hi)}]
            if x.lo < middle < x.hi:
                return [{**box, name: Interval(x.lo, middle)}, {**box, name: Interval(middle, x.hi)}]
        return []

    def _weight(self, name: str, box: Box, slopes: Mapping[str, Interval]) -> float:
        """The width relative to the whole box; where all slopes are known, the change of the value across it."""
        width = box[name].hi - box[name].lo
        moving = [slopes[n] for n, x in box.items() if not x.is_point]
        if any(infinite(end) for slope in moving for end in slope):
            return up(width / self._widths[name]) if self._widths[name] else 0.0
        return up(width * absolute(slopes[name]).hi)


def _monotone(name: str, slopes: Mapping[str, Interval]) -> bool:
    return name in slopes and sign(slopes[name]) is not None


def _low_end(x: Interval, slope: Interval) -> Number:
    return x.lo if slope.lo >= 0 else x.hi
