"""The steps of a plan: one function per kind of node, which puts the node's value among the others."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from operator import itemgetter, mul
from typing import Any

from apet.formula.evaluate.environment import Environment, EvaluationError, MappingEnvironment
from apet.formula.evaluate.tape import gathering, is_slice
from apet.formula.evaluate.undefined import NO_MINIMUM, Undefined
from apet.formula.graph.functions import short_power
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Number

MOST_ITERATIONS = 3_000_000
"""Rounds of loops without closed form that one evaluation may run over, all loops together: some ten seconds."""
MOST_BITS_OF_A_FLOAT = 900
"""A whole number that is multiplied with a float must become one first."""
LONG = 5
"""Sums and products of this many operands are faster gathered than taken one by one."""

Step = Callable[[list[Any], Environment], None]


def span(low: Number | Undefined, high: Number | Undefined) -> range:
    """The integers from low to high; `EvaluationError` if they are too many to run over, `LookupError` if an end is
    undefined."""
    for end in (low, high):
        if isinstance(end, Undefined):
            raise end.error
    assert not isinstance(low, Undefined)
    assert not isinstance(high, Undefined)
    found = range(math.ceil(low), math.floor(high) + 1)
    if len(found) > MOST_ITERATIONS:
        raise EvaluationError(f"a loop of {len(found):,} iterations has no closed form and is too long to run over")
    return found


def spend(values: list[Any], rounds: int) -> None:
    """Take rounds from what an evaluation may run, which is kept behind the values; `EvaluationError` when it is used
    up."""
    values[-1] -= rounds
    if values[-1] < 0:
        raise EvaluationError(f"loops without closed form take more than {MOST_ITERATIONS:,} rounds, too many to run")


def quotient(left: Number, right: Number) -> Number:
    """left / right, exact where both are."""
    if right == 1:
        return left
    if isinstance(left, float | Undefined) or isinstance(right, float | Undefined):
        return left / right
    return Fraction(left) / right


def reduced(value: Number) -> Number:
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def symbols_step(nodes: Sequence[NodeId], names: Sequence[str]) -> Step:
    """The values of symbols that are neighbours, in one go where they come from a mapping."""
    start, end = nodes[0], nodes[-1] + 1
    taken = itemgetter(*names)

    def run_one(values: list[Any], environment: Environment) -> None:
        values[start] = environment.symbol(names[0])

    def run(values: list[Any], environment: Environment) -> None:
        if type(environment) is MappingEnvironment:
            values[start:end] = taken(environment.values)
        else:
            values[start:end] = [environment.symbol(name) for name in names]

    return run if len(names) > 1 else run_one


def item_step(node: NodeId, name: str, subscripts: tuple[NodeId, ...], arguments: tuple[NodeId, ...]) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        members, given = tuple([values[s] for s in subscripts]), tuple([values[a] for a in arguments])
        try:
            values[node] = environment.item(name, members, given)
        except LookupError as error:
            values[node] = Undefined(error)

    return run


def add_step(node: NodeId, constant: Any, terms: tuple[tuple[NodeId, Any], ...]) -> Step:
    bottom = math.lcm(constant.denominator, *[c.denominator for _, c in terms])
    if bottom.bit_length() > MOST_BITS_OF_A_FLOAT:
        return _sum_apart(node, constant, terms)
    scaled = terms if bottom == 1 else tuple([(n, int(c * bottom)) for n, c in terms])
    run = (_long_sum if len(terms) >= LONG else _short_sum)(node, int(constant * bottom), scaled)
    if bottom == 1:
        return run

    def run_over(values: list[Any], environment: Environment) -> None:
        run(values, environment)
        values[node] = reduced(quotient(values[node], bottom))

    return run_over


def _short_sum(node: NodeId, start: int, terms: tuple[tuple[NodeId, int], ...]) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        total = start
        for n, c in terms:
            total += values[n] * c
        values[node] = total

    return run


def _long_sum(node: NodeId, start: int, terms: tuple[tuple[NodeId, int], ...]) -> Step:
    gather, factors = gathering([n for n, _ in terms]), [c for _, c in terms]

    def run(values: list[Any], environment: Environment) -> None:
        values[node] = sum(map(mul, gather(values), factors), start)

    def run_plain(values: list[Any], environment: Environment) -> None:
        values[node] = sum(gather(values), start)

    return run_plain if all(c == 1 for c in factors) else run


def _sum_apart(node: NodeId, constant: Any, terms: tuple[tuple[NodeId, Any], ...]) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        total: Any = constant
        for n, c in terms:
            total += values[n] * c
        values[node] = reduced(total)

    return run


def whole_power(base: Any, exponent: int) -> Any:
    """base ^ exponent; `OverflowError` where writing out an exact one would take for ever."""
    if isinstance(base, int | Fraction) and not short_power(base, exponent):
        raise OverflowError
    return base**exponent


def products_step(nodes: Sequence[NodeId], factors: Sequence[tuple[NodeId, ...]]) -> Step:
    """The products of plain factors, equally many in each."""
    if len(nodes) == 1:
        return _product(nodes[0], factors[0])
    first, *others = [gathering(column) for column in zip(*factors, strict=True)]
    start, end = nodes[0], nodes[-1] + 1

    def run(values: list[Any], environment: Environment) -> None:
        found: Any = first(values)
        for gather in others:
            found = map(mul, found, gather(values))
        values[start:end] = found

    def run_scattered(values: list[Any], environment: Environment) -> None:
        found: Any = first(values)
        for gather in others:
            found = map(mul, found, gather(values))
        for n, value in zip(nodes, found, strict=True):
            values[n] = value

    return run if is_slice(nodes) else run_scattered


def _product(node: NodeId, factors: tuple[NodeId, ...]) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        product: Any = values[factors[0]]
        for n in factors[1:]:
            product *= values[n]
        values[node] = product

    return run


def mul_step(node: NodeId, factors: tuple[tuple[NodeId, int], ...]) -> Step:
    above, below = [(n, e) for n, e in factors if e > 0], [(n, -e) for n, e in factors if e < 0]

    def run_over(values: list[Any], environment: Environment) -> None:
        product: Any = 1
        for n, e in above:
            product *= whole_power(values[n], e)
        for n, e in below:
            product = quotient(product, whole_power(values[n], e))
        values[node] = reduced(product)

    return run_over


def extreme_step(node: NodeId, kind: str, found: tuple[NodeId, ...]) -> Step:
    pick = max if kind == "max" else min

    def run(values: list[Any], environment: Environment) -> None:
        values[node] = pick([values[n] for n in found])

    return run


def call_step(node: NodeId, act: Callable[..., Any], found: tuple[NodeId, ...]) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        values[node] = act(*[values[n] for n in found])

    return run


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
        from apet.formula.evaluate.precise import precise

        FUNCTIONS[function](*arguments)
        return precise(function, arguments)

    return act


EXACT = FUNCTIONS | {name: _precisely(name) for name in ("pow", "sqrt", "log", "log2")}


def compare_step(node: NodeId, operator: str, left: NodeId, right: NodeId) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        a, b = values[left], values[right]
        if operator == "<=":
            values[node] = int(a <= b)
        elif operator == "<":
            values[node] = int(a < b)
        else:
            values[node] = int((a == b) == (operator == "=="))

    return run


def reduce_step(
    node: NodeId, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId, steps: list[Step]
) -> Step:
    def run(values: list[Any], environment: Environment) -> None:
        total: Any = NO_MINIMUM if kind == "min" else 0
        ends = values[low], values[high]
        for end in ends:
            if isinstance(end, Undefined):
                values[node] = end
                return
        rounds = span(*ends)
        spend(values, len(rounds))
        for i in rounds:
            values[index] = i
            for step in steps:
                step(values, environment)
            found = values[body]
            if kind == "sum":
                total += found
            elif kind == "max":
                total = max(total, found)
            else:
                total = min(total, found)
        values[node] = total

    return run
