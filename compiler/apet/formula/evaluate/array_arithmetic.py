"""Arithmetic on values that are numbers or arrays of draws; numbers stay exact until they meet an array.

What does not depend on a drawn quantity stays one exact number: the ranges of loops, tasks per processor, numbers of
iterations. So many draws are evaluated at once.
An array is a numpy array of floats with one element per draw. What is undefined stays so (see `undefined`)
and never becomes an element: which members exist does not depend on a draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial, reduce
from typing import Any, ClassVar

import numpy as np

from apet.formula.evaluate.arithmetic import Arithmetic, Step, Values
from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.interpreter import Interpreter
from apet.formula.evaluate.number_arithmetic import FUNCTIONS, quotient, whole_power
from apet.formula.evaluate.undefined import NO_MINIMUM, Undefined, none_of
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Call, Item, NodeId, Rational
from apet.ground.exact import reduced

NOT_ONE_NUMBER = "a range that is drawn from bounds a loop without closed form, or numbers a processor"


def is_array(value: Any) -> bool:
    """Whether a value differs from draw to draw."""
    return isinstance(value, np.ndarray)


def one_number(value: Any) -> Any:
    """The value where it must be the same in every draw; `EvaluationError` otherwise."""
    if is_array(value):
        raise EvaluationError(NOT_ONE_NUMBER)
    return value


def plus(left: Any, right: Any) -> Any:
    """left + right."""
    if isinstance(right, Undefined):  # first, as an array would add it to each of its elements
        return right + left
    if (is_array(left) or is_array(right)) and not isinstance(left, Undefined):
        return _float(left) + _float(right)
    return left + right


def times(left: Any, right: Any) -> Any:
    """left * right; 0 times what is undefined is 0."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Undefined):
            if is_array(other):
                return one.unlike() if np.any(other) else 0
            return one * other
    if is_array(left) or is_array(right):
        if _is_zero(left) or _is_zero(right):
            return 0
        return _float(left) * _float(right)
    return left * right


def over(left: Any, right: Any) -> Any:
    """left / right, exact where both are; undefined where any draw divides by zero."""
    undefined = none_of(left, right)
    if undefined is not None:
        return 0 if _is_zero(left) else undefined.unlike()
    if is_array(left) or is_array(right):
        if (is_array(right) and not np.all(right)) or _is_zero(right):
            return Undefined(ZeroDivisionError())
        return _float(left) / _float(right)
    return quotient(left, right)


def weighed_sum(values: Sequence[Any], constant: Any, terms: Iterable[tuple[int, Any, float]]) -> Any:
    """constant + sum of coefficient * value; a term is (node, exact coefficient, the same as a float)."""
    exact, drawn = constant, None
    for node, coefficient, rounded in terms:
        value = values[node]
        if not is_array(value):
            exact = exact + value * coefficient
        elif drawn is None:
            drawn = value * rounded
        else:
            drawn += value * rounded
    if drawn is None or isinstance(exact, Undefined):
        return reduced(exact)

    return drawn + float(exact) if exact else drawn


def power(base: Any, exponent: int) -> Any:
    """base ^ exponent for a whole exponent of at least 1."""
    return base**exponent if is_array(base) else whole_power(base, exponent)


def extreme(kind: str, choices: Sequence[Any]) -> Any:
    """The greatest ("max") or least ("min") of some values, draw by draw."""
    arrays = [v for v in choices if is_array(v)]
    plain = [v for v in choices if not is_array(v)]
    best = (max if kind == "max" else min)(plain) if plain else None
    if not arrays:
        return best
    pick = np.maximum if kind == "max" else np.minimum
    if isinstance(best, Undefined):
        if kind == "max":
            return best
        best = None
    result = arrays[0] if best is None else pick(arrays[0], float(best))
    for other in arrays[1:]:
        result = pick(result, other)

    return result


def compare(operator: str, a: Any, b: Any) -> Any:
    """1 where `a operator b` holds, else 0."""
    drawn = is_array(a) or is_array(b)
    if drawn:
        a, b = _float(a), _float(b)
    holds = a <= b if operator == "<=" else a < b if operator == "<" else (a == b) == (operator == "==")
    return np.asarray(holds, dtype=float) if drawn else int(holds)


def _power(base: Any, exponent: Any) -> Any:
    with np.errstate(all="ignore"):
        powers = np.power(_float(base), _float(exponent))
    if np.isnan(powers).any():
        raise ValueError("a fractional power of a negative number")
    return _finite(powers)


def _remainder(left: Any, right: Any) -> Any:
    if not np.all(right):
        raise ZeroDivisionError
    return np.mod(_float(left), _float(right))


def _root(x: Any) -> Any:
    if np.any(x < 0):
        raise ValueError("the square root of a negative number")
    return np.sqrt(x)


def _logarithm(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def log(x: Any) -> Any:
        if np.any(x <= 0):
            raise ValueError("the logarithm of a number that is not positive")
        return function(x)

    return log


ON_ARRAYS: dict[str, Callable[..., Any]] = {
    "floor": np.floor,
    "ceil": np.ceil,
    "abs": np.abs,
    "mod": _remainder,
    "pow": _power,
    "sqrt": _root,
    "log": _logarithm(np.log),
    "log2": _logarithm(np.log2),
}


def called(function: str, *operands: Any) -> Any:
    """The value of a function, draw by draw where an operand differs."""
    chosen = ON_ARRAYS if any(map(is_array, operands)) else FUNCTIONS
    return chosen[function](*operands)


def _finite(numbers: Any) -> Any:
    if not np.isfinite(numbers).all():
        raise OverflowError
    return numbers


def _is_zero(value: Any) -> bool:
    return not is_array(value) and value == 0


def _float(value: Any) -> Any:
    if is_array(value):
        return value
    number = float(value)
    if math.isnan(number):
        raise ValueError("a number that is none")
    return number


class Draws(Arithmetic):
    """Numbers, and numpy arrays of floats with one element per draw."""

    plus = staticmethod(plus)
    times = staticmethod(times)
    over = staticmethod(over)
    power = staticmethod(power)
    least = staticmethod(lambda left, right: extreme("min", (left, right)))
    extremes: ClassVar = {kind: partial(extreme, kind) for kind in ("max", "min")}
    comparisons: ClassVar = {operator: partial(compare, operator) for operator in ("<=", "<", "==", "!=")}

    def function(self, node: Call) -> Callable[..., Any]:
        """The function, draw by draw where an operand differs."""
        return partial(called, node.function)

    def sum_step(self, node: NodeId, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> Step:
        """Exact numbers are added up apart from arrays."""
        prepared = [(n, c, float(c)) for n, c in terms]

        def run(values: Values, environment: Any) -> None:
            values[node] = weighed_sum(values, constant, prepared)

        return run

    def fold(self, kind: str, bodies: Iterator[Any], low: Any, high: Any) -> Any:
        """Draw by draw."""
        if kind == "sum":
            return reduce(plus, bodies, 0)
        return reduce(lambda a, b: extreme(kind, (a, b)), bodies, NO_MINIMUM if kind == "min" else 0)

    def positive(self, load: Any) -> Any:
        """Whether a load is above 0, draw by draw where it differs."""
        return compare("<", 0, load) if is_array(load) else load > 0

    def settled(self, nodes: Iterable[NodeId]) -> list[Step]:
        """`EvaluationError` unless these values are the same in every draw."""
        numbers = tuple(nodes)

        def run(values: Values, environment: Any) -> None:
            for n in numbers:
                one_number(values[n])

        return [run] if numbers else []

    def steps(self, part: Sequence[NodeId]) -> list[Step]:
        """The step of a node; the subscripts of a quantity are the same in every draw."""
        node = self.nodes[part[0]]
        return [*(self.settled(node.subscripts) if isinstance(node, Item) else ()), self.step(part[0])]


class DrawPlan(Interpreter[Any]):
    """How to evaluate some nodes of a graph for an array of draws.

    The environment returns numbers, or numpy arrays of floats that all have the same length; a root is a number where
    it is the same in every draw, else an array. `length` is the number of nodes that are computed outside every loop.
    """

    def __init__(self, graph: Graph, roots: Sequence[NodeId]) -> None:
        super().__init__(graph, roots, Draws(graph))
        self.length = len(self.order)
