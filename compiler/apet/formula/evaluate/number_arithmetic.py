"""Arithmetic on numbers: whole numbers and fractions stay exact, floats are as fast as Python can.

Symbols, and products of one level of the tape, are computed many at a time.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from itertools import chain
from operator import itemgetter, mul
from typing import Any, ClassVar

from apet.formula.evaluate.arithmetic import Arithmetic, Step, Values, reduced
from apet.formula.evaluate.discontinuities import decided_by, meeting, nearly_known, settling
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.precise import precise
from apet.formula.evaluate.tape import ALONE, SYMBOLS, Tape, gathering, is_slice
from apet.formula.evaluate.undefined import NO_MINIMUM, Undefined
from apet.formula.graph.functions import short_power
from apet.formula.graph.nodes import Call, Compare, NodeId, Rational, operands
from apet.ground.interval import Number

MOST_BITS_OF_A_FLOAT = 900
"""A whole number that is multiplied with a float must become one first."""
LONG = 5
"""Sums and products of this many operands are faster gathered than taken one by one."""


def quotient(left: Number, right: Number) -> Number:
    """left / right, exact where both are."""
    if right == 1:
        return left
    if isinstance(left, float | Undefined) or isinstance(right, float | Undefined):
        return left / right
    return Fraction(left) / right


def whole_power(base: Any, exponent: int) -> Any:
    """base ^ exponent; `OverflowError` where writing out an exact one would take for ever."""
    if isinstance(base, int | Fraction) and not short_power(base, exponent):
        raise OverflowError
    return base**exponent


def _power(base: Any, exponent: Any) -> Any:
    if type(exponent) is int and not isinstance(base, float):
        return reduced(whole_power(Fraction(base), exponent))
    result = base**exponent
    if isinstance(result, complex):
        raise ValueError("a fractional power of a negative number")
    return result


def _root(x: Any) -> Any:
    if x < 0:
        raise ValueError("the square root of a negative number")
    return math.sqrt(x)


def _logarithm(base: Callable[[Any], float]) -> Callable[[Any], float]:
    def log(x: Any) -> float:
        if x <= 0:
            raise ValueError("the logarithm of a number that is not positive")
        return base(x)

    return log


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "abs": abs,
    "mod": lambda x, m: x % m,
    "pow": _power,
    "sqrt": _root,
    "log": _logarithm(math.log),
    "log2": _logarithm(math.log2),
}


def _precisely(function: str) -> Callable[..., Any]:
    """A function to 60 digits: the error is far below that of rounding the result to a float."""

    def act(*arguments: Any) -> Any:
        FUNCTIONS[function](*arguments)
        return precise(function, arguments)

    return act


EXACT = FUNCTIONS | {name: _precisely(name) for name in ("pow", "sqrt", "log", "log2")}

COMPARISONS: dict[str, Callable[[Any, Any], int]] = {
    "<=": lambda a, b: int(a <= b),
    "<": lambda a, b: int(a < b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
}


class Numbers(Arithmetic):
    """Numbers on a tape; what a machine does not have is `Undefined` for as long as it is not needed."""

    plus = staticmethod(operator.add)
    times = staticmethod(operator.mul)
    over = staticmethod(quotient)
    power = staticmethod(whole_power)
    least = staticmethod(min)
    extremes: ClassVar = {"max": max, "min": min}
    comparisons = COMPARISONS
    functions = FUNCTIONS

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self.tape = tape

    def function(self, node: Call) -> Callable[..., Any]:
        """A function of the standard library, with a domain."""
        return self.functions[node.function]

    def fold(self, kind: str, bodies: Iterator[Any], low: Any, high: Any) -> Any:
        """One by one, in order: `sum` would round floats in another way."""
        if kind == "sum":
            return reduce(operator.add, bodies, 0)
        return max(chain((0,), bodies)) if kind == "max" else min(chain((NO_MINIMUM,), bodies))

    def parts(self, order: Sequence[NodeId]) -> Iterable[Sequence[NodeId]]:
        """Neighbours on the tape together."""
        return [nodes for _, nodes in self.tape.neighbours(order)]

    def steps(self, part: Sequence[NodeId]) -> list[Step]:
        """Symbols, or products of equally many plain factors, in one step; others alone."""
        kind = self.tape.kinds[part[0]]
        if kind == ALONE:
            return [self.step(part[0])]
        if kind == SYMBOLS:
            return [symbols_step(part, [self.nodes[n].name for n in part])]  # type: ignore[union-attr]
        return [products_step(part, [operands(self.nodes[n]) for n in part])]

    def sum_step(self, node: NodeId, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> Step:
        """Over a common denominator, so that whole numbers are multiplied."""
        return add_step(node, constant, terms)


class ExactNumbers(Numbers):
    """Functions without exact values are computed to 60 digits, as fractions; jumps allow for that."""

    functions = EXACT

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self._near = nearly_known(self.nodes)

    def settled(self, nodes: Iterable[NodeId]) -> list[Step]:
        """What is nearly whole becomes whole."""
        near = [n for n in nodes if n in self._near] if self._near else []
        return [settling(near)] if near else []

    def steps(self, part: Sequence[NodeId]) -> list[Step]:
        """The steps of a part, and before them what settles the operands at which it jumps."""
        here = self.nodes[part[0]]
        before = self.settled(decided_by(here))
        if before and isinstance(here, Compare):
            before.append(meeting(here.left, here.right))
        return before + super().steps(part)


def symbols_step(nodes: Sequence[NodeId], names: Sequence[str]) -> Step:
    """The values of symbols that are neighbours, in one go where they come from a mapping."""
    start, end = nodes[0], nodes[-1] + 1
    taken = itemgetter(*names)

    def run_one(values: Values, environment: Any) -> None:
        values[start] = environment.symbol(names[0])

    def run(values: Values, environment: Any) -> None:
        if type(environment) is MappingEnvironment:
            values[start:end] = taken(environment.values)
        else:
            values[start:end] = [environment.symbol(name) for name in names]

    return run if len(names) > 1 else run_one


def add_step(node: NodeId, constant: Any, terms: tuple[tuple[NodeId, Any], ...]) -> Step:
    bottom = math.lcm(constant.denominator, *[c.denominator for _, c in terms])
    if bottom.bit_length() > MOST_BITS_OF_A_FLOAT:
        return _sum_apart(node, constant, terms)
    scaled = terms if bottom == 1 else tuple([(n, int(c * bottom)) for n, c in terms])
    run = (_long_sum if len(terms) >= LONG else _short_sum)(node, int(constant * bottom), scaled)
    if bottom == 1:
        return run

    def run_over(values: Values, environment: Any) -> None:
        run(values, environment)
        values[node] = reduced(quotient(values[node], bottom))

    return run_over


def _short_sum(node: NodeId, start: int, terms: tuple[tuple[NodeId, int], ...]) -> Step:
    def run(values: Values, environment: Any) -> None:
        total = start
        for n, c in terms:
            total += values[n] * c
        values[node] = total

    return run


def _long_sum(node: NodeId, start: int, terms: tuple[tuple[NodeId, int], ...]) -> Step:
    gather, factors = gathering([n for n, _ in terms]), [c for _, c in terms]

    def run(values: Values, environment: Any) -> None:
        values[node] = sum(map(mul, gather(values), factors), start)

    def run_plain(values: Values, environment: Any) -> None:
        values[node] = sum(gather(values), start)

    return run_plain if all(c == 1 for c in factors) else run


def _sum_apart(node: NodeId, constant: Any, terms: tuple[tuple[NodeId, Any], ...]) -> Step:
    def run(values: Values, environment: Any) -> None:
        total: Any = constant
        for n, c in terms:
            total += values[n] * c
        values[node] = reduced(total)

    return run


def products_step(nodes: Sequence[NodeId], factors: Sequence[tuple[NodeId, ...]]) -> Step:
    """The products of plain factors, equally many in each."""
    if len(nodes) == 1:
        return _product(nodes[0], factors[0])
    first, *others = [gathering(column) for column in zip(*factors, strict=True)]
    start, end = nodes[0], nodes[-1] + 1

    def run(values: Values, environment: Any) -> None:
        products: Any = first(values)
        for gather in others:
            products = map(mul, products, gather(values))
        values[start:end] = products

    def run_scattered(values: Values, environment: Any) -> None:
        products: Any = first(values)
        for gather in others:
            products = map(mul, products, gather(values))
        for n, value in zip(nodes, products, strict=True):
            values[n] = value

    return run if is_slice(nodes) else run_scattered


def _product(node: NodeId, factors: tuple[NodeId, ...]) -> Step:
    def run(values: Values, environment: Any) -> None:
        product: Any = values[factors[0]]
        for n in factors[1:]:
            product *= values[n]
        values[node] = product

    return run
