"""Formulas evaluated for many draws at once: quantities of the machine model are arrays with one element per draw.

A plan as in `evaluation`, whose steps take arrays as well as numbers. What does not depend on a drawn
quantity stays one exact number: the ranges of loops, tasks per processor, numbers of iterations.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from apet.formula.evaluate import steps
from apet.formula.evaluate.array_arithmetic import (
    called,
    compare,
    extreme,
    is_array,
    one_number,
    over,
    plus,
    power,
    times,
    weighed_sum,
)
from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.scatter import Member, Scatter
from apet.formula.evaluate.scopes import Scopes
from apet.formula.evaluate.steps import Step, span, spend
from apet.formula.evaluate.undefined import NO_MINIMUM, Undefined, defined
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import (
    Add,
    Binder,
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
)

Count = Callable[[Member, list[Any], Any], Any]


class DrawPlan:
    """How to evaluate some nodes of a graph for an array of draws.

    The environment returns numbers, or numpy arrays of floats that all have the same length. `length` is the number of
    nodes that are computed outside every loop.
    """

    def __init__(self, graph: Graph, roots: Sequence[NodeId]) -> None:
        self.graph = graph
        self.roots = tuple(roots)
        self._scopes = Scopes(graph)
        self._runs = 0
        self._steps = self._inner((), roots)
        self.length = len(self._steps)

    def run(self, environment: Any) -> list[Any]:
        """A number for each root that is the same in every draw, else an array; `EvaluationError` if there is none."""
        values: list[Any] = [None] * len(self.graph) + [steps.MOST_ITERATIONS]
        self._runs += 1
        try:
            for step in self._steps:
                step(values, environment)
        except ZeroDivisionError:
            raise EvaluationError("division by zero") from None
        except OverflowError:
            raise EvaluationError("a number is too large") from None
        except ValueError as error:
            raise EvaluationError(str(error)) from None
        return [defined(values[r]) for r in self.roots]

    def _inner(self, indices: Sequence[NodeId], roots: Sequence[NodeId]) -> list[Step]:
        """The steps of what depends on some bound variables; of what depends on none, without variables."""
        return [self._step(n) for n in self._scopes.order_many(roots, frozenset(indices))]

    def _step(self, node: NodeId) -> Step:
        match self.graph.nodes[node]:
            case Const(value):
                return _constant(node, value)
            case Symbol(name):
                return _symbol(node, name)
            case Index():
                raise AssertionError("bound variables are no steps")
            case Item(name, subscripts, arguments):
                return _item(node, name, subscripts, arguments)
            case Add(constant, terms):
                return _add(node, constant, terms)
            case Mul(factors):
                return _mul(node, factors)
            case Extreme(kind, found):
                return _extreme(node, kind, found)
            case Call(function, found):
                return _call(node, function, found)
            case Compare(operator, left, right):
                return _compare(node, operator, left, right)
            case Reduce(kind, index, low, high, body):
                return _reduce(node, kind, index, (low, high), body, self._inner([index], [body]))
            case Peak(loads, members, servers):
                return self._peak(node, loads, members, servers)
            case Interference(own, total, members, servers):
                return self._interference(node, own, total, members, servers)

    def _servers(self, members: tuple[NodeId, ...], servers: NodeId) -> Count:
        inner = self._inner(members, [servers])

        def count(member: Member, values: list[Any], environment: Any) -> Any:
            for variable, value in zip(members, member, strict=True):
                values[variable] = value
            for step in inner:
                step(values, environment)
            return values[servers]

        return count

    def _peak(self, node: NodeId, loads: tuple[Load, ...], members: tuple[NodeId, ...], servers: NodeId) -> Step:
        scatter = [self._met(load) for load in loads]
        count = self._servers(members, servers)

        def run(values: list[Any], environment: Any) -> None:
            found: list[Any] = [0]
            for member, (load, head, tail, certain) in _gathered(scatter, values, environment).items():
                length = plus(plus(head, over(load, count(member, values, environment))), tail)
                found.append(length if certain else times(compare("<", 0, load), length))
            values[node] = extreme("max", found)

        return run

    def _interference(
        self, node: NodeId, own: tuple[Load, ...], total: tuple[Load, ...], members: tuple[NodeId, ...], servers: NodeId
    ) -> Step:
        mine, everyone = [self._met(load) for load in own], [self._met(load) for load in total]
        count = self._servers(members, servers)
        outer = sorted(frozenset[NodeId]().union(*(self._scopes.free_of_load(load) for load in total)))
        cache: dict[tuple[Any, ...], dict[Member, list[Any]]] = {}

        def run(values: list[Any], environment: Any) -> None:
            key = (self._runs, *(values[i] for i in outer))
            if key not in cache:
                cache.clear()
                cache[key] = _gathered(everyone, values, environment)
            theirs, extra = cache[key], 0
            for member, use in _gathered(mine, values, environment).items():
                others = plus(theirs[member][0], times(-1, use[0])) if member in theirs else 0
                extra = plus(extra, over(others, count(member, values, environment)))
            values[node] = extra

        return run

    def _met(self, load: Load) -> _DrawScatter:
        loops: list[tuple[Binder, list[Step]]] = []
        seen: list[NodeId] = []
        for binder in load.binders:
            loops.append((binder, self._inner(seen, [binder.low, binder.high]) if seen else []))
            seen.append(binder.index)
        roots = [*load.subscripts, load.load, load.head, load.tail]
        return _DrawScatter(load, loops, self._inner(seen, roots) if seen else [])


class _DrawScatter(Scatter):
    """Adds loads up member by member, where loads, heads and tails may be arrays."""

    def into(self, found: dict[Member, list[Any]], values: list[Any], environment: Any, depth: int = 0) -> None:
        """Add what this load does to the members that it meets: [load, head, tail, certain]."""
        if depth < len(self.loops):
            binder, prepare = self.loops[depth]
            for step in prepare:
                step(values, environment)
            rounds = span(one_number(values[binder.low]), one_number(values[binder.high]))
            spend(values, len(rounds))
            for i in rounds:
                values[binder.index] = i
                self.into(found, values, environment, depth + 1)
            return
        for step in self.steps:
            step(values, environment)
        load = self.load
        member = tuple([one_number(values[s]) for s in load.subscripts])
        mine = values[load.load], values[load.head], values[load.tail]
        use = found.get(member)
        if use is None:
            found[member] = [*mine, load.certain]
            return
        use[0] = plus(use[0], mine[0])
        use[1:3] = extreme("min", [use[1], mine[1]]), extreme("min", [use[2], mine[2]])
        use[3] = use[3] or load.certain


def _gathered(scatter: Sequence[_DrawScatter], values: list[Any], environment: Any) -> dict[Member, list[Any]]:
    found: dict[Member, list[Any]] = {}
    inside = values.copy()  # a load may bind a variable that a loop around it has bound as well
    for one in scatter:
        one.into(found, inside, environment)
    values[-1] = inside[-1]
    return found


def _constant(node: NodeId, value: Any) -> Step:
    def run(values: list[Any], environment: Any) -> None:
        values[node] = value

    return run


def _symbol(node: NodeId, name: str) -> Step:
    def run(values: list[Any], environment: Any) -> None:
        values[node] = environment.symbol(name)

    return run


def _item(node: NodeId, name: str, subscripts: tuple[NodeId, ...], arguments: tuple[NodeId, ...]) -> Step:
    def run(values: list[Any], environment: Any) -> None:
        members, given = tuple([one_number(values[s]) for s in subscripts]), tuple([values[a] for a in arguments])
        try:
            values[node] = environment.item(name, members, given)
        except LookupError as error:
            values[node] = Undefined(error)

    return run


def _add(node: NodeId, constant: Any, terms: tuple[tuple[NodeId, Any], ...]) -> Step:
    prepared = [(n, c, float(c)) for n, c in terms]

    def run(values: list[Any], environment: Any) -> None:
        values[node] = weighed_sum(values, constant, prepared)

    return run


def _mul(node: NodeId, factors: tuple[tuple[NodeId, int], ...]) -> Step:
    above, below = [(n, e) for n, e in factors if e > 0], [(n, -e) for n, e in factors if e < 0]

    def run(values: list[Any], environment: Any) -> None:
        product: Any = 1
        for n, e in above:
            product = times(product, power(values[n], e))
        for n, e in below:
            product = over(product, power(values[n], e))
        values[node] = product if is_array(product) else steps.reduced(product)

    return run


def _extreme(node: NodeId, kind: str, found: tuple[NodeId, ...]) -> Step:
    def run(values: list[Any], environment: Any) -> None:
        values[node] = extreme(kind, [values[n] for n in found])

    return run


def _call(node: NodeId, function: str, found: tuple[NodeId, ...]) -> Step:
    def run(values: list[Any], environment: Any) -> None:
        values[node] = called(function, [values[n] for n in found])

    return run


def _compare(node: NodeId, operator: str, left: NodeId, right: NodeId) -> Step:
    def run(values: list[Any], environment: Any) -> None:
        values[node] = compare(operator, values[left], values[right])

    return run


def _reduce(
    node: NodeId, kind: str, index: NodeId, ends: tuple[NodeId, NodeId], body: NodeId, inner: list[Step]
) -> Step:
    def run(values: list[Any], environment: Any) -> None:
        low, high = (one_number(values[end]) for end in ends)
        for end in (low, high):
            if isinstance(end, Undefined):
                values[node] = end
                return
        rounds = span(low, high)
        spend(values, len(rounds))
        total: Any = NO_MINIMUM if kind == "min" else 0
        for i in rounds:
            values[index] = i
            for step in inner:
                step(values, environment)
            total = plus(total, values[body]) if kind == "sum" else extreme(kind, [total, values[body]])
        values[node] = total

    return run
