"""Seconds as people read them: one unit for a whole table, three to four digits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from apet.ground.records import NamedTuple

UNITS = (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3), ("s", 1.0))
DIGITS = 3
WIDEST_SPREAD = 300.0


class Unit(NamedTuple):
    """A unit of time and how many seconds it is."""

    name: str
    seconds: float


def unit_for(values: Iterable[float], of: str = "s") -> Unit:
    """The greatest unit not above the middle (in logarithms) of the times; hours from a day on.

    What is no time, but "1/s" or a plain number (`of`), stays as it is.
    """
    if of != "s":
        return Unit(of.removeprefix("1"), 1.0)

    positive = [v for v in values if 0 < v < math.inf]
    if not positive:
        return Unit("s", 1.0)

    # the geometric middle; the roots first, since the product may overflow
    middle = math.sqrt(min(positive)) * math.sqrt(max(positive))
    if middle >= 86_400:
        return Unit("h", 3600.0)
    fitting = [u for u in UNITS if u[1] <= middle * 1.0000001]
    return Unit(*(fitting[-1] if fitting else UNITS[0]))


def column(values: Sequence[float], unit: Unit, outward: int = 0, among: Sequence[float] = ()) -> list[str]:
    """Times as numbers of the unit, with as many decimals as give the least of them three digits.

    Where they lie far apart each has its own decimals. `outward` -1 rounds down, +1 up, as an enclosure's ends must be.
    `among` are further values that shall have the same decimals.
    """
    scaled = [v / unit.seconds for v in values]
    sizes = [v for v in (*scaled, *(v / unit.seconds for v in among)) if 0 < v < math.inf]

    if sizes and max(sizes) / min(sizes) <= WIDEST_SPREAD:
        decimals = _decimals(min(sizes))
        return [_number_text(v, decimals, outward) for v in scaled]
    return [_number_text(v, _decimals(v), outward) for v in scaled]


def ends(low: Sequence[float], high: Sequence[float], unit: Unit, outward: int = 0) -> tuple[list[str], list[str]]:
    """The ends of intervals as in `column`; `outward` 1 rounds them away from each other.

    What is one number, but not with three digits, has up to six: 109.229 … 109.230 instead of 109 … 110.
    """
    below, above = column(low, unit, -outward, high), column(high, unit, outward, low)
    for k, (a, b) in enumerate(zip(low, high, strict=True)):
        if outward and below[k] != above[k] and math.isclose(a, b, rel_tol=1e-12):
            start = _decimals(b / unit.seconds)
            for decimals in range(start + 1, start + DIGITS + 1):
                below[k] = _number_text(a / unit.seconds, decimals, -outward)
                above[k] = _number_text(b / unit.seconds, decimals, outward)
                if below[k] == above[k]:
                    break
    return below, above


def single(seconds: float, of: str = "s") -> str:
    """One time with the unit that suits it."""
    unit = unit_for([seconds], of)
    return f"{column([seconds], unit)[0]} {unit.name}".rstrip()


def percent(share: float) -> str:
    """A share in whole per cent; what is small but not nothing is `< 1 %`, what is nearly all `> 99 %`."""
    if 0 < share < 0.01:
        return "< 1 %"
    if 0.99 < share < 1:
        return "> 99 %"
    return f"{share:.0%}".replace("%", " %")


def _decimals(value: float) -> int:
    if not 0 < value < math.inf:
        return 0
    return max(0, DIGITS - 1 - math.floor(math.log10(value)))


def _number_text(value: float, decimals: int, outward: int) -> str:
    if math.isinf(value):
        return "∞"
    if value == 0:
        return "0"
    if value >= 1e7 or decimals > 12:
        return f"{value:.3e}"
    return f"{_rounded(value, decimals, outward):,.{decimals}f}"


def _rounded(value: float, decimals: int, outward: int) -> float:
    """Rounded to the nearest, or outward unless the value is plainly a rounding error away from the nearest."""
    nearest = round(value, decimals)
    if not outward or math.isclose(value, nearest, rel_tol=1e-12):
        return nearest
    step = 10.0**-decimals
    if outward < 0:
        return nearest if nearest <= value else round(nearest - step, decimals)
    return nearest if nearest >= value else round(nearest + step, decimals)
