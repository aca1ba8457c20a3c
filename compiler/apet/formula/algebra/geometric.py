"""Geometric sums in closed form, for plans: what a loop that each round leaves with one probability costs on average.

sum of q^(i + c) over i = low..high is q^(low + c) (1 - q^n) / (1 - q) with n = high - low + 1 rounds, and n for q = 1.
Formulas keep the sum, which is easier to read, to bound and to differentiate; a plan that is run with numbers does not
have to run over its rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.formula.algebra.polynomial import expand
from apet.formula.algebra.ranges import count_of, factored, not_below_zero
from apet.formula.algebra.reduction import reduce_over
from apet.formula.graph.graph import Graph
from apet.formula.graph.importing import reachable
from apet.formula.graph.nodes import Add, Call, Compare, NodeId, Rational, Reduce, operands
from apet.formula.graph.rebuilding import Rebuilding


def with_closed_powers(graph: Graph, roots: Sequence[NodeId]) -> list[NodeId]:
    """Nodes of the same values without loops over geometric sums, wherever there are powers in loops."""
    # Most graphs have none, and may be long.
    if not any(type(node) is Call and node.function == "pow" for node in graph.nodes):
        return list(roots)
    closing = _Closing(graph)
    for n in reachable(graph, roots):  # operands first: nothing recurses, however deep the formula
        closing.copies[n] = closing.closed(n)
    return [closing.copies[n] for n in roots]


class _Closing(Rebuilding):
    def __init__(self, graph: Graph) -> None:
        super().__init__(graph, graph)
        self.copies: dict[NodeId, NodeId] = {}

    def closed(self, node: NodeId) -> NodeId:
        """What stands for a node: the node itself where nothing in it has a closed form."""
        graph = self.target
        result: NodeId | None = None
        match graph.nodes[node]:
            case Compare("==" | "!=" as operator, left, right):
                result = compared_power(graph, operator, left, right)
            case Reduce("sum", index, low, high, body):
                result = geometric_sum(graph, index, *map(self.apply, (low, high, body)))
            case _:
                pass
        if result is not None:
            return result
        changed = any(self.copies[n] != n for n in operands(graph.nodes[node]))
        return self.rebuilt(node) if changed else node

    def apply(self, node: NodeId) -> NodeId:
        return self.copies[node]

    def variable(self, index: NodeId) -> NodeId:
        return index

    def bound(self, index: NodeId, low: NodeId, high: NodeId) -> NodeId:
        return index

    def reduced(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
        return reduce_over(self.target, kind, index, low, high, body)


def compared_power(graph: Graph, operator: str, power: NodeId, right: NodeId) -> NodeId | None:
    """A power next to 0 or 1, of what is not negative, by its base and exponent, in terms that are not negative: x^k is
    1 for x = 1, and for k = 0; it is 0 for x = 0 and k other than 0."""
    number = graph.value(right)
    match graph.nodes[power]:
        case Call("pow", (base, exponent)) if number in (0, 1):
            if not (graph.nonnegative(base) and graph.nonnegative(exponent)):
                return None
        case _:
            return None

    like_base = graph.compare(operator, base, right)
    if (operator == "==") == (number == 0):
        return graph.times(like_base, graph.compare("!=", exponent, graph.zero))
    opposite = graph.compare("!=" if operator == "==" else "==", base, right)
    return graph.plus(like_base, graph.times(opposite, graph.compare("==", exponent, graph.zero)))


def geometric_sum(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId | None:
    """The sum of a body some of whose terms are geometric; None if none of them is."""
    constant, terms = graph.terms(body)
    closed: list[tuple[NodeId, Rational]] = []
    rest: list[tuple[NodeId, Rational]] = []
    for atom, coefficient in terms:
        outside, inside = factored(graph, index, atom)
        powers = _powers(graph, index, low, high, inside)
        # Only what moves with the index is multiplied out: what the rounds of an inner sum have become.
        expanded = expand(graph, inside) if powers is None else inside
        if powers is None and expanded != atom and isinstance(graph.nodes[expanded], Add):
            powers = geometric_sum(graph, index, low, high, expanded)
        if powers is None:
            rest.append((atom, coefficient))
        else:
            closed.append((graph.times(outside, powers), coefficient))

    if not closed:
        return None
    return graph.plus(graph.add(closed), reduce_over(graph, "sum", index, low, high, graph.add(rest, constant)))


def _powers(graph: Graph, index: NodeId, low: NodeId, high: NodeId, power: NodeId) -> NodeId | None:
    """The sum of a power whose exponent rises or falls by one, and is never below 0."""
    match graph.nodes[power]:
        case Call("pow", (base, exponent)) if index not in graph.free[base]:
            rises = graph.minus(exponent, index)
            falls = graph.plus(exponent, index)
        case _:
            return None
    least = graph.plus(rises, low) if index not in graph.free[rises] else graph.minus(falls, high)
    if index in graph.free[least] or not graph.nonnegative(least):
        return None

    rounds = not_below_zero(graph, count_of(graph, low, high))
    missing = graph.minus(graph.one, graph.call("pow", [base, rounds]))
    # A product with a condition that does not hold is 0 whatever is divided in it.
    apart = graph.times(
        graph.compare("!=", base, graph.one),
        graph.call("pow", [base, least]),
        missing,
        graph.power(graph.minus(graph.one, base), -1),
    )
    return graph.plus(apart, graph.times(graph.compare("==", base, graph.one), rounds))
