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

from apet.formula.evaluate.arithmetic import Arithmetic, Step, Values
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.tape import ALONE, SYMBOLS, Tape, gathering, is_slice
from apet.formula.evaluate.undefined import NO_MINIMUM, Undefined, none_of
from apet.formula.graph.nodes import Call, Const, Index, Item, NodeId, Rational, Symbol, operands
from apet.ground.exact import MOST_BITS, binary_logarithm, logarithm, power, reduced, square_root
from apet.ground.interval import Number

MOST_BITS_OF_A_FLOAT = 900
"""A whole number that is multiplied with a float must become one first."""
EXACTLY = frozenset((int, Fraction))
PLAIN = (Const, Symbol, Index)
"""Kinds of nodes whose values are exact."""
LONGEST_DENOMINATOR = 512
"""Bits up to which a fraction is not long."""
MOST_DENOMINATORS, MOST_PENDING = 16, 4096
"""Denominators that a sum keeps apart, and addends that it keeps for later."""
LONG = 5
"""Sums and products of this many operands are faster gathered than taken one by one."""


def quotient(left: Number, right: Number) -> Number:
    """left / right, exact where both are; undefined where right is 0."""
    if type(right) is int and right == 1:
        return left
    try:
        return Fraction(left) / right if type(left) is int and type(right) is not float else left / right
    except ZeroDivisionError as error:
        return Undefined(error)  # type: ignore[return-value]


def quotient_if_any(left: Number, right: Number) -> Number:
    """The same where nothing of what has no value is 0: rounds that a loop does not have, each of work / 0."""
    return left if type(left) in EXACTLY and not left else quotient(left, right)


def real_power(base: Any, exponent: int) -> Any:
    """base ^ exponent; a number between two ends where an exact one is long."""
    if type(base) not in EXACTLY:
        return base**exponent
    broken = exponent < 0 or type(base) is Fraction
    size = abs(exponent) * max(base.numerator.bit_length(), base.denominator.bit_length())
    if size <= (LONGEST_DENOMINATOR if broken else MOST_BITS) or base in (-1, 0, 1):
        return (Fraction(base) if broken else base) ** exponent
    from apet.formula.evaluate.reals import power

    return power(base, exponent)


def whole_power(base: Any, exponent: int) -> Any:
    """base ^ exponent, as a float where an exact one is long; `OverflowError` where that is too large."""
    power = real_power(base, exponent)
    return power if type(power) in EXACTLY or isinstance(power, float | Undefined) else float(power)


def _power(base: Any, exponent: Any) -> Any:
    if type(exponent) is int and not isinstance(base, float):
        return reduced(whole_power(base, exponent))
    return power(base, exponent)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "abs": abs,
    "mod": lambda x, m: x % m,
    "pow": _power,
    "sqrt": square_root,
    "log": logarithm,
    "log2": binary_logarithm,
}


def _certainly(function: str) -> Callable[..., Any]:
    """A function between two ends, exact where its value is rational."""

    def act(x: Any, *exponent: Any) -> Any:
        if any(type(v) not in EXACTLY and isinstance(v, float | Undefined) for v in (x, *exponent)):
            return FUNCTIONS[function](x, *exponent)
        if function == "pow" and type(exponent[0]) is int:
            return reduced(real_power(x, exponent[0]))
        if x <= 0:
            zero_or_less = -1 if x < 0 else 0
            FUNCTIONS[function](zero_or_less, *[Fraction(1 if e > 0 else -1, 2) for e in exponent])
        from apet.formula.evaluate.reals import real

        return real(function, x, *exponent)

    return act


EXACT = FUNCTIONS | {name: _certainly(name) for name in ("pow", "sqrt", "log", "log2")}

COMPARISONS: dict[str, Callable[[Any, Any], int]] = {
    "<=": lambda a, b: int(a <= b),
    "<": lambda a, b: int(a < b),
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
}


Total = Callable[[Sequence[Any], Sequence[int], int], Any]
"""The sum of values, each times its factor, and of a whole number."""


def _total(values: Sequence[Any], factors: Sequence[int], start: int) -> Any:
    return sum(map(mul, values, factors), start)


def _exact_total(values: Sequence[Any], factors: Sequence[int], start: int) -> Any:
    """Fractions with the same denominator are added as whole numbers, and brought to a common one at the end."""
    above = {1: start}
    for value, factor in zip(values, factors, strict=True):
        if type(value) is not Fraction:
            if type(value) is not int:
                return _total(values, factors, start)
            above[1] += value * factor
        else:
            bottom = value.denominator
            above[bottom] = above.get(bottom, 0) + value.numerator * factor
    if len(above) == 1:
        return _total(values, factors, start)
    common = math.lcm(*above)
    return Fraction(sum(top * (common // bottom) for bottom, top in above.items()), common)


def exact_product(x: Any, y: Any) -> Any:
    """x * y; of two binary fractions, as floats are, without a search for common factors: these are powers of two."""
    if type(x) is not Fraction or type(y) is not Fraction:
        return x * y
    p, q = x.denominator, y.denominator
    bottom = p * q
    if bottom & (bottom - 1):
        return x * y
    top = x.numerator * y.numerator
    if p == 1 or q == 1:
        common = min(top & -top, bottom) or bottom
        top, bottom = top // common, bottom // common
    product = object.__new__(Fraction)
    product._numerator, product._denominator = top, bottom  # type: ignore[attr-defined]  # in lowest terms
    return product


class Numbers(Arithmetic):
    """Numbers on a tape; what a machine does not have is `Undefined` for as long as it is not needed."""

    plus = staticmethod(operator.add)
    times = staticmethod(operator.mul)
    over: Callable[[Any, Any], Any] = staticmethod(quotient)
    power = staticmethod(whole_power)
    least = staticmethod(min)
    product: Callable[[Any, Any], Any] = staticmethod(mul)
    total: Total = staticmethod(_total)
    extremes: ClassVar = {"max": max, "min": min}
    comparisons = COMPARISONS
    functions = FUNCTIONS

    def __init__(self, tape: Tape, checked: bool = False) -> None:
        """`checked`: what has a value is known, so that 0 / 0 is 0: it is none of something that does not exist."""
        super().__init__(tape)
        self.tape = tape
        if checked:
            self.over = quotient_if_any

    def function(self, node: Call) -> Callable[..., Any]:
        """A function of the standard library, with a domain."""
        return self.functions[node.function]

    def fold(self, kind: str, bodies: Iterator[Any], low: Any, high: Any) -> Any:
        """One by one, in order: `sum` would round floats in another way."""
        if kind == "sum":
            return self._sum(bodies)
        return max(chain((0,), bodies)) if kind == "max" else min(chain((NO_MINIMUM,), bodies))

    def _sum(self, bodies: Iterator[Any]) -> Any:
        """The digits stay few: those of the exact sum of 1 / i grow with every round."""
        total: Any = 0
        for body in bodies:
            total += body
            if type(total) is Fraction and total.denominator.bit_length() > LONGEST_DENOMINATOR:
                total = self.shortened(total)
        return total

    def shortened(self, value: Fraction) -> Any:
        """A fraction of many digits as a float."""
        return float(value)

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
        return [products_step(part, [operands(self.nodes[n]) for n in part], self.product)]

    def sum_step(self, node: NodeId, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> Step:
        """Over a common denominator, so that whole numbers are multiplied."""
        return add_step(node, constant, terms, self.total)


def _picked(ordinary: Callable[..., Any], pick: str) -> Callable[[Iterable[Any]], Any]:
    """The greatest or least of numbers, of which some may be known between two ends only."""

    def act(values: Iterable[Any]) -> Any:
        numbers = list(values)
        if all(type(v) in EXACTLY for v in numbers):
            return ordinary(numbers)
        known = [v for v in numbers if not isinstance(v, Undefined)]
        if len(known) < len(numbers) and (pick == "larger" or not known):
            return none_of(*numbers)  # as if it were infinite
        from apet.formula.evaluate import reals

        return reduce(getattr(reals, pick), known)

    return act


class ExactNumbers(Numbers):
    """Fractions where they are short; other numbers lie between two ends (`reals`)."""

    functions = EXACT
    power = staticmethod(real_power)
    product = staticmethod(exact_product)
    total = staticmethod(_exact_total)
    extremes: ClassVar = {"max": _picked(max, "larger"), "min": _picked(min, "smaller")}

    def fold(self, kind: str, bodies: Iterator[Any], low: Any, high: Any) -> Any:
        """As for other numbers; the greatest and the least may be known between two ends only."""
        if kind == "sum":
            return self._sum(bodies)
        pick = self.extremes[kind]
        start = 0 if kind == "max" else next(bodies, NO_MINIMUM)
        return reduce(lambda one, other: pick((one, other)), bodies, start)

    def _sum(self, bodies: Iterator[Any]) -> Any:
        """Fractions with the same denominator are added as whole numbers: times of messages are few and come often."""
        above: dict[int, int] = {}
        rest: list[Any] = []
        for body in bodies:
            if type(body) is Fraction and len(above) < MOST_DENOMINATORS:
                above[body.denominator] = above.get(body.denominator, 0) + body.numerator
            else:
                rest.append(body)
                if len(rest) == MOST_PENDING:
                    rest = [super()._sum(iter(rest))]
        return super()._sum(chain(rest, (Fraction(top, bottom) for bottom, top in above.items())))

    def shortened(self, value: Fraction) -> Any:
        """A fraction as a number between two ends, where it has far more digits than they have."""
        from apet.formula.evaluate.reals import LENGTH, PRECISION, Real

        most = LENGTH * PRECISION.get().bits
        return Real.of(value) if value.denominator.bit_length() > most else value

    def settled(self, nodes: Iterable[NodeId]) -> list[Step]:
        """Subscripts are whole, where they are proved to be."""
        numbers = [n for n in nodes if type(self.nodes[n]) not in PLAIN]
        return [settling(numbers)] if numbers else []

    def steps(self, part: Sequence[NodeId]) -> list[Step]:
        """The steps of a part, and before them what settles the subscripts of a machine quantity."""
        here = self.nodes[part[0]]
        return (self.settled(here.subscripts) if isinstance(here, Item) else []) + super().steps(part)


def settling(nodes: Sequence[NodeId]) -> Step:
    """A step that makes fractions or whole numbers of some values."""

    def run(values: Values, environment: Any) -> None:
        for n in nodes:
            if type(values[n]) not in EXACTLY and hasattr(values[n], "settled"):
                values[n] = values[n].settled()

    return run


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


def add_step(node: NodeId, constant: Any, terms: tuple[tuple[NodeId, Any], ...], total: Total) -> Step:
    bottom = math.lcm(constant.denominator, *[c.denominator for _, c in terms])
    if bottom.bit_length() > MOST_BITS_OF_A_FLOAT:
        return _sum_apart(node, constant, terms)
    scaled = terms if bottom == 1 else tuple([(n, int(c * bottom)) for n, c in terms])
    start = int(constant * bottom)
    run = _long_sum(node, start, scaled, total) if len(terms) >= LONG else _short_sum(node, start, scaled)
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


def _long_sum(node: NodeId, start: int, terms: tuple[tuple[NodeId, int], ...], total: Total) -> Step:
    gather, factors = gathering([n for n, _ in terms]), [c for _, c in terms]

    def run(values: Values, environment: Any) -> None:
        values[node] = total(gather(values), factors, start)

    def run_plain(values: Values, environment: Any) -> None:
        values[node] = sum(gather(values), start)

    return run_plain if total is _total and all(c == 1 for c in factors) else run


def _sum_apart(node: NodeId, constant: Any, terms: tuple[tuple[NodeId, Any], ...]) -> Step:
    def run(values: Values, environment: Any) -> None:
        total: Any = constant
        for n, c in terms:
            total += values[n] * c
        values[node] = reduced(total)

    return run


def products_step(
    nodes: Sequence[NodeId], factors: Sequence[tuple[NodeId, ...]], times: Callable[[Any, Any], Any]
) -> Step:
    """The products of plain factors, equally many in each."""
    if len(nodes) == 1:
        return _product(nodes[0], factors[0])
    first, *others = [gathering(column) for column in zip(*factors, strict=True)]
    start, end = nodes[0], nodes[-1] + 1

    def run(values: Values, environment: Any) -> None:
        products: Any = first(values)
        for gather in others:
            products = map(times, products, gather(values))
        values[start:end] = products

    def run_scattered(values: Values, environment: Any) -> None:
        products: Any = first(values)
        for gather in others:
            products = map(times, products, gather(values))
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
