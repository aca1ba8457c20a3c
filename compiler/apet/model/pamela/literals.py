"""Numbers of a model as they are written: digits, exponent, unit."""

from __future__ import annotations

import re
from fractions import Fraction

from apet.ground.source import Span
from apet.ground.units import UNITS
from apet.model.terms import Number

NUMBER = re.compile(r"([0-9.]+)(?:[eE]([+-]?[0-9]+))?[ \t]*(\w*(?:/s)?)")
MOST_DIGITS = 4000
"""Digits of a literal written out, before and after the point; arithmetic with 1e999999999 would never end."""


class UnreasonableLiteral(Exception):
    """A literal with more than `MOST_DIGITS` digits."""

    def __init__(self, span: Span) -> None:
        super().__init__("a literal with too many digits")
        self.span = span


def literal(text: str, span: Span) -> Number:
    """A literal with its unit applied, exact; an int where it is whole. `UnreasonableLiteral` if it is too long."""
    if text.isdigit() and len(text) < MOST_DIGITS:
        return tuple.__new__(Number, (int(text), "", span))  # half the time of calling the class
    m = NUMBER.fullmatch(text)
    assert m is not None
    digits, exponent, unit = m[1], m[2] or "0", m[3]
    if max(len(digits), len(exponent)) > MOST_DIGITS or len(digits) + abs(int(exponent)) > MOST_DIGITS:
        raise UnreasonableLiteral(span)

    value: int | Fraction = Fraction(f"{digits}e{exponent}")
    if unit:
        value, unit = value * UNITS[unit].scale, UNITS[unit].basic
    whole = value.numerator if value.denominator == 1 else value
    return Number(whole, unit, span)
