"""Subscripts as written: values put in for names, and in which direction one member lies from another."""

from __future__ import annotations

from collections.abc import Container
from fractions import Fraction

from apet.model.expression_text import expression_text
from apet.model.terms import Binary, Expression, Number, Unary
from apet.model.walk import names_in

Subscripts = tuple[Expression, ...]
Linear = dict[str, Fraction]
"""Coefficients by the text of what they multiply; the constant under the empty text."""


def direction(one: Subscripts, other: Subscripts) -> int | None:
    """1 where the other member comes after the one, by the first subscript in which they differ; -1 where before, 0
    where they are one member, None where that depends on values."""
    for left, right in zip(one, other, strict=True):
        difference = _linear(right)
        for text, coefficient in _linear(left).items():
            difference[text] = difference.get(text, Fraction(0)) - coefficient

        # what is left is linear in names: it has one sign for all their values only where the names cancel
        constant = difference.pop("", Fraction(0))
        if any(difference.values()):
            return None
        if constant:
            return 1 if constant > 0 else -1
    return 0


def values_of(subscripts: Subscripts) -> tuple[Fraction, ...] | None:
    """The values of subscripts that are plain numbers."""
    forms = [_linear(s) for s in subscripts]
    if any(value for form in forms for text, value in form.items() if text):
        return None
    return tuple(form.get("", Fraction(0)) for form in forms)


def is_closed(subscripts: Subscripts, parameters: Container[str]) -> bool:
    """Whether subscripts have one value throughout the model."""
    return all(name in parameters for s in subscripts for name in names_in(s))


def _linear(expression: Expression) -> Linear:
    match expression:
        case Number(value, _, _):
            return {"": Fraction(value)}

        case Unary(operator, operand, _):
            return _scaled(_linear(operand), Fraction(-1 if operator == "-" else 1))
        case Binary("+" | "-" as operator, left, right, _):
            form, sign = _linear(left), 1 if operator == "+" else -1
            for text, value in _linear(right).items():
                form[text] = form.get(text, Fraction(0)) + sign * value
            return form
        case Binary("*", Number(value, _, _), other, _) | Binary("*", other, Number(value, _, _), _):
            return _scaled(_linear(other), Fraction(value))
        case _:
            return {expression_text(expression): Fraction(1)}


def _scaled(form: Linear, factor: Fraction) -> Linear:
    return {text: factor * value for text, value in form.items()}
