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
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from apet.formula.evaluate.arithmetic import Member, Step, Values, span
from apet.formula.evaluate.environment import Environment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.evaluate.families import Scatter, leaves
from apet.formula.evaluate.interpreter import no_value
from apet.formula.evaluate.number_arithmetic import FUNCTIONS, quotient, whole_power
from apet.formula.evaluate.undefined import Undefined, defined
from apet.formula.graph import nodes as kinds
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Node, NodeId
from apet.ground.interval import Number
from apet.ground.records import NamedTuple


class QuantityKey(NamedTuple):
    """One value of a machine quantity: `t_send[0, 3](8)`."""

    name: str
    subscripts: tuple[Number, ...]
    arguments: tuple[Number, ...]

    def __str__(self) -> str:
        inside = f"[{', '.join(map(str, self.subscripts))}]" if self.subscripts else ""
        return self.name + inside + (f"({', '.join(map(str, self.arguments))})" if self.arguments else "")


class Derivatives(NamedTuple):
    """The value of a formula, and its partial derivatives by parameter and by distinct machine quantity.

    `quantities` are the values of the latter. What the value does not depend on here is absent.
    """

    value: Number
    symbols: dict[str, Number]
    items: dict[QuantityKey, Number]
    quantities: dict[QuantityKey, Number]

    def contributions(self) -> dict[str, Number]:
        """Derivative times value, summed by the name of the machine quantity (`t_send`): what scaling it adds."""
        effects: dict[str, Number] = defaultdict(int)
        for quantity, slope in self.items.items():
            effects[quantity.name] += slope * self.quantities[quantity]
        return dict(effects)


class _LoopBody(NamedTuple):
    """What is computed inside a loop: the nodes, operands first, and their steps."""

    nodes: Sequence[NodeId]
    steps: Sequence[Step]


class _Pass(NamedTuple):
    """One evaluation: values by node, what the root gains by each node, and the machine quantities reached."""

    values: Values
    gains: Any
    items: dict[QuantityKey, Any]
    quantities: dict[QuantityKey, Any]
    environment: Environment

    def gain(self, node: NodeId, by: Any) -> None:
        """Add to what the root gains by a node. What has no value here is multiplied by 0 elsewhere."""
        if not isinstance(by, Undefined):
            self.gains[node] += by


class Gradient(Plan):
    """A plan that gives the derivatives of one node as well."""

    def __init__(self, graph: Graph, root: NodeId, exact: bool = False) -> None:
        super().__init__(graph, [root], exact)
        self._loops: dict[tuple[NodeId, ...], _LoopBody] = {}
        self._scattered: dict[kinds.Load, tuple[Scatter, Sequence[NodeId]]] = {}
        self._symbols = [(n, node.name) for n, node in enumerate(self.nodes) if type(node) is kinds.Symbol]
        self._pairs = [_factor_pair(node) for node in self.nodes]  # most nodes are products of two factors
        self._inside = [n for n in self.order if type(self.nodes[n]) not in (kinds.Symbol, kinds.Const)]

    def derivatives(self, environment: Environment) -> Derivatives:
        """Value and derivatives of the root; `EvaluationError` where there is no value."""
        self._runs += 1
        state = _Pass(self._blank.copy(), [0] * len(self.nodes), {}, {}, environment)
        root = self.roots[0]
        try:
            for step in self.steps:
                step(state.values, environment)
            value = defined(state.values[root])
            state.values[-1] = math.inf  # the forward pass has shown that the loops are short enough
            state.gains[root] = 1
            self._back(self._inside, state)
        except (ZeroDivisionError, OverflowError, ValueError) as error:
            raise no_value(error) from None

        slopes = {name: slope for n, name in self._symbols if (slope := state.gains[n])}
        return Derivatives(value, slopes, state.items, state.quantities)

    def _back(self, nodes: Sequence[NodeId], state: _Pass) -> None:
        """Hand on what is gained by these nodes, which are those of one loop, to their operands."""
        gains, values, pairs = state.gains, state.values, self._pairs
        for node in reversed(nodes):
            gained = gains[node]
            if not gained:
                continue
            gains[node] = 0
            pair = pairs[node]
            if pair is None:
                hand_on = self._hand_on_apart if node in self._rebinding else self._hand_on
                hand_on(node, gained, state)
                continue

            one, other = pair
            value = values[other]
            if type(value) is not Undefined:
                gains[one] += value * gained
            value = values[one]
            if type(value) is not Undefined:
                gains[other] += value * gained

    def _hand_on_apart(self, node: NodeId, gained: Any, state: _Pass) -> None:
        """The same for a node that binds a variable which is bound around it: inside, values and gains are others."""
        gains: Any = defaultdict(int)
        self._hand_on(node, gained, state._replace(values=state.values.copy(), gains=gains))
        for n, of_node in gains.items():
            state.gains[n] += of_node

    def _hand_on(self, node: NodeId, gained: Any, state: _Pass) -> None:
        match self.nodes[node]:
            case kinds.Add(_, terms):
                gains = state.gains
                for n, factor in terms:
                    gains[n] += gained * factor
            case kinds.Mul(factors):
                slopes = _product_slopes(factors, state.values)
                for (n, _), slope in zip(factors, slopes, strict=True):
                    state.gain(n, slope * gained)
            case kinds.Item() as item:
                _back_item(item, gained, state)
            case kinds.Extreme(_, inner):
                state.gain(next(n for n in inner if state.values[n] is state.values[node]), gained)
            case kinds.Call(function, inner):
                _back_call(function, inner, gained, state)

            case kinds.Reduce() as loop:
                self._back_reduce(loop, gained, state)
            case kinds.Peak() as peak:
                self._back_peak(peak, gained, state)
            case kinds.Interference() as interference:
                self._back_interference(interference, gained, state)
            case _:
                pass  # a comparison is constant, a bound variable is whole; what a symbol gains stays with it

    # Loops

    def _loop(self, indices: tuple[NodeId, ...], root: NodeId) -> _LoopBody:
        key = (*indices, root)
        if key not in self._loops:
            nodes, rebinding = self._scopes.level([root], indices)
            self._loops[key] = _LoopBody(nodes, self._steps(nodes, rebinding))
        return self._loops[key]

    def _back_reduce(self, reduction: kinds.Reduce, gained: Any, state: _Pass) -> None:
        values = state.values
        run = span(values[reduction.low], values[reduction.high])
        if not run:
            return

        loop = self._loop((reduction.index,), reduction.body)
        if reduction.kind != "sum":
            best = self._best(reduction, run, loop, state)
            run = range(best, best + 1) if best is not None else range(0)
        for i in run:
            self._at(reduction.index, i, loop, state)
            if reduction.kind == "sum" and i in (run[0], run[-1]):
                if i == run[-1]:
                    state.gain(reduction.high, values[reduction.body] * gained)
                if i == run[0]:
                    state.gain(reduction.low, values[reduction.body] * -gained)
            state.gain(reduction.body, gained)
            self._back(loop.nodes, state)

    @staticmethod
    def _at(index: NodeId, i: int, loop: _LoopBody, state: _Pass) -> None:
        state.values[index] = i
        for step in loop.steps:
            step(state.values, state.environment)

    def _best(self, reduction: kinds.Reduce, run: range, loop: _LoopBody, state: _Pass) -> int | None:
        """Where the maximum or minimum is taken; None where a maximum is 0 because nothing is greater."""
        best, top = None, None if reduction.kind == "min" else 0
        for i in run:
            self._at(reduction.index, i, loop, state)
            value: Any = state.values[reduction.body]
            if top is None or (value > top if reduction.kind == "max" else value < top):
                best, top = i, value
        return best

    # Families

    def _leaves(self, load: kinds.Load, state: _Pass) -> Iterator[tuple[Member, Sequence[NodeId], _Pass]]:
        """Run over the binders of a load: the member met, the nodes that were computed for it, and where.

        A load may bind a variable that a loop around it has bound as well: in the sum over i = 1..9 of i times the peak
        of a load 2 i c with i = 1..3, the node 2 i has one value in the load and another one in the loop. So what is
        inside has values and gains of its own: the gain of 2 i is handed on inside and is 0 again after each round,
        while that of c, which is computed outside, remains, and is added to the gains there at the end.
        """
        if load not in self._scattered:
            indices = [b.index for b in load.binders]
            roots = [*load.subscripts, load.load, load.head, load.tail]
            self._scattered[load] = self._scatter(load), self._scopes.order(roots, indices) if indices else ()
        scatter, nodes = self._scattered[load]

        gains: Any = defaultdict(int)
        inside = state._replace(values=state.values.copy(), gains=gains) if load.binders else state
        for _ in scatter.leaves(inside.values, inside.environment):
            yield tuple([inside.values[s] for s in load.subscripts]), nodes, inside

        for n, gained in gains.items():
            state.gains[n] += gained

    def _gathered(self, loads: Iterable[kinds.Load], state: _Pass) -> dict[Member, Any]:
        met = leaves(self._scatters(loads), state.values, state.environment)
        uses: dict[Member, Any] = self.arithmetic.gathered(met)
        return uses

    def _back_peak(self, peak: kinds.Peak, gained: Any, state: _Pass) -> None:
        uses = self._gathered(peak.loads, state)
        servers = partial(self._servers(peak.members, peak.servers), state.values, state.environment)
        best, top, per = None, 0, {}
        for member, use in uses.items():
            if use[3] or use[0] > 0:
                per[member] = servers(member)
                value = use[1] + quotient(use[0], per[member]) + use[2]
                if value > top:
                    best, top = member, value
        if best is None:
            return

        use, ends = uses[best], {1: True, 2: True}
        for load in peak.loads:
            for member, nodes, inside in self._leaves(load, state):
                if member == best:
                    inside.gain(load.load, quotient(gained, per[best]))
                    for place, end in ((1, load.head), (2, load.tail)):
                        if ends[place] and inside.values[end] == use[place]:
                            ends[place] = False
                            inside.gain(end, gained)
                    self._back(nodes, inside)

        self._back_servers(peak.members, peak.servers, best, use[0], gained, state)

    def _back_interference(self, interference: kinds.Interference, gained: Any, state: _Pass) -> None:
        mine, everyone = self._gathered(interference.own, state), self._gathered(interference.all, state)
        servers = partial(self._servers(interference.members, interference.servers), state.values, state.environment)
        weight = {m: quotient(gained, servers(m)) for m in mine if m in everyone}
        for loads, sign in ((interference.own, -1), (interference.all, 1)):
            for load in loads:
                for member, nodes, inside in self._leaves(load, state):
                    if member in weight:
                        inside.gain(load.load, sign * weight[member])
                        self._back(nodes, inside)

        for member in weight:
            others = everyone[member][0] - mine[member][0]
            self._back_servers(interference.members, interference.servers, member, others, gained, state)

    def _back_servers(
        self, members: tuple[NodeId, ...], servers: NodeId, member: Member, load: Any, gained: Any, state: _Pass
    ) -> None:
        """A load divided by its servers loses load / servers^2 with each server."""
        for variable, value in zip(members, member, strict=True):
            state.values[variable] = value
        loop = self._loop(members, servers)
        for step in loop.steps:
            step(state.values, state.environment)
        number = state.values[servers]
        state.gain(servers, quotient(-gained * load, number * number))
        self._back(loop.nodes, state)


def _back_item(item: kinds.Item, gained: Any, state: _Pass) -> None:
    members, arguments = (tuple([state.values[n] for n in nodes]) for nodes in (item.subscripts, item.arguments))
    key = QuantityKey(item.name, members, arguments)
    try:
        value = state.environment.item(*key)
        for k, n in enumerate(item.arguments):
            step = abs(arguments[k]) or 1
            beyond = (*arguments[:k], arguments[k] + step, *arguments[k + 1 :])
            state.gain(n, gained * quotient(state.environment.item(item.name, members, beyond) - value, step))
    except LookupError:
        return  # a member that there is not, and that is multiplied by 0

    state.items[key] = state.items.get(key, 0) + gained
    state.quantities[key] = value


def _factor_pair(node: Node) -> tuple[NodeId, NodeId] | None:
    if type(node) is kinds.Mul and len(node.factors) == 2:
        (one, exponent), (other, of_other) = node.factors
        return (one, other) if exponent == of_other == 1 else None
    return None


def _product_slopes(factors: tuple[tuple[NodeId, int], ...], values: Values) -> list[Any]:
    """The derivative of a product of powers by each base, without dividing by what may be 0."""
    powers = [_power(values[n], e) for n, e in factors]
    after: list[Any] = [1]
    for power in reversed(powers[1:]):
        after.append(power * after[-1])

    slopes, before = [], 1
    for (n, e), power, rest in zip(factors, powers, reversed(after), strict=True):
        slopes.append(before * rest * e * (_power(values[n], e - 1) if e != 1 else 1))
        before = before * power
    return slopes


def _power(base: Any, exponent: int) -> Any:
    return whole_power(base, exponent) if exponent >= 0 else quotient(1, whole_power(base, -exponent))


def _back_call(function: str, arguments: tuple[NodeId, ...], gained: Any, state: _Pass) -> None:
    first, *others = (state.values[n] for n in arguments)
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
    for n, slope in zip(arguments, slopes, strict=True):
        state.gain(n, gained * slope)


def _power_slopes(base: Any, exponent: Any) -> list[Any]:
    """Of base^exponent, by either; 0 at the base 0, where there may be none."""
    if not base:
        return [1 if exponent == 1 else 0, 0]
    by_base = exponent * FUNCTIONS["pow"](base, exponent - 1)
    return [by_base, FUNCTIONS["pow"](base, exponent) * math.log(base) if base > 0 else 0]
