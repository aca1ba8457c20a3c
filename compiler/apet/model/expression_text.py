"""Expressions as text that parses back to the same expression, brackets only where needed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import assert_never

from apet.ground.units import PRINTED, UNITS
from apet.model.terms import Binary, Expression, Invoke, Lookup, Name, Number, SumOver, Unary

COMPARISON, ADDITION, PRODUCT, SIGNED, POWER, ATOM = range(6)
STRENGTHS = {"+": ADDITION, "-": ADDITION, "*": PRODUCT, "/": PRODUCT, "%": PRODUCT, "^": POWER}
SIDES = {
    COMPARISON: (ADDITION, ADDITION),
    ADDITION: (ADDITION, PRODUCT),
    PRODUCT: (PRODUCT, SIGNED),
    POWER: (ATOM, SIGNED),
}
Piece = str | tuple[Expression, int]


def expression_text(expression: Expression) -> str:
    """The text of an expression."""
    if isinstance(expression, Name):
        return expression.name
    if type(expression) is Invoke and expression.arguments is None and expression.subscripts is not None:
        names = [s.name for s in expression.subscripts if type(s) is Name]
        if len(names) == len(expression.subscripts):
            return f"{expression.name}[{', '.join(names)}]"
    return "".join(expression_pieces(expression))


def expression_pieces(expression: Expression) -> Iterator[str]:
    """The text of an expression, piece by piece."""
    stack: list[Piece] = [(expression, COMPARISON)]
    while stack:
        piece = stack.pop()
        if isinstance(piece, str):
            yield piece
            continue
        inner, least = piece
        pieces = _pieces(inner)
        if _strength(inner) < least:
            pieces = ["(", *pieces, ")"]
        stack.extend(reversed(pieces))


def literal(number: Number) -> str:
    """A literal with the unit that makes it shortest; of equally short ones, the basic unit or the decimal one."""
    if not number.unit and isinstance(number.value, int) and number.value < 10**9:
        return str(number.value)
    spellings = []
    for unit in PRINTED.get(number.unit, ("",)):
        digits = _decimal(Fraction(number.value) / (UNITS[unit].scale if unit else 1))
        if digits is not None:
            spellings.append(f"{digits} {unit}".rstrip())
    return min(spellings, key=len)


def _strength(expression: Expression) -> int:
    kind = type(expression)
    if kind is Binary:
        return STRENGTHS.get(expression.operator, COMPARISON)  # type: ignore[union-attr]
    return SIGNED if kind is Unary else ATOM


def _pieces(expression: Expression) -> list[Piece]:
    match expression:
        case Number():
            return [literal(expression)]
        case Name(name, _):
            return [name]

        case Unary(operator, operand, _):
            return [operator, (operand, SIGNED)]
        case Binary(operator, left, right, _):
            least_left, least_right = SIDES[_strength(expression)]
            return [(left, least_left), f" {operator} ", (right, least_right)]

        case SumOver(index, low, high, body, _):
            head = f"sum({index} = "
            return [head, (low, COMPARISON), ", ", (high, COMPARISON), ", ", (body, COMPARISON), ")"]
        case Lookup(table, index, _):
            return [f"{table.name}[", (index, COMPARISON), "]"]
        case Invoke(name, subscripts, arguments, _):
            pieces: list[Piece] = [name]
            if subscripts is not None:
                pieces += ["[", *_listed(subscripts), "]"]
            if arguments is not None:
                pieces += ["(", *_listed(arguments), ")"]
            return pieces
        case _:
            assert_never(expression)


def _listed(expressions: tuple[Expression, ...]) -> list[Piece]:
    pieces: list[Piece] = []
    for k, expression in enumerate(expressions):
        pieces += [", "] * (k > 0) + [(expression, COMPARISON)]
    return pieces


def _decimal(value: Fraction) -> str | None:
    """The shortest decimal text of a number that is not negative; None if its decimals do not end."""
    twos, fives, bottom = 0, 0, value.denominator
    while bottom % 2 == 0:
        bottom, twos = bottom // 2, twos + 1
    while bottom % 5 == 0:
        bottom, fives = bottom // 5, fives + 1
    if bottom != 1:
        return None
    places = max(twos, fives)
    digits = value.numerator * 10**places // value.denominator
    zeros = 0
    while digits and digits % 10 == 0:
        digits, zeros = digits // 10, zeros + 1

    return _placed(str(digits), zeros - places)


def _placed(digits: str, exponent: int) -> str:
    """`digits` times ten to the exponent; with an `e` where that is much shorter."""
    if exponent >= 0:
        return f"{digits}e{exponent}" if exponent > 9 else digits + "0" * exponent
    if -exponent < len(digits):
        return f"{digits[:exponent]}.{digits[exponent:]}"
    zeros = -exponent - len(digits)
    return f"{digits}e{exponent}" if zeros > 4 else f"0.{'0' * zeros}{digits}"
