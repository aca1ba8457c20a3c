"""Signs of values. A parameter without a range is never negative; a formal or an index may be."""

from __future__ import annotations

from apet.program.algebra import Atom, Function, Value
from apet.program.symbols import Symbol


def is_nonnegative(value: Value) -> bool:
    """Whether a value is surely not negative where its names are not."""
    return all(factor >= 0 and all(_is_nonnegative(a) for a in monomial) for monomial, factor in value.terms)


def is_positive(value: Value) -> bool:
    """Whether a value is surely greater than 0: as a number is, or a name that a loop counts or divides by."""
    number = value.constant
    if number is not None:
        return number > 0
    if not is_nonnegative(value):
        return False
    return any(not monomial for monomial, _ in value.terms) or all(
        all(isinstance(a, str) or (a.name == "^" and is_positive(a.arguments[0])) for a in monomial)
        for monomial, _ in value.terms
    )


def is_negative(value: Value) -> bool:
    """Whether a value is surely not positive."""
    return is_nonnegative(-value)


def _is_nonnegative(atom: Atom) -> bool:
    if isinstance(atom, str):
        return not (isinstance(atom, Symbol) and atom.signed)
    return _function(atom)


def _function(f: Function) -> bool:
    signs = [is_nonnegative(a) for a in f.arguments]
    match f.name:
        case "max":
            return any(signs)
        case "abs" | "sqrt" | "<" | "<=" | ">" | ">=" | "==" | "!=":
            return True
        case "%":
            return signs[-1]
        case "log2":
            return False
        case _:
            return all(signs)
