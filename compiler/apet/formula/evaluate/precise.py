"""Functions without exact values to 60 digits, as fractions. The one file that knows mpmath."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from apet.formula.graph.functions import MOST_BITS, rational_power

DIGITS = 60


def precise(function: str, arguments: Sequence[Any]) -> Fraction:
    """`sqrt`, `log`, `log2` or `pow` of exact numbers: exact where rational (27^(1/3)), else off by less than 10^-59.

    `OverflowError` for a result with so many digits that writing it out would take for ever.
    """
    rational = _rational(function, [Fraction(a) for a in arguments])
    if rational is not None:
        return rational
    import mpmath

    with mpmath.workdps(DIGITS + 10):
        values = [mpmath.mpf(Fraction(a).numerator) / Fraction(a).denominator for a in arguments]
        if function == "pow":
            result = values[0] ** values[1]
        elif function == "log2":
            result = mpmath.log(values[0], 2)
        else:
            result = getattr(mpmath, function)(values[0])
        sign, mantissa, exponent, _ = result._mpf_
    if abs(int(exponent)) > MOST_BITS:
        raise OverflowError
    value = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return -value if sign else value


def _rational(function: str, values: list[Fraction]) -> Fraction | None:
    base = values[0]
    if function in ("sqrt", "pow") and base >= 0:
        root = rational_power(base, values[1] if function == "pow" else Fraction(1, 2))
        return None if root is None else Fraction(root)
    if function == "log2" and base > 0:
        power = base.numerator.bit_length() - base.denominator.bit_length()
        return Fraction(power) if base == Fraction(2) ** power else None
    return None
