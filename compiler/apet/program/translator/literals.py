"""Texts of numbers and characters, as literals of syntax have them (JLS 3.10.1, 3.10.2, 3.10.4): their values."""

from __future__ import annotations

import math
from fractions import Fraction

_BASES = {"0x": 16, "0b": 2}
_EXACT = 1e40
"""A value beyond it, or below its inverse, is not followed: its fraction may have a million digits."""


def integer_value(text: str) -> int | None:
    """The value of an integer literal, None where there is none; `0xFFFFFFFF` is -1, as in Java."""
    digits = text.lower().removesuffix("l").replace("_", "")
    bits = 64 if text[-1] in "lL" else 32
    octal = len(digits) > 1 and digits[0] == "0"
    base = _BASES.get(digits[:2], 8 if octal else 10)
    try:
        value = int(digits[2:] if base in (2, 16) else digits, base)
    except ValueError:  # a digit beyond the base, none at all, or thousands of them
        return None

    if base == 10:  # 2^31 and 2^63 are literals too, behind a minus
        return value if value <= 2 ** (bits - 1) else None
    if value >= 2**bits:
        return None
    return value - 2**bits if value >= 2 ** (bits - 1) else value


_ESCAPES = {"b": 8, "t": 9, "n": 10, "f": 12, "r": 13, "s": 32, '"': 34, "'": 39, "\\": 92}


def character_value(text: str) -> int | None:
    """The code of a character literal with its quotes (JLS 3.10.4); None where it is none."""
    inside = text[1:-1]
    if len(inside) == 1:
        return ord(inside) if ord(inside) < 2**16 else None
    if not inside.startswith("\\"):
        return None
    escape = inside[1:]
    if escape in _ESCAPES:
        return _ESCAPES[escape]
    digits, base = (escape.lstrip("u"), 16) if escape.startswith("u") else (escape, 8)
    try:
        return int(digits, base)
    except ValueError:
        return None


def decimal_value(text: str) -> Fraction | None:
    """The exact value of a decimal literal; None where it is hexadecimal, or too long to be followed."""
    number = float_value(text)
    if not number:
        return None if number is None else Fraction(0)
    if text[:2].lower() == "0x" or not 1 / _EXACT < abs(number) < _EXACT:
        return None
    try:
        return Fraction(_digits(text))
    except ValueError:  # thousands of digits
        return None


def float_value(text: str) -> float | None:
    """A number as a double; None where it is malformed, infinite, or not 0 and yet rounded to 0."""
    digits = _digits(text)
    try:
        number = float.fromhex(digits) if digits[:2].lower() == "0x" else float(digits)
    except (ValueError, OverflowError):
        return None
    mantissa = digits.lower().removeprefix("0x").partition("p" if digits[:2].lower() == "0x" else "e")[0]
    vanishes = number == 0 and mantissa.strip("0.")
    return None if math.isinf(number) or vanishes else number


def _digits(text: str) -> str:
    return text.rstrip("dDfF").replace("_", "")
