"""What the interpreter asks of the values that it computes with.

`number_arithmetic` (numbers, exact or not) and `enclosure` (intervals) give the operations; here stand the steps that
are made of them in the same way for every kind of value.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.scopes import Numbered
from apet.formula.evaluate.undefined import Undefined, defined, none_of
from apet.formula.graph.nodes import Add, Call, Compare, Const, Extreme, Item, Load, Mul, NodeId, Rational, Symbol
from apet.ground.exact import reduced
from apet.ground.interval import Number

MOST_ITERATIONS = 3_000_000
"""Rounds of loops without closed form that one evaluation may run over, all loops together: some ten seconds."""

NUMBERS = (int, Fraction, float)
"""Types of single numbers; others are known between two ends."""

Values = list[Any]
"""The value of each node by number; behind them, the rounds of loops that may still be run."""
Step = Callable[[Values, Any], None]
"""Puts the value of a node, or of several, among the others; the second argument is the environment."""
Member = tuple[Number, ...]
"""The subscripts of one member of a resource family."""


def span(low: Number | Undefined, high: Number | Undefined) -> range:
    """The integers from low to high; `EvaluationError` if they are too many to run over, `LookupError` if an end is
    undefined."""
    ends: tuple[Number, Number] = defined(low), defined(high)
    rounds = range(math.ceil(ends[0]), math.floor(ends[1]) + 1)
    if len(rounds) > MOST_ITERATIONS:
        raise EvaluationError(f"a loop of {len(rounds):,} iterations has no closed form and is too long to run over")
    return rounds


def spend(values: Values, rounds: int) -> None:
    """Take rounds from what an evaluation may run; `EvaluationError` when it is used up."""
    values[-1] -= rounds
    if values[-1] < 0:
        raise EvaluationError(f"loops without closed form take more than {MOST_ITERATIONS:,} rounds, too many to run")


class Arithmetic(ABC):
    """One kind of value: its operations, and the steps of nodes that bind no variable.

    Operations are functions of values; `extremes` are functions of a list. `budget` limits the rounds of loops.
    """

    budget: float = MOST_ITERATIONS
    one: Any = 1
    plus: Callable[[Any, Any], Any]
    times: Callable[[Any, Any], Any]
    over: Callable[[Any, Any], Any]
    power: Callable[[Any, int], Any]
    least: Callable[[Any, Any], Any]
    extremes: ClassVar[Mapping[str, Callable[[Sequence[Any]], Any]]]
    comparisons: ClassVar[Mapping[str, Callable[[Any, Any], Any]]]

    def __init__(self, numbered: Numbered) -> None:
        self.nodes = numbered.nodes

    # What each kind of value defines

    def constant(self, value: Rational) -> Any:
        """An exact number as a value."""
        return value

    @abstractmethod
    def function(self, node: Call) -> Callable[..., Any]:
        """What computes a call from the values of its operands."""

    @abstractmethod
    def sum_step(self, node: NodeId, constant: Rational, terms: tuple[tuple[NodeId, Rational], ...]) -> Step:
        """The step of a sum of coefficient * node."""

    def rounds(self, low: Any, high: Any) -> Collection[Any]:
        """The values of a bound variable between two ends; errors as in `span`."""
        return span(low, high)

    @abstractmethod
    def fold(self, kind: str, bodies: Iterator[Any], low: Any, high: Any) -> Any:
        """The "sum", "max" or "min" of the values of a body, one for each of the `rounds` between two ends."""

    def nothing(self, value: Any) -> bool:
        """Whether a value is surely 0."""
        return type(value) in NUMBERS and not value

    def settled(self, nodes: Iterable[NodeId]) -> list[Step]:
        """Steps that make values fit to number members and rounds; or raise `EvaluationError`."""
        return []

    # Families: the members of numbers are numbers

    def gathered(self, leaves: Iterable[tuple[Load, Values]]) -> Any:
        """Per member of a family: total load, least head, least tail, and whether it is certainly used."""
        plus, least = self.plus, self.least
        uses: dict[Member, list[Any]] = {}

        for load, values in leaves:
            member = tuple([values[s] for s in load.subscripts])
            use = uses.get(member)
            if use is None:
                uses[member] = [values[load.load], values[load.head], values[load.tail], load.certain]
                continue
            use[0] = plus(use[0], values[load.load])
            use[1] = least(use[1], values[load.head])
            use[2] = least(use[2], values[load.tail])
            use[3] = use[3] or load.certain

        return uses

    def peak(self, uses: Any, servers: Callable[[Any], Any]) -> Any:
        """The greatest of least head + load / servers + least tail over the members that are used."""
        lengths: list[Any] = [0]
        for member, (load, head, tail, certain) in uses.items():
            if certain or load > 0:
                lengths.append(self.plus(self.plus(head, self.over(load, servers(member))), tail))
        return self.extremes["max"](lengths)

    def interference(self, own: Any, everyone: Any, servers: Callable[[Any], Any]) -> Any:
        """The load that others put on the members that `own` uses, each divided by its servers."""
        extra: Any = 0
        for member, use in own.items():
            others = self.plus(everyone[member][0], self.times(-1, use[0])) if member in everyone else 0
            if not self.nothing(others):  # a member that nobody else uses may have no servers
                extra = self.plus(extra, self.over(others, servers(member)))
        return extra

    # Steps

    def parts(self, order: Sequence[NodeId]) -> Iterable[Sequence[NodeId]]:
        """The nodes of an order, cut into what one step computes."""
        return [(n,) for n in order]

    def steps(self, part: Sequence[NodeId]) -> list[Step]:
        """The steps of one part, which binds no variable."""
        return [self.step(part[0])]

    def step(self, node: NodeId) -> Step:
        """The step of one node that binds no variable."""
        match self.nodes[node]:
            case Const(value):
                return _constant_step(node, self.constant(value))
            case Symbol(name):
                return _symbol_step(node, name)
            case Item(name, subscripts, arguments):
                return self.item_step(node, name, subscripts, arguments)

            case Add(constant, terms):
                return self.sum_step(node, constant, terms)
            case Mul(factors):
                return self._product_step(node, factors)
            case Extreme(kind, operands):
                return _list_step(node, self.extremes[kind], operands)
            case Call(_, operands) as call:
                return _call_step(node, self.function(call), operands)
            case Compare(operator, left, right):
                return _compare_step(node, self.comparisons[operator], left, right)
            case _:
                raise AssertionError("a node without a step of its own")

    def item_step(self, node: NodeId, name: str, subscripts: tuple[NodeId, ...], arguments: tuple[NodeId, ...]) -> Step:
        """The step of a machine quantity, which is undefined for a member that does not exist."""

        def run(values: Values, environment: Any) -> None:
            members, operands = tuple([values[s] for s in subscripts]), tuple([values[a] for a in arguments])
            undefined = none_of(*members, *operands)
            if undefined is not None:
                values[node] = undefined.unlike()
                return
            try:
                values[node] = environment.item(name, members, operands)
            except LookupError as error:
                values[node] = Undefined(error)

        return run

    def _product_step(self, node: NodeId, factors: tuple[tuple[NodeId, int], ...]) -> Step:
        above, below = [(n, e) for n, e in factors if e > 0], [(n, -e) for n, e in factors if e < 0]
        one, times, over, power, nothing = self.one, self.times, self.over, self.power, self.nothing
        conditions = [n for n, _ in above if type(self.nodes[n]) is Compare] if below else []

        def run(values: Values, environment: Any) -> None:
            for n in conditions:
                if nothing(values[n]):
                    values[node] = values[n]  # what a condition rules out need not have a value
                    return
            product = one
            for n, e in above:
                product = times(product, values[n] if e == 1 else power(values[n], e))
            for n, e in below:
                product = over(product, values[n] if e == 1 else power(values[n], e))
            values[node] = reduced(product)

        return run


def _constant_step(node: NodeId, value: Any) -> Step:
    def run(values: Values, environment: Any) -> None:
        values[node] = value

    return run


def _symbol_step(node: NodeId, name: str) -> Step:
    def run(values: Values, environment: Any) -> None:
        values[node] = environment.symbol(name)

    return run


def _list_step(node: NodeId, pick: Callable[[Sequence[Any]], Any], operands: tuple[NodeId, ...]) -> Step:
    def run(values: Values, environment: Any) -> None:
        values[node] = pick([values[n] for n in operands])

    return run


def _call_step(node: NodeId, act: Callable[..., Any], operands: tuple[NodeId, ...]) -> Step:
    def run(values: Values, environment: Any) -> None:
        inside = [values[n] for n in operands]
        undefined = none_of(*inside)
        try:
            values[node] = act(*inside) if undefined is None else undefined.unlike()
        except (ZeroDivisionError, ValueError) as error:
            values[node] = Undefined(error)

    return run


def _compare_step(node: NodeId, test: Callable[[Any, Any], Any], left: NodeId, right: NodeId) -> Step:
    def run(values: Values, environment: Any) -> None:
        one, other = values[left], values[right]
        undefined = none_of(one, other)
        values[node] = test(one, other) if undefined is None else undefined.unlike()

    return run
