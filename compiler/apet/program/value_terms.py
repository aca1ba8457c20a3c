"""Symbolic values as expressions of a model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce

from apet.ground.source import Span
from apet.model.terms import Binary, Expression, Invoke, Name, Number, Unary
from apet.program.algebra import Atom, Coefficient, Function, Monomial, Value, digest

NOWHERE = Span(0, 0)
MOST_INLINE = 120
"""A function or product with more names and numbers than this is written once and named."""
LONGEST_SUM = 500
"""Terms of a sum without brackets."""
UNNAMED = "@part_"
"""Marks a factor that is named when the model is written."""
INFIX = ("*", "/", "%", "^", "<", "<=", ">", ">=", "==", "!=")


@lru_cache(maxsize=4096)  # weights of operations are mostly the same few values
def expression(value: Value) -> Expression:
    """A value as an expression of a model."""
    ordered = sorted(value.terms, key=lambda t: t[1] < 0)
    # A sum nests as deep as it is long: the parts of a long one stand in brackets.
    sums = [_sum(ordered[k : k + LONGEST_SUM]) for k in range(0, len(ordered), LONGEST_SUM)]
    return reduce(lambda left, right: Binary("+", left, right, NOWHERE), sums) if sums else number(0)


def _sum(ordered: Sequence[tuple[Monomial, Coefficient]]) -> Expression:
    total: Expression | None = None
    for monomial, factor in ordered:
        term = _product(monomial, max(factor, -factor))
        if total is None:
            total = Unary("-", term, NOWHERE) if factor < 0 else term
        else:
            total = Binary("-" if factor < 0 else "+", total, term, NOWHERE)
    assert total is not None
    return total


class NamedFactor(Name):
    """A function or product that is written once and named, or where it stands if it depends on what is bound there."""

    atom: Function

    def __new__(cls, atom: Function) -> NamedFactor:
        """The name that stands for it until the model is written."""
        name = super().__new__(cls, f"{UNNAMED}{digest(atom.key)}", NOWHERE)
        name.atom = atom
        return name

    @property
    def definition(self) -> Expression:
        """The function or product itself."""
        return _written(self.atom)


def number(value: Coefficient) -> Number:
    """A literal of a number that is not negative."""
    return Number(int(value) if value.denominator == 1 else value, "", NOWHERE)


def _product(monomial: Monomial, factor: Coefficient) -> Expression:
    product: Expression | None = number(factor.numerator) if factor.numerator != 1 or not monomial else None
    for atom in monomial:
        one = _atom(atom)
        product = one if product is None else Binary("*", product, one, NOWHERE)
    assert product is not None
    if factor.denominator != 1:
        product = Binary("/", product, number(factor.denominator), NOWHERE)
    return product


def _atom(atom: Atom) -> Expression:
    if isinstance(atom, str):
        return Name(atom, NOWHERE)
    if atom.size > MOST_INLINE:
        return NamedFactor(atom)
    return _written(atom)


def _written(atom: Function) -> Expression:
    arguments = tuple(expression(a) for a in atom.arguments)
    if atom.name in INFIX:
        return Binary(atom.name, arguments[0], arguments[1], NOWHERE)
    return Invoke(atom.name, None, arguments, NOWHERE)
