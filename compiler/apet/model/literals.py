"""Numbers that are written with signs before them."""

from __future__ import annotations

from fractions import Fraction

from apet.model.terms import Expression, Number, Unary


def signed(expression: Expression | None) -> Number | None:
    """A literal with its signs, as one number; None for any other expression."""
    if isinstance(expression, Number):
        return expression
    if not isinstance(expression, Unary):
        return None
    inner = signed(expression.operand)
    return inner if inner is None or expression.operator == "+" else inner._replace(value=-inner.value)


def literal_value(expression: Expression | None) -> int | Fraction | None:
    """The value of a signed literal; None for any other expression."""
    number = signed(expression)
    return None if number is None else number.value


def literal_unit(expression: Expression | None) -> str:
    """The basic unit of a signed literal; "" where it has none, and for any other expression."""
    number = signed(expression)
    return "" if number is None else number.unit
