"""Folding of function calls and comparisons whose operands are constants or plainly simple."""

from __future__ import annotations

import math
from fractions import Fraction

from apet.formula.graph.facts import Facts
from apet.formula.graph.nodes import Add, Call, Compare, Extreme, NodeId, Rational, Symbol
from apet.ground.exact import rational_value, short_power


def fold(facts: Facts, function: str, arguments: tuple[NodeId, ...]) -> NodeId:
    """A call in normal form; `ZeroDivisionError` and `ValueError` for constants outside the function's domain."""
    values = [facts.store.value(a) for a in arguments]
    if all(v is not None for v in values):
        folded = _constant(function, [v for v in values if v is not None])
        if folded is not None:
            return facts.store.const(folded)
    match function:
        case "floor" | "ceil":
            return _rounded(facts, function, arguments[0])
        case "mod":
            return _modulus(facts, *arguments)
        case "pow":
            exponent = values[1]
            if type(exponent) is int and short_power(facts.store.coefficient(arguments[0]), exponent):
                return facts.store.power(arguments[0], exponent)
        case "abs" if facts.nonnegative(arguments[0]):
            return arguments[0]
        case _:
            pass

    return facts.store.intern(Call(function, arguments))


def _constant(function: str, values: list[Rational]) -> Rational | None:
    """The exact value, or None where there is no exact one."""
    x = values[0]

    match function:
        case "floor":
            return math.floor(x)
        case "ceil":
            return math.ceil(x)
        case "abs":
            return x if x >= 0 else -x
        case "mod":
            return x % values[1]
        case "pow":
            return Fraction(x) ** values[1] if type(values[1]) is int and short_power(x, values[1]) else None
        case "sqrt" | "log" | "log2":
            return rational_value(function, x)
        case _:
            return None


def _rounded(facts: Facts, function: str, argument: NodeId) -> NodeId:
    """`floor(whole + rest)` is `whole + floor(rest)`."""
    if facts.store.integral[argument]:
        return argument
    constant, terms = facts.store.terms(argument)
    inside = [(n, c) for n, c in terms if not (type(c) is int and facts.store.integral[n])]
    outside = [(n, c) for n, c in terms if type(c) is int and facts.store.integral[n]]
    shift = math.floor(constant)
    if not outside and not shift:
        known = _whole_beside(facts, function, argument)
        return facts.store.intern(Call(function, (argument,))) if known is None else facts.store.const(known)
    rest = facts.store.add(inside, constant - shift)
    return facts.store.add([*outside, (fold(facts, function, (rest,)), 1)], shift)


def _whole_beside(facts: Facts, function: str, node: NodeId) -> int | None:
    """The whole number below ("floor") or above a number that is not rational: a root, a logarithm, an extreme of them.

    floor(sqrt(x)) is that of the root of floor(x), and ceil(sqrt(x)) is one more than that of the greatest whole number
    below x; so it is with log2 and the number of binary digits. None of what is no number, or not of these.
    """
    value = facts.store.value(node)
    if value is not None:
        return math.floor(value) if function == "floor" else math.ceil(value)
    match facts.store.nodes[node]:
        case Extreme(kind, operands):
            parts = [_whole_beside(facts, function, n) for n in operands]
            known = [p for p in parts if p is not None]
            return (max if kind == "max" else min)(known) if len(known) == len(parts) else None
        case Call("sqrt" | "log2" as inner, (operand,)):
            x = facts.store.value(operand)
            if x is None or x <= 1:
                return None
            below = math.floor(x) if function == "floor" else math.ceil(x) - 1
            whole = math.isqrt(below) if inner == "sqrt" else below.bit_length() - 1
            return whole + (function == "ceil")
        case _:
            return None


def _modulus(facts: Facts, left: NodeId, right: NodeId) -> NodeId:
    if left == right or (facts.store.value(right) == 1 and facts.store.integral[left]):
        return facts.store.zero
    if facts.store.value(right) == 0:
        raise ZeroDivisionError("modulus 0")
    if facts.nonnegative(left) and facts.nonnegative(facts.store.shift(facts.store.minus(right, left), -1)):
        return left
    return facts.store.intern(Call("mod", (left, right)))


def fold_comparison(facts: Facts, operator: str, left: NodeId, right: NodeId) -> NodeId:
    """A comparison in normal form: `<=`, `<`, `==` or `!=`, decided where a sign is proved."""
    if operator in (">", ">="):
        return fold_comparison(facts, "<" if operator == ">" else "<=", right, left)
    difference = facts.store.minus(right, left)
    value = facts.store.value(difference)
    if value is not None:
        holds = {"<=": value >= 0, "<": value > 0, "==": value == 0, "!=": value != 0}[operator]
        return facts.store.one if holds else facts.store.zero
    if operator in ("<=", "<"):
        decided = _decided(facts, operator, difference)
        if decided is not None:
            return facts.store.one if decided else facts.store.zero
    if operator in ("==", "!=") and _apart(facts, difference):
        return facts.store.one if operator == "!=" else facts.store.zero

    return facts.store.intern(Compare(operator, left, right))


def _decided(facts: Facts, operator: str, difference: NodeId) -> bool | None:
    """Whether `0 <= difference` or `0 < difference` is proved true or false; whole numbers differ by 1 at least."""
    step = 1 if facts.store.integral[difference] else 0
    reverse = facts.store.scale(difference, -1)
    if operator == "<=":
        if facts.nonnegative(difference):
            return True
        return False if step and facts.nonnegative(facts.store.shift(reverse, -step)) else None
    if facts.nonnegative(reverse):
        return False
    return True if step and facts.nonnegative(facts.store.shift(difference, -step)) else None


def _apart(facts: Facts, difference: NodeId) -> bool:
    """Whether a difference is proved to be no zero."""
    constant, terms = facts.store.terms(difference)
    if not constant and len(terms) == 2 and terms[0][1] == -terms[1][1]:
        names = {symbol.name for n, _ in terms if isinstance(symbol := facts.store.nodes[n], Symbol)}
        if len(names & facts.store.distinct) == 2:
            return True
    whole_step = facts.store.integral[difference]
    for sign in (1, -1):
        signed = facts.store.scale(difference, sign)
        constant = facts.store.nodes[signed].constant if type(facts.store.nodes[signed]) is Add else 0  # type: ignore[union-attr]
        if constant > 0 and facts.nonnegative(facts.store.shift(signed, -constant)):
            return True
        if whole_step and facts.nonnegative(facts.store.shift(signed, -1)):
            return True

    return False
