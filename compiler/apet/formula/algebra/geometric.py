"""Geometric sums in closed form: what a loop that each round leaves with one probability costs on average.

sum of q^(i + c) over i = low..high is q^(low + c) (1 - q^n) / (1 - q) with n = high - low + 1 rounds, and n for q = 1.
Of x^i y^(n - i), it is the same with y in place of 1.
With a polynomial w(i) as weight, summation by parts leads to the differences of the weight, of one degree less (Graham,
Knuth, Patashnik, Concrete Mathematics, 2.6).
"""

from __future__ import annotations

from apet.formula.algebra.polynomial import degree, expand, expand_moving
from apet.formula.algebra.ranges import count_of, factored, not_below_zero
from apet.formula.algebra.reduction import reduce_over, substitute
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Call, NodeId, Rational

HIGHEST_WEIGHT = 4
"""Degree of a polynomial beside a power: each makes one more quotient of differences."""
STEEPEST = 8
"""By how much an exponent may rise from round to round."""


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
        expanded = expand_moving(graph, inside, index) if powers is None else inside
        if powers is None and expanded != atom and isinstance(graph.nodes[expanded], Add):
            powers = geometric_sum(graph, index, low, high, expanded)
        if powers is None:
            rest.append((atom, coefficient))
        else:
            closed.append((graph.times(outside, powers), coefficient))

    if not closed:
        return None
    others = expand_moving(graph, graph.add(rest, constant), index)
    return graph.plus(graph.add(closed), reduce_over(graph, "sum", index, low, high, others))


def _powers(graph: Graph, index: NodeId, low: NodeId, high: NodeId, body: NodeId) -> NodeId | None:
    """The sum of a product of a polynomial and powers whose exponents rise or fall evenly, and are never below 0."""
    powers, weight = _split(graph, index, body)
    highest = degree(graph, weight, index)
    if not powers or highest is None or highest > HIGHEST_WEIGHT:
        return None
    rising = falling = outside = graph.one
    for power, times in powers:
        way = _moving(graph, index, low, high, power)
        if way is None:
            return None
        base, least, rises = way
        outside = graph.times(outside, graph.power(least, times))
        rising = graph.times(rising, graph.power(base, times if rises else 0))
        falling = graph.times(falling, graph.power(base, 0 if rises else times))

    rounds = not_below_zero(graph, count_of(graph, low, high))
    weights = reduce_over(graph, "sum", index, low, high, weight)
    others = graph.one if falling == graph.one else graph.maximum([graph.zero, graph.shift(rounds, -1)])
    alike = graph.times(_raised(graph, falling, others), weights)
    if rising == falling:
        return graph.times(outside, alike)
    # A product with a condition that does not hold is 0 whatever is divided in it.
    last = _raised(graph, rising, rounds), _raised(graph, falling, rounds)
    apart = _by_parts(graph, index, weight, (low, graph.plus(low, rounds)), (rising, falling), last)
    total = graph.plus(
        graph.times(graph.compare("!=", rising, falling), apart),
        graph.times(graph.compare("==", rising, falling), alike),
    )
    return graph.times(outside, total)


def _raised(graph: Graph, base: NodeId, exponent: NodeId) -> NodeId:
    return graph.one if base == graph.one else graph.call("pow", [base, exponent])


def _split(graph: Graph, index: NodeId, body: NodeId) -> tuple[list[tuple[NodeId, int]], NodeId]:
    """The powers in a product that move with the index, each with how often it is a factor; and what else is in it."""
    powers, rest = list[tuple[NodeId, int]](), graph.one
    for n, times in graph.factors(body):
        node = graph.nodes[n]
        if times > 0 and type(node) is Call and node.function == "pow" and index in graph.free[n]:
            powers.append((n, times))
        else:
            rest = graph.times(rest, graph.power(n, times))
    return powers, rest


def _moving(
    graph: Graph, index: NodeId, low: NodeId, high: NodeId, power: NodeId
) -> tuple[NodeId, NodeId, bool] | None:
    """What a power is multiplied by from round to round, forwards or backwards; the least of its values' exponents as a
    power; and whether it is that in the first round. None where that is not so."""
    call = graph.nodes[power]
    assert isinstance(call, Call)
    base, exponent = call.operands
    slope = dict(graph.terms(exponent)[1]).get(index)
    if slope is None or slope.denominator != 1 or not -STEEPEST <= slope <= STEEPEST or index in graph.free[base]:
        return None

    rises, steps = bool(slope > 0), abs(int(slope))
    still = graph.minus(exponent, graph.scale(index, slope))
    least = graph.plus(still, graph.scale(low if rises else high, slope))
    if index in graph.free[still] or not graph.nonnegative(least):
        return None
    return graph.power(base, steps), graph.call("pow", [base, least]), rises


def _by_parts(
    graph: Graph,
    index: NodeId,
    weight: NodeId,
    ends: tuple[NodeId, NodeId],
    bases: tuple[NodeId, NodeId],
    last: tuple[NodeId, NodeId],
) -> NodeId:
    """The sum of w(low + k) x^k y^(n - 1 - k) over k = 0..n - 1, from the index at k = 0 and n; x, y; and x^n, y^n.

    It is (w(low) y^n - w(low + n) x^n + x D) / (y - x), where D is the sum of the differences of w in its place.
    """
    first, beyond = (substitute(graph, weight, {index: end}) for end in ends)
    parts: list[tuple[NodeId, Rational]] = [(graph.times(first, last[1]), 1), (graph.times(beyond, last[0]), -1)]
    if index in graph.free[weight]:
        following = substitute(graph, weight, {index: graph.shift(index, 1)})
        differences = expand(graph, graph.minus(following, weight))
        parts.append((graph.times(bases[0], _by_parts(graph, index, differences, ends, bases, last)), 1))
    return graph.times(graph.add(parts), graph.power(graph.minus(bases[1], bases[0]), -1))
