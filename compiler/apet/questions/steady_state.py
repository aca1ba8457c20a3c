"""The part of a parameter's range in which every station of an open network keeps up with what comes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from apet.cost.cost import SPARE
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.prediction.errors import Saturated
from apet.prediction.predictor import Predictor

DIGITS = 6
"""Of the border of a range, rounded towards the inside: numbers that can be written."""
HALVINGS = 60


def steady_range(
    predictor: Predictor, processors: int | None, settings: Mapping[str, Number | Interval], name: str, within: Interval
) -> Interval:
    """The part of a parameter's range with a steady state, or the range itself where there is none in it.

    Utilizations move in one direction with each demand, rate and number of servers, so that at most one end of the
    range lies beyond the border, which bisection finds.
    """
    app = predictor.app
    if not any(r.kind.startswith(SPARE) for r in app.requirements):
        return within

    def steady(value: Number) -> bool:
        try:
            predictor.predict(processors, {**settings, name: value})
        except ApetError as error:
            return not any(isinstance(d, Saturated) for d in error.diagnostics)
        return True

    low, high = steady(within.lo), steady(within.hi)
    if low == high:
        return within
    inside: Number = within.lo if low else within.hi
    outside: Number = within.hi if low else within.lo
    whole = name in app.whole
    for _ in range(HALVINGS):
        middle: Number = (int(inside) + int(outside)) // 2 if whole else (float(inside) + float(outside)) / 2
        if steady(middle):
            inside = middle
        else:
            outside = middle
        if whole and abs(int(inside) - int(outside)) <= 1:
            break
    border = inside if whole else _inward(float(inside), down=low)
    return Interval(within.lo, border) if low else Interval(border, within.hi)


def _inward(border: float, down: bool) -> Number:
    """A border above 0 as a decimal of few digits."""
    unit = Fraction(10) ** (math.floor(math.log10(border)) + 1 - DIGITS)
    units = Fraction(border) / unit
    return (math.floor(units) if down else math.ceil(units)) * unit
