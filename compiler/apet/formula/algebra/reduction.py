"""Sums, maxima and minima over a range, in closed form where there is one; and what replaces nodes in them.

The two belong together: a closed form is the body with an end of the range in place of the variable, and a loop with
something else in its body or range may get a closed form that it had not.

No loop is unrolled: a sum over 10^15 iterations of a polynomial body is a formula at once. What has no closed form
stays a `Reduce` node, which is evaluated by running over the range.
"""

from __future__ import annotations

from collections.abc import Mapping

from apet.formula.algebra.conditions import condition_on, pieces
from apet.formula.algebra.guards import by_divisors, may_divide, unless_cancelled, unless_lost
from apet.formula.algebra.periodic import one_turn, period, times_met
from apet.formula.algebra.polynomial import HIGHEST_DEGREE, degree, expand, in_powers
from apet.formula.algebra.ranges import count_of, factored, faulhaber, not_below_zero, occupied
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import (
    Add,
    Call,
    Compare,
    Const,
    Extreme,
    Interference,
    Item,
    Mul,
    NodeId,
    Peak,
    Rational,
    Reduce,
    operands,
)
from apet.formula.graph.rebuilding import Rebuilding


def reduce_over(graph: Graph, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
    """The "sum", "max" or "min" of a body over low..high."""
    if kind == "sum":
        return sum_over(graph, index, low, high, body)
    if kind == "max":
        return max_over(graph, index, low, high, body)
    return min_over(graph, index, low, high, body)


def sum_over(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
    """The sum of the body over index = low..high; 0 over an empty range, whatever the body divides by."""
    count = count_of(graph, low, high)
    if body == graph.zero or graph.value(count) == 0:
        return graph.zero
    # a size that is never negative needs no comparison: all that follows is 0 where it is 0
    if not graph.nonnegative(count) and occupied(graph, low, high) == graph.zero:
        return graph.zero
    if low == high:
        return _round_at(graph, index, low, body, graph.one)
    rounds = not_below_zero(graph, count)
    if index not in graph.free[body]:
        product = graph.times(rounds, body)
        return (
            product
            if graph.value(rounds) is not None
            else unless_cancelled(graph, body, product, occupied(graph, low, high))
        )

    constant, terms = graph.terms(body)
    summands: list[tuple[NodeId, Rational]] = []
    if constant:
        summands.append((rounds, constant))
    polynomial: list[tuple[NodeId, Rational]] = []
    rest: list[tuple[NodeId, Rational]] = []
    for atom, coefficient in terms:
        if index not in graph.free[atom]:
            product = unless_cancelled(graph, atom, graph.times(rounds, atom), occupied(graph, low, high))
            summands.append((product, coefficient))
        elif (degree(graph, atom, index) or HIGHEST_DEGREE + 1) <= HIGHEST_DEGREE:
            polynomial.append((atom, coefficient))
        elif (value := _only_round(graph, index, atom)) is not None:
            within = graph.times(graph.compare("<=", low, value), graph.compare("<=", value, high))
            summands.append((graph.times(within, _round_at(graph, index, value, atom, graph.one)), coefficient))
        else:
            rest.append((atom, coefficient))

    for alike in by_divisors(graph, polynomial):
        # The closed form is right for high >= low - 1 and wrong below: the sum of i = 1..n is n (n + 1) / 2, which is
        # 0 for n = 0, as it should be, but 1 for n = -2. Hence the factor [low <= high].
        closed = faulhaber(graph, index, low, high, alike)
        if closed is None:
            rest += alike
        else:
            filled = occupied(graph, low, high)
            value = unless_cancelled(graph, graph.add(alike), graph.add(closed[1], closed[0]), filled)
            summands.append((value if rounds == count else graph.times(filled, value), 1))
    if rest:
        summands.append((_kept_sum(graph, index, low, high, graph.add(rest)), 1))

    return graph.add(summands)


def _round_at(graph: Graph, index: NodeId, value: NodeId, body: NodeId, filled: NodeId) -> NodeId:
    """The body in the round of a value, term by term 0 where a divisor is 0 that has cancelled."""
    if not graph.facts.quotients.divides(body):
        return substitute(graph, body, {index: value})
    constant, terms = graph.terms(body)
    summands: list[tuple[NodeId, Rational]] = []
    for term, coefficient in terms:
        there = substitute(graph, term, {index: value})
        quotients = graph.facts.quotients
        bases, direct = (
            {substitute(graph, d, {index: value}): e for d, e in divisors.items()}
            for divisors in (quotients.divisors(term), quotients.direct(term))
        )
        summands.append((unless_lost(graph, bases, direct, there, filled), coefficient))
    return graph.add(summands, constant)


def _only_round(graph: Graph, index: NodeId, atom: NodeId) -> NodeId | None:
    """The value of the index in the only round in which an atom `[index == value]` is not 0, or None."""
    node = graph.nodes[atom]
    if not isinstance(node, Compare) or node.operator != "==" or index not in (node.left, node.right):
        return None
    value = node.right if node.left == index else node.left
    return value if graph.integral[value] and index not in graph.free[value] else None


def _kept_sum(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
    """A sum without closed form, what is free of the index drawn out; of a periodic body only over one period."""
    split = _in_pieces(graph, "sum", index, low, high, body)
    if split is not None:
        return graph.plus(*split)
    outside, inside = factored(graph, index, body)
    periodic = period(graph, index, low, high, inside)
    if periodic is not None:
        end = one_turn(graph, low, high, periodic)
        turn = graph.index_like(index, low, end)
        weighed = graph.times(times_met(graph, index, high, periodic), inside)
        return graph.times(outside, graph.intern(Reduce("sum", turn, low, end, _moved(graph, index, turn, weighed))))
    return graph.times(outside, graph.intern(Reduce("sum", index, low, high, inside)))


def _in_pieces(graph: Graph, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> list[NodeId] | None:
    """The sums or maxima over the pieces of the range that a condition on the index makes; None where one of them, or
    the body, has no closed form in that way."""
    condition = condition_on(graph, index, body)
    if condition is None:
        return None
    reduced = []
    for piece in pieces(graph, index, low, high, condition):
        filled = occupied(graph, piece.low, piece.high)
        if filled == graph.zero:
            continue

        try:
            inside = substitute(graph, body, {condition: piece.value})
            moved = graph.index_like(index, piece.low, piece.high)
            value = reduce_over(graph, kind, moved, piece.low, piece.high, _moved(graph, index, moved, inside))
        except ZeroDivisionError:
            if filled == graph.one:
                raise
            return None  # the piece may be empty, and nothing be divided
        if _is_loop(graph, value):
            return None
        reduced.append(value)
    return reduced


def _is_loop(graph: Graph, top: NodeId) -> bool:
    """Whether a sum or maximum was made that has no closed form."""
    seen, stack = set[NodeId](), [top]
    while stack:
        n = stack.pop()
        if n in seen:
            continue
        seen.add(n)
        node = graph.nodes[n]
        if isinstance(node, Reduce):
            return True
        if isinstance(node, Add | Mul | Extreme):
            stack += operands(node)
    return False


def _moved(graph: Graph, index: NodeId, other: NodeId, body: NodeId) -> NodeId:
    """The body with another variable, of which more may be known."""
    return substitute(graph, body, {index: other})


def max_over(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
    """The maximum of a non-negative body over index = low..high; 0 over an empty range."""
    filled = occupied(graph, low, high)
    if filled == graph.zero:
        return graph.zero
    split = _in_pieces(graph, "max", index, low, high, body)
    if split is not None:
        return graph.maximum(split)
    return _extreme_over(graph, "max", index, low, high, body, filled)


def min_over(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
    """The minimum of the body over index = low..high; infinite over an empty range where no closed form is found."""
    return _extreme_over(graph, "min", index, low, high, body, graph.one)


def _extreme_over(
    graph: Graph, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId, filled: NodeId
) -> NodeId:
    # From the sharpest rule to the weakest: the ends, operand by operand, without a constant factor, without a
    # constant part, over one period. What is left stays a loop.
    ends = best_ends(graph, kind, index, low, high, body)
    if ends is not None:
        if high in ends and not graph.at_most(low, high) and may_divide(graph, index, body):
            # Of an empty range the value at the upper end would be asked for, if only to be multiplied by 0.
            ends = [graph.maximum([low, high]) if e == high else e for e in ends]
        join = graph.maximum if kind == "max" else graph.minimum
        return graph.times(filled, join([_round_at(graph, index, e, body, filled) for e in ends]))
    node = graph.nodes[body]
    if isinstance(node, Extreme) and node.kind == kind:
        parts = [_extreme_over(graph, kind, index, low, high, n, filled) for n in node.operands]
        return graph.maximum(parts) if kind == "max" else graph.minimum(parts)
    outside, inside = factored(graph, index, body)
    if outside != graph.one and graph.nonnegative(outside):
        product = graph.times(outside, _extreme_over(graph, kind, index, low, high, inside, filled))
        return unless_cancelled(graph, outside, product, filled)
    # The maximum over an empty range is 0, so what is drawn out of a sum is multiplied by [low <= high] again.
    apart = _constant_part(graph, index, body)
    if apart != graph.zero:
        moving = _extreme_over(graph, kind, index, low, high, graph.minus(body, apart), graph.one)
        return graph.times(filled, graph.plus(apart, moving))

    periodic = period(graph, index, low, high, body)
    if periodic is not None:
        end = one_turn(graph, low, high, periodic)
        turn = graph.index_like(index, low, end)
        return graph.intern(Reduce(kind, turn, low, end, _moved(graph, index, turn, body)))

    return graph.intern(Reduce(kind, index, low, high, body))


def _constant_part(graph: Graph, index: NodeId, body: NodeId) -> NodeId:
    """The terms free of the index, if what remains is still proved not to be negative."""
    constant, terms = graph.terms(body)
    still = [(n, c) for n, c in terms if index not in graph.free[n]]
    part = graph.add(still, constant)
    return part if graph.nonnegative(graph.minus(body, part)) else graph.zero


def best_ends(graph: Graph, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> list[NodeId] | None:
    """Values of the index among which the extreme is found for all values of the symbols; None if unknown."""
    if index not in graph.free[body] or low == high:
        return [low]
    way = direction(graph, index, body)
    if way is None:
        return None
    return [high] if way and (way > 0) == (kind == "max") else [low]


def direction(graph: Graph, index: NodeId, node: NodeId) -> int | None:
    """1 if a node never falls as the index rises, -1 if it never rises, 0 if it stays; None if unproved."""
    free = graph.free
    if index not in free[node]:
        return 0

    ways: list[int | None]  # of what depends on the index
    match graph.nodes[node]:
        case Add(_, terms):
            ways = [_signed(direction(graph, index, n), c) for n, c in terms if index in free[n]]
        case Extreme(_, inner):
            ways = [direction(graph, index, n) for n in inner if index in free[n]]
        # A product of factors that are not negative moves as they do; an inverse moves against its base.
        case Mul(factors) if all(graph.nonnegative(n) for n, _ in factors):
            ways = [_signed(direction(graph, index, n), e) for n, e in factors if index in free[n]]
        case Call("floor" | "ceil" | "sqrt" | "log" | "log2", (argument,)):
            ways = [direction(graph, index, argument)]
        # A power of a share falls with its exponent: the chance to be still in a loop.
        case Call("pow", (base, exponent)) if index not in free[base] and _is_share(graph, base, exponent):
            ways = [_signed(direction(graph, index, exponent), -1)]
        case Reduce(_, _, inner_low, inner_high, body) if index not in free[inner_low] | free[inner_high]:
            ways = [direction(graph, index, body)]
        # More rounds of what is not negative never make a sum or maximum less.
        case Reduce("sum" | "max", _, inner_low, inner_high, body) if graph.nonnegative(body):
            ways = [direction(graph, index, n) for n in (body, inner_high)]
            ways.append(_signed(direction(graph, index, inner_low), -1))
        case Const() | Item() | Peak() | Interference():
            return None
        case _:
            return 1 if node == index else None

    joined = _joined(ways)
    return joined if joined is not None else _by_difference(graph, index, node)


def _is_share(graph: Graph, base: NodeId, exponent: NodeId) -> bool:
    """Whether a power of a number from 0 to 1 is one, too."""
    return graph.nonnegative(base) and graph.nonnegative(exponent) and graph.at_most(base, graph.one)


def _signed(way: int | None, sign: Rational) -> int | None:
    return None if way is None else way if sign > 0 else -way


def _joined(ways: list[int | None]) -> int | None:
    if None in ways:
        return None
    signs = {w for w in ways if w}
    return None if len(signs) > 1 else signs.pop() if signs else 0


def _difference(graph: Graph, index: NodeId, node: NodeId) -> NodeId:
    return expand(graph, graph.minus(substitute(graph, node, {index: graph.shift(index, 1)}), node))


def _by_difference(graph: Graph, index: NodeId, node: NodeId) -> int | None:
    """The sign of e(i + 1) - e(i) for polynomials."""
    if in_powers(graph, node, index) is None:
        return None
    step = _difference(graph, index, node)
    if graph.nonnegative(step):
        return 1
    return -1 if graph.nonnegative(graph.scale(step, -1)) else None


def substitute(graph: Graph, node: NodeId, replacement: Mapping[NodeId, NodeId]) -> NodeId:
    """The node with every free occurrence of a key replaced; simplified on the way.

    A key is an index or a symbol, or any other node: that is replaced where it stands as a whole.
    """
    return _Substitution(graph, replacement).apply(node)


class _Substitution(Rebuilding):
    def __init__(self, graph: Graph, replacement: Mapping[NodeId, NodeId]) -> None:
        super().__init__(graph, graph)
        self.copies: dict[NodeId, NodeId] = dict(replacement)
        # Only what depends on the bound variables of the keys can hold a key; a key without any may be anywhere.
        self.keys = frozenset[NodeId]().union(*(graph.free[k] for k in replacement))
        self.everywhere = any(not graph.free[k] for k in replacement)

    def apply(self, node: NodeId) -> NodeId:
        result = self.copies.get(node)
        if result is not None:
            return result
        touched = self.everywhere or self.source.free[node] & self.keys
        result = self.copies[node] = self.rebuilt(node) if touched else node
        return result

    def variable(self, index: NodeId) -> NodeId:
        return index

    def bound(self, index: NodeId, low: NodeId, high: NodeId) -> NodeId:
        """A bound variable for the new range: facts are proved from the range of a variable, so it gets its own."""
        fresh = self.target.index_like(index, low, high)
        if fresh != index:
            self.copies[index] = fresh
            self.keys = self.keys | {index}
        return fresh

    def reduced(self, kind: str, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId:
        return reduce_over(self.target, kind, index, low, high, body)
