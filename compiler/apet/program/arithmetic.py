"""Arithmetic of numbers as machines do it: rounding towards 0, and the low bits of what is too great."""

from __future__ import annotations

from apet.program import types
from apet.program.algebra import Value, apply, quotient, too_long
from apet.program.signs import is_nonnegative

LARGEST_SHIFT = 62


def computed(operator: str, a: Value | None, b: Value | None, whole: bool) -> Value | None:
    """The value of an operator of two operands; None where it is not known, or too long."""
    if a is None or b is None:
        return None
    value = _arithmetic(operator, a, b, whole)
    return None if value is None or too_long(value) else value


def _arithmetic(operator: str, a: Value, b: Value, whole: bool) -> Value | None:
    places = b.integer

    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/":
            if b.constant == 0:
                return None
            return truncated(quotient(a, b)) if whole else quotient(a, b)
        case "%":
            return None if b.constant == 0 else _remainder(a, b)
        case "<<" if places is not None and 0 <= places <= LARGEST_SHIFT:
            return a * (1 << places)
        case "<<" if a.integer is not None:
            return a * apply("^", 2, b)
        case ">>" | ">>>" if (
            places is not None and 0 <= places <= LARGEST_SHIFT and (operator == ">>" or is_nonnegative(a))
        ):
            return apply("floor", quotient(a, 1 << places))
        case "&" if places is not None and places > 0 and (places + 1) & places == 0:
            return apply("%", a, places + 1)
        case _:
            return None


def truncated(value: Value) -> Value:
    """A number without its fraction, as quotients and casts to whole types are rounded: towards 0."""
    if is_nonnegative(value):
        return apply("floor", value)
    if is_nonnegative(-value):
        return apply("ceil", value)
    if value.is_whole():
        return value
    return apply("max", 0, apply("floor", value)) + apply("min", 0, apply("ceil", value))


def _remainder(a: Value, b: Value) -> Value | None:
    """What a division leaves, with the sign of the dividend."""
    if not is_nonnegative(b):
        if not is_nonnegative(-b):
            return None
        b = -b
    if is_nonnegative(a):
        return apply("%", a, b)
    if is_nonnegative(-a):
        return -apply("%", -a, b)
    return apply("%", apply("max", 0, a), b) - apply("%", apply("max", 0, -a), b)


def narrowed(value: Value, kind: str) -> Value:
    """The number that the low bits of a whole one are, in a type of fewer bits."""
    least, most = types.LIMITS[kind]["MIN_VALUE"], types.LIMITS[kind]["MAX_VALUE"]
    number = value.constant
    if number is not None and least <= number <= most:
        return value
    return apply("%", value - least, most - least + 1) + least
