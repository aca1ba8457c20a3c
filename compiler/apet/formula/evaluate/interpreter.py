"""Values from formulas: a plan made once per set of formulas, run once per set of values.

The interpreter knows loops and families: what to compute inside which loop, how often, and what it adds up to. What
values are and how one computes with them, an `Arithmetic` says. Loops that stayed symbolic have steps of their own for
what depends on their bound variable, so that the rest is computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Generic, TypeVar

from apet.formula.evaluate.arithmetic import Arithmetic, Step, Values, spend
from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.families import Scatter, leaves
from apet.formula.evaluate.scopes import Numbered, Scopes
from apet.formula.evaluate.undefined import defined, none_of
from apet.formula.graph.nodes import Const, Interference, Load, NodeId, Peak, Reduce
from apet.formula.graph.properties import BINDING
from apet.ground.activity import over_many

V = TypeVar("V")

Servers = Callable[[Values, Any, Sequence[Any]], Any]
"""The servers of the member with some subscripts, from values and environment."""
Bodies = Callable[[Any, Values, Any], Iterator[Any]]
"""What a loop adds up, or takes the greatest or least of: from its rounds, values and environment."""


class Interpreter(Generic[V]):
    """How to evaluate some nodes with one arithmetic: made once, run for many environments."""

    def __init__(
        self, numbered: Numbered, roots: Sequence[NodeId], arithmetic: Arithmetic, order: Sequence[NodeId] | None = None
    ) -> None:
        """`order` are the nodes outside every loop, where they are known."""
        self.nodes, self.roots, self.arithmetic = numbered.nodes, tuple(roots), arithmetic
        self._scopes = Scopes(numbered)
        self._rebinding = set[NodeId]()
        self._runs = 0
        self.order = self._scopes.order(roots, ()) if order is None else order
        self.steps = self._steps(self.order)
        constant = arithmetic.constant
        self._blank: Values = [constant(n.value) if type(n) is Const else None for n in self.nodes]
        self._blank.append(arithmetic.budget)
        self.rounds = 0.0  # of loops, in the last run

    def run(self, environment: Any) -> list[V]:
        """The values of the roots; `EvaluationError` where there is none."""
        values = self._blank.copy()
        self._runs += 1
        try:
            for step in self.steps:
                step(values, environment)
            return [defined(values[r]) for r in self.roots]
        except (ZeroDivisionError, OverflowError, ValueError) as error:
            raise no_value(error) from None
        finally:
            self.rounds = self._blank[-1] - values[-1]

    def within(self, rounds: float) -> None:
        """Limit the rounds of loops, all together, that each of the next runs may take."""
        self._blank[-1] = rounds

    def _inner(self, indices: Iterable[NodeId], roots: Iterable[NodeId]) -> list[Step]:
        """The steps of what depends on some bound variables, of which there is at least one."""
        return self._steps(*self._scopes.level(roots, indices))

    def _steps(self, order: Sequence[NodeId], rebinding: Collection[NodeId] = ()) -> list[Step]:
        steps: list[Step] = []
        self._rebinding.update(rebinding)
        for part in self.arithmetic.parts(order):
            kind = type(self.nodes[part[0]])
            if kind in BINDING:
                binding = self._binding(part[0])
                steps += [_apart(part[0], binding)] if part[0] in rebinding else binding
            elif kind is not Const:
                steps += self.arithmetic.steps(part)
        return steps

    def _binding(self, node: NodeId) -> list[Step]:
        match self.nodes[node]:
            case Reduce() as loop:
                return [*self.arithmetic.settled((loop.low, loop.high)), self._reduce(node, loop)]
            case Peak() as peak:
                return [self._peak(node, peak)]
            case Interference() as interference:
                return [self._interference(node, interference)]
            case _:
                raise AssertionError("a node that binds no variable")

    def _reduce(self, node: NodeId, loop: Reduce) -> Step:
        kind, _, low, high, _ = loop
        bodies, rounds_of, fold = self._bodies(loop), self.arithmetic.rounds, self.arithmetic.fold

        def run(values: Values, environment: Any) -> None:
            first, last = values[low], values[high]
            undefined = none_of(first, last)
            if undefined is not None:
                values[node] = undefined.unlike()
                return

            rounds = rounds_of(first, last)
            spend(values, len(rounds))
            values[node] = fold(kind, bodies(rounds, values, environment), first, last)

        return run

    def _bodies(self, loop: Reduce) -> Bodies:
        index, body = loop.index, loop.body
        steps = self._inner([index], [body])

        def bodies(rounds: Collection[Any], values: Values, environment: Any) -> Iterator[Any]:
            for i in over_many(rounds, "evaluating a loop", "rounds", "take smaller sizes"):
                values[index] = i
                for step in steps:
                    step(values, environment)
                yield values[body]

        return bodies

    def _peak(self, node: NodeId, peak: Peak) -> Step:
        scatters, servers = self._scatters(peak.loads), self._servers(peak.members, peak.servers)

        def run(values: Values, environment: Any) -> None:
            uses = self.arithmetic.gathered(leaves(scatters, values, environment))
            values[node] = self.arithmetic.peak(uses, partial(servers, values, environment))

        return run

    def _interference(self, node: NodeId, interference: Interference) -> Step:
        own, total = self._scatters(interference.own), self._scatters(interference.all)
        servers = self._servers(interference.members, interference.servers)
        # what all do together is the same for every process that only `own` depends on
        outer = frozenset[NodeId]().union(*(self._scopes.free_of_load(load) for load in interference.all))
        cache: dict[tuple[Any, ...], Any] = {}

        def run(values: Values, environment: Any) -> None:
            gathered = self.arithmetic.gathered
            key = (self._runs, *(values[i] for i in outer))
            if key not in cache:
                cache.clear()
                cache[key] = gathered(leaves(total, values, environment))
            uses = gathered(leaves(own, values, environment))
            values[node] = self.arithmetic.interference(uses, cache[key], partial(servers, values, environment))

        return run

    def _servers(self, members: tuple[NodeId, ...], servers: NodeId) -> Servers:
        steps = self._inner(members, [servers]) if members else []

        def count(values: Values, environment: Any, member: Sequence[Any]) -> Any:
            for variable, value in zip(members, member, strict=True):
                values[variable] = value
            for step in steps:
                step(values, environment)
            return values[servers]

        return count

    def _scatters(self, loads: Iterable[Load]) -> list[Scatter]:
        return [self._scatter(load) for load in loads]

    def _scatter(self, load: Load) -> Scatter:
        settled, loops, bound = self.arithmetic.settled, [], list[NodeId]()
        for binder in load.binders:
            prepare = self._inner(bound, [binder.low, binder.high]) if bound else []
            loops.append((binder, prepare + settled((binder.low, binder.high))))
            bound.append(binder.index)

        roots = [*load.subscripts, load.load, load.head, load.tail]
        steps = self._inner(bound, roots) if bound else []
        return Scatter(load, loops, steps + settled(load.subscripts), self.arithmetic.rounds)


def _apart(node: NodeId, steps: Sequence[Step]) -> Step:
    """The steps of a node on values of their own: what they bind, and what depends on it, has another value around."""

    def run(values: Values, environment: Any) -> None:
        inside = values.copy()
        for step in steps:
            step(inside, environment)
        values[node], values[-1] = inside[node], inside[-1]

    return run


def no_value(error: ArithmeticError | ValueError) -> EvaluationError:
    """Why a formula has no value, from what an operation raises."""
    if isinstance(error, ZeroDivisionError):
        return EvaluationError("division by zero")
    if isinstance(error, OverflowError):
        return EvaluationError("a number is too large")
    return EvaluationError(str(error))
