"""Numbers from formulas: a plan made once per set of formulas, run once per set of values.

The plan is a list of steps along a tape, on which operands come before the nodes made of them; symbols, and products of
one level, are computed many at a time. Loops that stayed symbolic have plans of their own for what depends on their
bound variable, so that the rest is computed once.
Arithmetic is that of the values given: whole numbers and fractions stay exact (10^15 iterations are an `int`), and if
every value is exact, so is the result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from apet.formula.evaluate import steps
from apet.formula.evaluate.discontinuities import decided_by, meeting, nearly_known, settling
from apet.formula.evaluate.environment import Environment, EvaluationError
from apet.formula.evaluate.scatter import Member, Scatter, gather
from apet.formula.evaluate.scopes import Scopes
from apet.formula.evaluate.steps import Step
from apet.formula.evaluate.tape import ALONE, SYMBOLS, Tape
from apet.formula.evaluate.undefined import defined
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import (
    Add,
    Call,
    Compare,
    Const,
    Extreme,
    Index,
    Interference,
    Item,
    Load,
    Mul,
    NodeId,
    Peak,
    Reduce,
    Symbol,
    operands,
)
from apet.ground.interval import Number

__all__ = ["Environment", "EvaluationError", "Plan"]


class Plan:
    """How to evaluate some nodes of a graph."""

    def __init__(self, graph: Graph, roots: Sequence[NodeId], exact: bool = False) -> None:
        """`exact`: functions without exact values are computed to 60 digits, as fractions; jumps allow for that."""
        self.functions = steps.EXACT if exact else steps.FUNCTIONS
        self.tape = Tape(graph, roots)
        self.nodes, self.roots, self.size = self.tape.nodes, self.tape.roots, len(self.tape.nodes)
        self._blank: list[Any] = [n.value if type(n) is Const else None for n in self.nodes] + [steps.MOST_ITERATIONS]
        self._near = nearly_known(self.nodes) if exact else set[NodeId]()
        self._scopes = Scopes(self.tape)
        self._runs = 0
        outside = self.tape.outside()
        self.order = self._scopes.order(self.roots, None) if outside is None else outside
        self.steps = self._steps(self.order)

    def run(self, environment: Environment) -> list[Number]:
        """The values of the roots; `EvaluationError` where there is none."""
        values = self._blank.copy()
        self._runs += 1
        try:
            for step in self.steps:
                step(values, environment)
        except ZeroDivisionError:
            raise EvaluationError("division by zero") from None
        except OverflowError:
            raise EvaluationError("a number is too large") from None
        except ValueError as error:
            raise EvaluationError(str(error)) from None
        return [defined(values[r]) for r in self.roots]

    @classmethod
    def of_members(cls, graph: Graph, table: NodeId) -> Plan:
        """A plan that `members` can be asked of: for the node of a family's peak."""
        assert isinstance(graph.nodes[table], Peak)
        return cls(graph, [table])

    def members(self, environment: Environment) -> dict[Member, Number]:
        """The load per server of every member of the family."""
        values = self._blank.copy()
        for step in self.steps:
            step(values, environment)
        found = self.nodes[self.roots[0]]
        assert isinstance(found, Peak)
        count = self._servers(found.members, found.servers)
        uses = gather([self._scatter(load) for load in found.loads], values, environment)
        return {m: steps.quotient(use[0], count(m, values, environment)) for m, use in uses.items()}

    def _inner(self, index: NodeId, roots: Iterable[NodeId]) -> list[Step]:
        return self._steps(self._scopes.order(roots, index))

    def _steps(self, order: Sequence[NodeId]) -> list[Step]:
        found = []
        for kind, nodes in self.tape.neighbours(order):
            if kind == SYMBOLS:
                found.append(steps.symbols_step(nodes, [self.nodes[n].name for n in nodes]))  # type: ignore[union-attr]
            elif kind != ALONE:
                found.append(steps.products_step(nodes, [operands(self.nodes[n]) for n in nodes]))
            elif type(self.nodes[nodes[0]]) is not Const:
                found += self._settled(nodes[0])
                found.append(self._step(nodes[0]))
        return found

    def _settled(self, node: NodeId) -> list[Step]:
        """What comes before a step that jumps."""
        here = self.nodes[node]
        near = self._nearly(decided_by(here)) if self._near else []
        if near and isinstance(here, Compare):
            near.append(meeting(here.left, here.right))
        return near

    def _nearly(self, nodes: Iterable[NodeId]) -> list[Step]:
        near = [n for n in nodes if n in self._near]
        return [settling(near)] if near else []

    def _step(self, node: NodeId) -> Step:
        match self.nodes[node]:
            case Const() | Symbol() | Index():
                raise AssertionError("a node without a step of its own")
            case Item(name, subscripts, arguments):
                return steps.item_step(node, name, subscripts, arguments)
            case Add(constant, terms):
                return steps.add_step(node, constant, terms)
            case Mul(factors):
                return steps.mul_step(node, factors)
            case Extreme(kind, found):
                return steps.extreme_step(node, kind, found)
            case Call(function, found):
                return steps.call_step(node, self.functions[function], found)
            case Compare(operator, left, right):
                return steps.compare_step(node, operator, left, right)
            case Reduce(kind, index, low, high, body):
                return steps.reduce_step(node, kind, index, low, high, body, self._inner(index, [body]))
            case Peak(loads, members, servers):
                return self._peak(node, loads, members, servers)
            case Interference(own, total, members, servers):
                return self._interference(node, own, total, members, servers)

    def _peak(self, node: NodeId, loads: tuple[Load, ...], members: tuple[NodeId, ...], servers: NodeId) -> Step:
        scatter = [self._scatter(load) for load in loads]
        count = self._servers(members, servers)

        def run(values: list[Any], environment: Environment) -> None:
            best: Number = 0
            for member, use in gather(scatter, values, environment).items():
                if use[3] or use[0] > 0:
                    best = max(best, use[1] + steps.quotient(use[0], count(member, values, environment)) + use[2])
            values[node] = best

        return run

    def _interference(
        self, node: NodeId, own: tuple[Load, ...], total: tuple[Load, ...], members: tuple[NodeId, ...], servers: NodeId
    ) -> Step:
        mine, everyone = [self._scatter(load) for load in own], [self._scatter(load) for load in total]
        count = self._servers(members, servers)
        outer = frozenset().union(*(self._scopes.free_of_load(load) for load in total))
        cache: dict[tuple[Any, ...], dict[Member, list[Any]]] = {}

        def run(values: list[Any], environment: Environment) -> None:
            key = (self._runs, *(values[i] for i in outer))
            if key not in cache:
                cache.clear()
                cache[key] = gather(everyone, values, environment)
            theirs = cache[key]
            extra: Number = 0
            for member, use in gather(mine, values, environment).items():
                others = theirs[member][0] - use[0] if member in theirs else 0
                extra += steps.quotient(others, count(member, values, environment))
            values[node] = extra

        return run

    def _servers(
        self, members: tuple[NodeId, ...], servers: NodeId
    ) -> Callable[[Member, list[Any], Environment], Number]:
        steps = self._inner_many(members, [servers])

        def count(member: Member, values: list[Any], environment: Environment) -> Number:
            for variable, value in zip(members, member, strict=True):
                values[variable] = value
            for step in steps:
                step(values, environment)
            found: Number = values[servers]
            return found

        return count

    def _inner_many(self, indices: Sequence[NodeId], roots: Sequence[NodeId]) -> list[Step]:
        return self._steps(self._scopes.order_many(roots, frozenset(indices)))

    def _scatter(self, load: Load) -> Scatter:
        """Runs over the binders of one load and gives (member, load, head, tail) for each."""
        roots = [*load.subscripts, load.load, load.head, load.tail]
        loops, seen = [], frozenset[NodeId]()
        for binder in load.binders:
            prepare = self._inner_many(tuple(seen), [binder.low, binder.high]) if seen else []
            loops.append((binder, prepare + self._nearly((binder.low, binder.high))))
            seen |= {binder.index}
        steps = self._inner_many(tuple(seen), roots) if seen else []
        return Scatter(load, loops, steps + self._nearly(load.subscripts))
