"""Value and all partial derivatives of a formula, in one backward pass over a forward evaluation.

Reverse accumulation (Linnainmaa 1970; Griewank and Walther, Evaluating Derivatives, 2008, ch. 3): every node passes
what the root gains by it on to its operands. Loops are run over once more, backward, instead of being kept.

What is not smooth is decided so that the derivatives say what a user asks, "which way and how much":
- a maximum or minimum, over a range too, has the derivative of the operand that wins (the first of equal ones); a peak
  that of its greatest member;
- `floor` and `ceil` count as the identity, so that counts have elasticities; `mod` as 1 in the dividend;
- a comparison is constant, and so is the range that a load, a maximum or a minimum runs over; a sum gains its last
  summand with its upper end and loses its first with its lower end;
- a quantity of the machine model has the slope to twice its argument, which is exact where it is affine.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from apet.formula.evaluate import backward, steps
from apet.formula.evaluate.backward import Back
from apet.formula.evaluate.environment import Environment, EvaluationError
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.scatter import Member, Scatter, gather
from apet.formula.evaluate.slopes_by_name import SlopesByName
from apet.formula.evaluate.steps import Step, quotient, span, whole_power
from apet.formula.evaluate.tape import SYMBOLS
from apet.formula.evaluate.undefined import Undefined, defined
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Call, Extreme, Interference, Item, Load, Mul, NodeId, Peak, Reduce, Symbol
from apet.ground.interval import Number


class Quantity(NamedTuple):
    """One value of a machine quantity: `t_send[0, 3](8)`."""

    name: str
    subscripts: tuple[Number, ...]
    arguments: tuple[Number, ...]

    def __str__(self) -> str:
        inside = f"[{', '.join(map(str, self.subscripts))}]" if self.subscripts else ""
        return self.name + inside + (f"({', '.join(map(str, self.arguments))})" if self.arguments else "")


class Derivatives(NamedTuple):
    """The value of a formula, and its partial derivatives by parameter and by distinct machine quantity.

    `quantities` are the values of the latter. What the value does not depend on here is absent or 0.
    """

    value: Number
    symbols: SlopesByName
    items: dict[Quantity, Number]
    quantities: dict[Quantity, Number]

    def contributions(self) -> dict[str, Number]:
        """Derivative times value, summed by the name of the machine quantity (`t_send`): what scaling it adds."""
        found: dict[str, Number] = defaultdict(int)
        for quantity, slope in self.items.items():
            found[quantity.name] += slope * self.quantities[quantity]
        return dict(found)


class _Loop(NamedTuple):
    """What is computed inside a loop: the nodes, operands first, and their steps."""

    nodes: Sequence[NodeId]
    steps: Sequence[Step]


class _Pass(NamedTuple):
    """One evaluation: values by node, what the root gains by each node, and the machine quantities reached."""

    values: list[Any]
    gains: list[Any]
    items: dict[Quantity, Any]
    quantities: dict[Quantity, Any]
    environment: Environment

    def gain(self, node: NodeId, by: Any) -> None:
        """Add to what the root gains by a node. What has no value here is multiplied by 0 elsewhere."""
        if not isinstance(by, Undefined):
            self.gains[node] += by


class Gradient(Plan):
    """A plan that gives the derivatives of one node as well."""

    def __init__(self, graph: Graph, root: NodeId, exact: bool = False) -> None:
        super().__init__(graph, [root], exact)
        self._loops: dict[tuple[NodeId, ...], _Loop] = {}
        self._scattered: dict[Load, tuple[Scatter, Sequence[NodeId]]] = {}
        self._undefinable = [n for n in self.order if type(self.nodes[n]) in (Item, Reduce, Peak, Interference)]
        parts = self.tape.neighbours(self.order)
        self._symbols = next((nodes for kind, nodes in parts if kind == SYMBOLS), [])  # all are neighbours
        self._names = tuple([self.nodes[n].name for n in self._symbols])  # type: ignore[union-attr]
        self._backward = [self._back_many(kind, nodes) for kind, nodes in reversed(parts) if kind != SYMBOLS]

    def derivatives(self, environment: Environment) -> Derivatives:
        """Value and derivatives of the root; `EvaluationError` where there is no value."""
        self._runs += 1
        done = _Pass(self._blank.copy(), [0] * self.size, {}, {}, environment)
        try:
            for step in self.steps:
                step(done.values, environment)
            value = defined(done.values[self.roots[0]])
            self._hand_back(done)
        except ZeroDivisionError:
            raise EvaluationError("division by zero") from None
        except OverflowError:
            raise EvaluationError("a number is too large") from None
        except ValueError as error:
            raise EvaluationError(str(error)) from None
        slopes, start = done.gains, self._symbols[0] if self._symbols else 0
        del slopes[start + len(self._names) :]
        del slopes[:start]
        return Derivatives(value, SlopesByName(self._names, slopes), done.items, done.quantities)

    def _hand_back(self, done: _Pass) -> None:
        done.gains[self.roots[0]] = 1
        if not any(type(done.values[n]) is Undefined for n in self._undefinable):
            try:
                for back in self._backward:
                    back(done)
                return
            except OverflowError:  # many at a time, coefficients are floats; one by one, what is exact stays so
                done.items.clear()
                done.quantities.clear()
                done.gains[:] = [0] * self.size
                done.gains[self.roots[0]] = 1
        self._back([n for n in self.order if type(self.nodes[n]) is not Symbol], done)

    def _back(self, nodes: Sequence[NodeId], done: _Pass) -> None:
        """Hand on what is gained by these nodes, which are those of one loop, to their operands."""
        gains = done.gains
        for node in reversed(nodes):
            gained = gains[node]
            if gained:
                gains[node] = 0
                self._hand_on(node, gained, done)

    def _back_many(self, kind: int, nodes: list[NodeId]) -> Back:
        """As `_back` for neighbours on the tape, where every value is defined."""
        if kind == SYMBOLS + 2 and len(nodes) > 1:
            return backward.products(self.tape, nodes)
        if len(nodes) > 1:
            return lambda done: self._back(nodes, done)
        node, found = nodes[0], self.nodes[nodes[0]]
        if type(found) is Add:
            return backward.total(self.tape, node, found.terms)

        def back(done: _Pass) -> None:
            gained = done.gains[node]
            if gained:
                self._hand_on(node, gained, done)

        return back

    def _hand_on(self, node: NodeId, gained: Any, done: _Pass) -> None:
        match self.nodes[node]:
            case Item() as item:
                _back_item(item, gained, done)
            case Add(_, terms):
                for n, factor in terms:
                    done.gains[n] += gained * factor
            case Mul(factors):
                for (n, _), slope in zip(factors, _product_slopes(factors, done.values), strict=True):
                    done.gain(n, slope * gained)
            case Extreme(_, found):
                done.gain(next(n for n in found if done.values[n] is done.values[node]), gained)
            case Call(function, found):
                _back_call(function, found, gained, done)
            case Reduce() as loop:
                self._back_reduce(loop, gained, done)
            case Peak() as peak:
                self._back_peak(peak, gained, done)
            case Interference() as interference:
                self._back_interference(interference, gained, done)
            case _:
                pass  # a comparison is constant, a bound variable is whole; what a symbol gains stays with it

    # Loops

    def _loop(self, indices: tuple[NodeId, ...], root: NodeId) -> _Loop:
        key = (*indices, root)
        if key not in self._loops:
            nodes = self._scopes.order_many([root], frozenset(indices))
            self._loops[key] = _Loop(nodes, self._steps(nodes))
        return self._loops[key]

    def _back_reduce(self, found: Reduce, gained: Any, done: _Pass) -> None:
        values = done.values
        run = span(values[found.low], values[found.high])
        if not run:
            return
        loop = self._loop((found.index,), found.body)
        if found.kind != "sum":
            best = self._best(found, run, loop, done)
            run = range(best, best + 1) if best is not None else range(0)
        for i in run:
            self._at(found.index, i, loop, done)
            if found.kind == "sum" and i in (run[0], run[-1]):
                if i == run[-1]:
                    done.gain(found.high, values[found.body] * gained)
                if i == run[0]:
                    done.gain(found.low, values[found.body] * -gained)
            done.gain(found.body, gained)
            self._back(loop.nodes, done)

    @staticmethod
    def _at(index: NodeId, i: int, loop: _Loop, done: _Pass) -> None:
        done.values[index] = i
        for step in loop.steps:
            step(done.values, done.environment)

    def _best(self, found: Reduce, run: range, loop: _Loop, done: _Pass) -> int | None:
        """Where the maximum or minimum is taken; None where a maximum is 0 because nothing is greater."""
        best, top = None, None if found.kind == "min" else 0
        for i in run:
            self._at(found.index, i, loop, done)
            value: Any = done.values[found.body]
            if top is None or (value > top if found.kind == "max" else value < top):
                best, top = i, value
        return best

    # Families

    def _leaves(self, load: Load, done: _Pass) -> Iterator[tuple[Member, Sequence[NodeId], _Pass]]:
        """Run over the binders of a load: the member met, the nodes that were computed for it, and where.

        A load may bind a variable that a loop around it has bound as well. So what is inside has values and gains of
        its own; what is gained outside of it is added there at the end.
        """
        if load not in self._scattered:
            indices = frozenset(b.index for b in load.binders)
            roots = [*load.subscripts, load.load, load.head, load.tail]
            self._scattered[load] = self._scatter(load), self._scopes.order_many(roots, indices) if indices else ()
        scatter, nodes = self._scattered[load]
        gains: Any = defaultdict(int)
        inside = done._replace(values=done.values.copy(), gains=gains) if load.binders else done
        for _ in _runs(scatter, inside, 0):
            yield tuple([inside.values[s] for s in load.subscripts]), nodes, inside
        for n, gained in gains.items():
            done.gains[n] += gained

    def _back_peak(self, peak: Peak, gained: Any, done: _Pass) -> None:
        uses = gather([self._scatter(load) for load in peak.loads], done.values, done.environment)
        count = self._servers(peak.members, peak.servers)
        best, top, per = None, 0, {}
        for member, use in uses.items():
            if use[3] or use[0] > 0:
                per[member] = count(member, done.values, done.environment)
                value = use[1] + quotient(use[0], per[member]) + use[2]
                if value > top:
                    best, top = member, value
        if best is None:
            return
        use, ends = uses[best], {1: True, 2: True}
        for load in peak.loads:
            for member, nodes, inside in self._leaves(load, done):
                if member == best:
                    inside.gain(load.load, quotient(gained, per[best]))
                    for place, end in ((1, load.head), (2, load.tail)):
                        if ends[place] and inside.values[end] == use[place]:
                            ends[place] = False
                            inside.gain(end, gained)
                    self._back(nodes, inside)
        self._back_servers(peak.members, peak.servers, best, use[0], gained, done)

    def _back_interference(self, found: Interference, gained: Any, done: _Pass) -> None:
        values, environment = done.values, done.environment
        mine = gather([self._scatter(load) for load in found.own], values, environment)
        everyone = gather([self._scatter(load) for load in found.all], values, environment)
        count = self._servers(found.members, found.servers)
        weight = {m: quotient(gained, count(m, values, environment)) for m in mine if m in everyone}
        for loads, sign in ((found.own, -1), (found.all, 1)):
            for load in loads:
                for member, nodes, inside in self._leaves(load, done):
                    if member in weight:
                        inside.gain(load.load, sign * weight[member])
                        self._back(nodes, inside)
        for member in weight:
            others = everyone[member][0] - mine[member][0]
            self._back_servers(found.members, found.servers, member, others, gained, done)

    def _back_servers(
        self, members: tuple[NodeId, ...], servers: NodeId, member: Member, load: Any, gained: Any, done: _Pass
    ) -> None:
        """A load divided by its servers loses load / servers^2 with each server."""
        for variable, value in zip(members, member, strict=True):
            done.values[variable] = value
        loop = self._loop(members, servers)
        for step in loop.steps:
            step(done.values, done.environment)
        number = done.values[servers]
        done.gain(servers, quotient(-gained * load, number * number))
        self._back(loop.nodes, done)


def _runs(scatter: Scatter, done: _Pass, depth: int) -> Iterator[None]:
    """Set the binders of a load to all their values in turn, and compute what depends on them."""
    values, environment = done.values, done.environment
    if depth == len(scatter.loops):
        for step in scatter.steps:
            step(values, environment)
        yield
        return
    binder, prepare = scatter.loops[depth]
    for step in prepare:
        step(values, environment)
    for i in span(values[binder.low], values[binder.high]):
        values[binder.index] = i
        yield from _runs(scatter, done, depth + 1)


def _back_item(item: Item, gained: Any, done: _Pass) -> None:
    members, given = (tuple([done.values[n] for n in nodes]) for nodes in (item.subscripts, item.arguments))
    key = Quantity(item.name, members, given)
    try:
        value = done.environment.item(*key)
        for k, n in enumerate(item.arguments):
            step = abs(given[k]) or 1
            beyond = (*given[:k], given[k] + step, *given[k + 1 :])
            done.gain(n, gained * quotient(done.environment.item(item.name, members, beyond) - value, step))
    except LookupError:
        return  # a member that there is not, and that is multiplied by 0
    done.items[key] = done.items.get(key, 0) + gained
    done.quantities[key] = value


def _product_slopes(factors: tuple[tuple[NodeId, int], ...], values: list[Any]) -> Iterator[Any]:
    """The derivative of a product of powers by each base, without dividing by what may be 0."""
    powers = [_power(values[n], e) for n, e in factors]
    after: list[Any] = [1]
    for power in reversed(powers[1:]):
        after.append(power * after[-1])
    before: Any = 1
    for (n, e), power, rest in zip(factors, powers, reversed(after), strict=True):
        yield before * rest * e * (_power(values[n], e - 1) if e != 1 else 1)
        before = before * power


def _power(base: Any, exponent: int) -> Any:
    return whole_power(base, exponent) if exponent >= 0 else quotient(1, whole_power(base, -exponent))


def _back_call(function: str, found: tuple[NodeId, ...], gained: Any, done: _Pass) -> None:
    first, *others = (done.values[n] for n in found)
    if isinstance(first, Undefined) or any(isinstance(o, Undefined) for o in others):
        return
    slopes: list[Any]
    match function:
        case "floor" | "ceil":
            slopes = [1]
        case "abs":
            slopes = [(first > 0) - (first < 0)]
        case "mod":
            slopes = [1, -math.floor(quotient(first, others[0]))]
        case "pow":
            slopes = _power_slopes(first, others[0])
        case "sqrt":
            slopes = [1 / (2 * math.sqrt(first)) if first else 0]
        case _:
            slopes = [quotient(1, first) / (math.log(2) if function == "log2" else 1)]
    for n, slope in zip(found, slopes, strict=True):
        done.gain(n, gained * slope)


def _power_slopes(base: Any, exponent: Any) -> list[Any]:
    """Of base^exponent, by either; 0 at the base 0, where there may be none."""
    if not base:
        return [1 if exponent == 1 else 0, 0]
    by_base = exponent * steps.FUNCTIONS["pow"](base, exponent - 1)
    return [by_base, steps.FUNCTIONS["pow"](base, exponent) * math.log(base) if base > 0 else 0]
