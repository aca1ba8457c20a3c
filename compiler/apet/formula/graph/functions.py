"""Folding of function calls and comparisons whose operands are constants or plainly simple."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from apet.formula.graph.nodes import Add, Call, Compare, NodeId, Rational, Symbol

if TYPE_CHECKING:
    from apet.formula.graph.graph import Graph

MOST_BITS = 65_536
"""Of an exact power; far more than a float or a literal has."""


def fold(graph: Graph, function: str, arguments: tuple[NodeId, ...]) -> NodeId:
    """A call in normal form; `ZeroDivisionError` and `ValueError` for constants outside the function's domain."""
    values = [graph.value(a) for a in arguments]
    if all(v is not None for v in values):
        folded = _constant(function, [v for v in values if v is not None])
        if folded is not None:
            return graph.const(folded)
    match function:
        case "floor" | "ceil":
            return _rounded(graph, function, arguments[0])
        case "mod":
            return _modulus(graph, *arguments)
        case "pow":
            exponent = values[1]
            if type(exponent) is int and short_power(graph.coefficient(arguments[0]), exponent):
                return graph.power(arguments[0], exponent)
        case "abs" if graph.nonnegative(arguments[0]):
            return arguments[0]
        case _:
            pass

    return graph.intern(Call(function, arguments))


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
        case "sqrt":
            return _exact_root(x)
        case "log" | "log2":
            return _exact_logarithm(function, x)
        case _:
            return None


def short_power(base: Rational, exponent: int) -> bool:
    """Whether a power has few enough digits to be written out."""
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    return bits * abs(exponent) <= MOST_BITS or base in (-1, 0, 1)


def _exact_root(x: Rational) -> Rational | None:
    if x < 0:
        raise ValueError("sqrt of a negative number")
    return rational_power(x, Fraction(1, 2))


def rational_power(base: Rational, exponent: Rational) -> Rational | None:
    """base ^ exponent of a base that is not negative, where it is rational and can be written out; else None."""
    degree = exponent.denominator
    top, bottom = _whole_root(base.numerator, degree), _whole_root(base.denominator, degree)
    if top is None or bottom is None or (not top and exponent <= 0):
        return None
    root = Fraction(top, bottom)
    return root**exponent.numerator if short_power(root, exponent.numerator) else None


def _whole_root(x: int, degree: int) -> int | None:
    """The number whose power of that degree is x, by Newton's method from above; None if there is none."""
    if x < 2 or degree == 1:
        return x
    if degree == 2:
        root = math.isqrt(x)
        return root if root * root == x else None
    if degree >= x.bit_length():
        return None  # it lies between 1 and 2
    root = 1 << -(-x.bit_length() // degree)
    while (lower := ((degree - 1) * root + x // root ** (degree - 1)) // degree) < root:
        root = lower
    return root if root**degree == x else None


def _exact_logarithm(function: str, x: Rational) -> Rational | None:
    if x <= 0:
        raise ValueError(f"{function} of a number that is not positive")
    if x == 1:
        return 0
    if function == "log2" and type(x) is int and x & (x - 1) == 0:
        return x.bit_length() - 1
    return None


def _rounded(graph: Graph, function: str, argument: NodeId) -> NodeId:
    """`floor(whole + rest)` is `whole + floor(rest)`."""
    if graph.integral[argument]:
        return argument
    constant, terms = graph.terms(argument)
    inside = [(n, c) for n, c in terms if not (type(c) is int and graph.integral[n])]
    outside = [(n, c) for n, c in terms if type(c) is int and graph.integral[n]]
    shift = math.floor(constant)
    if not outside and not shift:
        return graph.intern(Call(function, (argument,)))
    rest = graph.add(inside, constant - shift)
    return graph.add([*outside, (graph.call(function, (rest,)), 1)], shift)


def _modulus(graph: Graph, left: NodeId, right: NodeId) -> NodeId:
    if left == right or (graph.value(right) == 1 and graph.integral[left]):
        return graph.zero
    if graph.value(right) == 0:
        raise ZeroDivisionError("modulus 0")
    if graph.nonnegative(left) and graph.nonnegative(graph.shift(graph.minus(right, left), -1)):
        return left
    return graph.intern(Call("mod", (left, right)))


def fold_comparison(graph: Graph, operator: str, left: NodeId, right: NodeId) -> NodeId:
    """A comparison in normal form: `<=`, `<`, `==` or `!=`, decided where a sign is proved."""
    if operator in (">", ">="):
        return fold_comparison(graph, "<" if operator == ">" else "<=", right, left)
    difference = graph.minus(right, left)
    value = graph.value(difference)
    if value is not None:
        holds = {"<=": value >= 0, "<": value > 0, "==": value == 0, "!=": value != 0}[operator]
        return graph.one if holds else graph.zero
    if operator in ("<=", "<"):
        decided = _decided(graph, operator, difference)
        if decided is not None:
            return graph.one if decided else graph.zero
    if operator in ("==", "!=") and _apart(graph, difference):
        return graph.one if operator == "!=" else graph.zero

    return graph.intern(Compare(operator, left, right))


def _decided(graph: Graph, operator: str, difference: NodeId) -> bool | None:
    """Whether `0 <= difference` or `0 < difference` is proved true or false; whole numbers differ by 1 at least."""
    step = 1 if graph.integral[difference] else 0
    reverse = graph.scale(difference, -1)
    if operator == "<=":
        if graph.nonnegative(difference):
            return True
        return False if step and graph.nonnegative(graph.shift(reverse, -step)) else None
    if graph.nonnegative(reverse):
        return False
    return True if step and graph.nonnegative(graph.shift(difference, -step)) else None


def _apart(graph: Graph, difference: NodeId) -> bool:
    """Whether a difference is proved to be no zero."""
    constant, terms = graph.terms(difference)
    if not constant and len(terms) == 2 and terms[0][1] == -terms[1][1]:
        names = {symbol.name for n, _ in terms if isinstance(symbol := graph.nodes[n], Symbol)}
        if len(names & graph.distinct) == 2:
            return True
    whole_step = graph.integral[difference]
    for sign in (1, -1):
        signed = graph.scale(difference, sign)
        constant = graph.nodes[signed].constant if type(graph.nodes[signed]) is Add else 0  # type: ignore[union-attr]
        if constant > 0 and graph.nonnegative(graph.shift(signed, -constant)):
            return True
        if whole_step and graph.nonnegative(graph.shift(signed, -1)):
            return True

    return False
