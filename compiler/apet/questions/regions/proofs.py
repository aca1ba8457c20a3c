"""What can be proved of the terms over a box of parameters and numbers of processors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from apet.formula.algebra.reduction import substitute
from apet.formula.evaluate.environment import EvaluationError
from apet.formula.evaluate.rounding import add, common, infinite, multiply, negate
from apet.formula.extremes.monotone import sign
from apet.formula.extremes.slopes import counts
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Peak, Reduce
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.questions.regions.environment import RangeEnvironment
from apet.questions.regions.term_map import Box, Point, TermMap

LONGEST_LOOP = 2_000
"""Loops without closed form are enclosed round by round up to this length."""


def certify(term_map: TermMap, box: Box) -> int | None:
    """The term that is the greatest all over a box within one segment, if that can be proved."""
    term_map.evaluations += 1
    point = term_map.middle(box)
    values = term_map.values_at(point)
    top = values.top
    if all(x.is_point for x in box.values()):
        return top

    # what lies in the middle is the only candidate; it remains to prove that no alternative of another term
    # passes it, where of equal terms the earlier one counts
    prover = Prover(term_map, box)
    mine = prover.low(prover.terms.choices[top])

    for k, choice in enumerate(prover.terms.choices):
        if k != top and not all(prover.below(n, top, values.best[top], mine, k < top) for n in choice):
            return None
    return top


def one_crossing(term_map: TermMap, box: Box) -> tuple[int, int] | None:
    """The terms at both ends of the only axis, if it is proved that the second takes over from the first once."""
    name = term_map.varied[0]
    ends = [term_map.values_at({name: e}) for e in box[name]]
    before, after = (h.top for h in ends)
    if before == after:
        return None
    prover = Prover(term_map, box)
    minus = prover.terms.graph.minus

    # b - a never falls, so it has one zero: a is the greatest before it, b after it, if each other alternative
    # is below a or below b all over the box
    a, b = ends[0].best[before], ends[1].best[after]
    if not prover.rises(minus(b, a)):
        return None

    for k, choice in enumerate(prover.terms.choices):
        for n in choice:
            rivals = ((a, before), (b, after))  # of equal terms the earlier one counts
            if n not in (a, b) and not any(prover.proved(minus(m, n), k < own) for m, own in rivals):
                return None
    return before, after


def member_by_member(graph: Graph, left: NodeId, right: NodeId) -> NodeId | None:
    """b(i) - f a(i), where the left is f max_i a(i), with f >= 0, and the right max_i b(i) over the same range."""
    factors = graph.factors(left)
    loops = [n for n, power in factors if power == 1 and isinstance(graph.nodes[n], Reduce)]
    inner, outer = graph.nodes[loops[0]] if len(loops) == 1 else None, graph.nodes[right]
    if not isinstance(inner, Reduce) or not isinstance(outer, Reduce) or graph.coefficient(left) != 1:
        return None
    if not inner.kind == outer.kind == "max" or (inner.low, inner.high) != (outer.low, outer.high):
        return None

    others = [(n, power) for n, power in factors if n not in loops]
    if not all(graph.nonnegative(n) for n, _ in others):
        return None
    body = substitute(graph, inner.body, {inner.index: outer.index})
    return graph.minus(outer.body, graph.times(body, *(graph.power(*factor) for factor in others)))


class Prover:
    """What can be proved of the terms over one box."""

    def __init__(self, term_map: TermMap, box: Box, sharp: bool = True) -> None:
        self.term_map = term_map
        self.box = box
        P = box.get("P", Interval(term_map.segments[0].low, term_map.segments[0].low))
        self._processors = P.lo
        self.terms = term_map.segment_terms(P.lo)
        self.points = term_map.values_of({n: x.lo for n, x in box.items()})
        self.environment = self._environment({**box, "P": P})
        self.moving = [n for n, x in box.items() if not x.is_point]

        # a slope in P holds machine quantities fixed: allowed only where a number means a machine of one kind for all P
        computed, numbers = self.terms.machine_numbers
        alone = len(self.environment.groups) <= 1
        stable = (not computed or alone) and all(self.environment.stable(m) for m in numbers)
        self.sloped = [n for n in self.moving if n != "P" or stable]
        self.values = self.terms.steepness.values(self._all(box), self.environment)

        if sharp and self.terms.loops:
            self._sharpen()

    def _all(self, box: Box) -> dict[str, Interval]:
        return {n: Interval(v, v) for n, v in self.points.items()} | dict(box)

    def _environment(self, box: Box) -> RangeEnvironment:
        deployment, terms = self.term_map.predictor.deployed(int(box["P"].hi)), self.terms
        box = self._all(box)

        tasks = None
        if self.term_map.app.needs_shares:
            count = self.terms.steep(self.terms.tasks)
            tasks = count.values(box)[terms.tasks]
        return RangeEnvironment(deployment, self.term_map.end, terms.names, terms.dealing, box, tasks)

    def longest_loop(self) -> Number:
        """How many rounds the longest loop without closed form may have."""
        longest: Number = 0
        graph = self.terms.graph
        for n in self.terms.steepness.order:
            node = graph.nodes[n]
            if isinstance(node, Reduce):
                longest = max(longest, counts(self.values[node.low], self.values[node.high]).hi)
            elif isinstance(node, Peak):
                for b in (b for load in node.loads for b in load.binders):
                    longest = max(longest, counts(self.values[b.low], self.values[b.high]).hi)
        return longest

    def _sharpen(self) -> None:
        """Loops round by round, where they are short."""
        if self.longest_loop() > LONGEST_LOOP:
            return
        try:
            enclosures = self.terms.enclosure.run(self.environment)
        except (EvaluationError, LookupError, OverflowError):
            return

        # both are enclosures, so what they have in common is one as well
        for n, x in zip(self.terms.nodes, enclosures, strict=True):
            self.values[n] = common(self.values[n], x)

    def low(self, choice: Sequence[NodeId]) -> Number:
        """A number that a term is never below."""
        return max(self.values[n].lo for n in choice)

    def below(self, node: NodeId, top: int, best: NodeId, low: Number, strict: bool) -> bool:
        """Whether an alternative is not above the greatest term, or below it where `strict`."""
        if self.values[node].hi < low or (not strict and self.values[node].hi <= low):
            return True
        graph, mine = self.terms.graph, self.terms.choices[top]
        above = [other for other in mine if graph.at_most(node, other)]
        if above and not strict:
            return True
        rivals = dict.fromkeys((*above, best))
        members = [each for other in mine if (each := member_by_member(graph, node, other)) is not None]
        return any(self.proved(d, strict) for d in (*members, *(graph.minus(other, node) for other in rivals)))

    def proved(self, difference: NodeId, strict: bool) -> bool:
        """Whether a node is 0 or more all over the box, or more than 0 where `strict`."""

        def fine(low: Number) -> bool:
            return low > 0 if strict else low >= 0

        steep = self.terms.steep(difference)
        if fine(steep.values(self._all(self.box), self.environment)[difference].lo):
            return True

        # where the difference moves one way in a quantity, its least value is at that end: the box shrinks
        slopes = self._slopes(difference)
        least = dict(self.box)
        for name, slope in slopes.items():
            way = sign(slope)
            if way is not None:
                end = self.box[name].lo if way >= 0 else self.box[name].hi
                least[name] = Interval(end, end)

        if all(x.is_point for x in least.values()):
            value = self._at(difference, {n: x.lo for n, x in least.items()})
            return value is not None and fine(value)
        if any(least[n] != x for n, x in self.box.items()):
            within = self._environment({**least, "P": least.get("P", Interval(*[self._processors] * 2))})
            if fine(steep.values(self._all(least), within)[difference].lo):
                return True
        return self._by_slopes(difference, slopes, fine_zero=not strict)

    def rises(self, difference: NodeId) -> bool:
        """Whether a node never falls as the only axis rises."""
        slopes = self._slopes(difference)
        return len(slopes) == len(self.moving) == 1 and next(iter(slopes.values())).lo >= 0

    def _slopes(self, node: NodeId) -> dict[str, Interval]:
        """Slopes in what varies; none in what changes how tasks are dealt, which slopes know nothing of."""
        dealt = self.terms.moved_by_dealing(node)
        names = [n for n in self.sloped if n not in dealt]
        if not names:
            return {}
        steep = self.terms.steep(node)
        return steep.slopes(self._all(self.box), names, self.environment)

    def _by_slopes(self, node: NodeId, slopes: Mapping[str, Interval], fine_zero: bool) -> bool:
        """The mean value form: f(centre) + slope * distance."""
        if len(slopes) < len(self.moving) or any(infinite(e) for s in slopes.values() for e in s):
            return False

        centre = self.term_map.middle(self.box)
        value = self._at(node, centre)
        if value is None:
            return False

        total = Interval(value, value)
        for name, slope in slopes.items():
            total = add(total, multiply(slope, add(self.box[name], negate(Interval(centre[name], centre[name])))))
        return total.lo > 0 or (fine_zero and total.lo >= 0)

    def _at(self, node: NodeId, point: Point) -> Number | None:
        """The exact value of a difference at a point of the box; None where it has none, or only an approximate one."""
        try:
            value = self.terms.plan_of(node).run(self.term_map.environment(point))[0]
        except (EvaluationError, LookupError, ApetError):
            return None
        return None if isinstance(value, float) else value
