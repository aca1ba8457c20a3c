"""Task graphs to costs: parts as they are, members that wait for members by a recurrence or one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NoReturn

from apet.cost.composition import Composition
from apet.cost.cost import Cost
from apet.cost.errors import MembersWithoutOrder
from apet.cost.expressions import Expressions, Names
from apet.cost.open_shapes import KnownShape, ShapeRecord
from apet.cost.part_graphs import graph_cost
from apet.cost.recurrences import Distance, Recurrence, RecurrenceCost
from apet.cost.serial import node_of
from apet.formula.evaluate.environment import EvaluationError, MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.nodes import Binder, Item, NodeId, Rational, Symbol
from apet.formula.graph.sums import whole
from apet.ground.diagnostics import ApetError
from apet.ground.records import NamedTuple
from apet.model.errors import MembersInCircle
from apet.model.graph_parts import is_member_wise, member_body
from apet.model.precedence import decomposed, topological
from apet.model.resolved import Step
from apet.model.terms import GraphPart, PartGraph
from apet.model.walk import own_ranges

MOST_MEMBERS = 20_000
"""Members that are set against each other one by one."""

Values = tuple[Rational, ...]
Vertex = tuple[int, Values | None]
"""Number of a part and, of one member, the values of its indices; None for the part as a whole, or its end."""


class Surroundings(NamedTuple):
    """Where a graph stands: the names in force, whether a resource is held around it, and where to record an open
    shape; where a shape is `known` there must be none."""

    scope: Names
    held: bool
    record: ShapeRecord
    known: KnownShape | None


class GraphCosting:
    """The costs of one graph; `costs_of` gives those of a process with the names in force."""

    def __init__(
        self,
        composition: Composition,
        expressions: Expressions,
        costs_of: Callable[[Step, Names], Cost],
        graph: PartGraph[Step],
        around: Surroundings,
    ) -> None:
        self.composition, self.expressions, self.costs_of = composition, expressions, costs_of
        self.graph, self.parts, self.around, self.scope = composition.graph, graph.parts, around, around.scope
        self.places = {p.name: k for k, p in enumerate(graph.parts)}
        self.wholes: dict[int, Cost] = {}
        """Costs of parts that are not taken apart, by number."""
        self.waits: dict[int, dict[Vertex, list[Vertex]]] = {}
        """What each member of the other parts waits for, but for whole parts."""
        self.is_ordered = True
        """Whether all that members wait for is in `waits`."""

    def cost(self) -> Cost:
        """The costs of the whole graph."""
        for group in self._groups():
            self._settle(group)
        before = self._order()
        numbers = {vertex: k for k, vertex in enumerate(before)}
        after = [[numbers[v] for v in vertices] for vertices in before.values()]
        ordered = topological(after)
        if len(ordered) < len(after):
            circle = min(set(range(len(after))).difference(ordered))
            self._refuse_circle(self.parts[list(before)[circle][0]])

        cost = graph_cost(self.composition, decomposed(after), [self._cost_of(v) for v in before])
        return cost if self.is_ordered else cost._replace(upper=node_of(self.graph, cost.serial))

    def _order(self) -> dict[Vertex, list[Vertex]]:
        """What each vertex comes after: the members of each part, then its end."""
        order = dict[Vertex, list[Vertex]]()
        for place, part in enumerate(self.parts):
            whole: list[Vertex] = [(self.places[a.name], None) for a in part.after if a.subscripts is None]
            waits = self.waits.get(place, {})
            order |= {member: [*whole, *waited] for member, waited in waits.items()}
            order[place, None] = [*whole, *waits]
        return order

    def _cost_of(self, vertex: Vertex) -> Cost:
        place, values = vertex
        if values is None:
            return self.wholes.get(place, self.composition.nothing)
        part = self.parts[place]
        return self.costs_of(member_body(part), self._scope_of(part, values))

    def _groups(self) -> list[list[int]]:
        """The parts by number, together where members of one wait for single members of another."""
        group = list(range(len(self.parts)))
        for place, part in enumerate(self.parts):
            for reference in part.after:
                one, other = group[place], group[self.places[reference.name]]
                if reference.subscripts is not None and one != other:
                    group = [one if g == other else g for g in group]
        return [[k for k, g in enumerate(group) if g == first] for first in dict.fromkeys(group)]

    def _settle(self, group: list[int]) -> None:
        """Take parts apart into members; leave them whole where they have a formula as such, or no numbers to do it."""
        first = self.parts[group[0]]
        recurrence: RecurrenceCost | None = None
        if len(group) == 1:
            if not is_member_wise(first):
                self.wholes[group[0]] = self.costs_of(first.body, self.scope)
                return
            recurrence = None if self._is_written_out(first) else self._recurrence(first)
            if recurrence is not None and recurrence.exact:
                self.wholes[group[0]] = recurrence.cost
                return

        members = {place: self._members(place) for place in group}
        after = {place: self._waits(place, members) for place in group}
        if None not in after.values():
            self.waits |= {place: waits or {} for place, waits in after.items()}
            return
        if recurrence is None or not recurrence.is_path:
            self._open(group)
        for place in group:
            self.wholes[place] = self._unordered(self.parts[place]) if recurrence is None else recurrence.cost
        self.is_ordered &= len(group) == 1

    # Members one by one

    def _members(self, place: int) -> dict[Values, Vertex] | None:
        """The members of a part; None where the ends of its ranges are no numbers, or there are too many."""
        part, rows = self.parts[place], list[Values]([()])
        for loop in own_ranges(part):
            longer: list[Values] = []
            for values in rows:
                scope = self._scope_of(part, values)
                ends = ((loop.low, "ceil"), (loop.high, "floor"))
                low, high = (self._number(self.expressions.whole(e, scope, r)) for e, r in ends)
                if low is None or high is None or len(longer) + high - low >= MOST_MEMBERS:
                    return None
                longer += [(*values, i) for i in range(int(low), int(high) + 1)]
            rows = longer
        return {row: (place, row) for row in rows}

    def _waits(self, place: int, members: dict[int, dict[Values, Vertex] | None]) -> dict[Vertex, list[Vertex]] | None:
        """What each member of a part waits for; None where that depends on a parameter."""
        part, own, waits = self.parts[place], members[place], dict[Vertex, list[Vertex]]()
        targets = [(a.subscripts, members[self.places[a.name]]) for a in part.after if a.subscripts is not None]
        if own is None or any(m is None for _, m in targets):
            return None
        for values, vertex in own.items():
            scope, before = self._scope_of(part, values), list[Vertex]()
            for subscripts, others in targets:
                numbers = [self._number(self.expressions.node(s, scope)) for s in subscripts]
                if any(n is None for n in numbers):
                    return None
                other = (others or {}).get(tuple(n for n in numbers if n is not None))
                before += [] if other is None else [other]
            if vertex in before:
                self._refuse_circle(part)
            waits[vertex] = before
        return waits

    def _number(self, node: NodeId) -> Rational | None:
        """The number that a node is whatever the parameters are, as `floor(log(8))` is; None of others."""
        g = self.graph
        value = g.value(node)
        if value is not None or g.free[node] or any(isinstance(g.nodes[n], Symbol | Item) for n in g.below(node)):
            return value
        try:
            return whole(Fraction(Plan(g, [node], exact=True).run(MappingEnvironment({}))[0]))
        except EvaluationError:
            return None

    def _scope_of(self, part: GraphPart[Step], values: Values) -> dict[str, NodeId]:
        """The names in force with numbers for the indices of a part."""
        numbers = {loop.index: self.graph.const(i) for loop, i in zip(own_ranges(part), values, strict=False)}
        return {**self.scope, **numbers}

    # Ranges whose ends are no numbers

    def _box(self, part: GraphPart[Step]) -> tuple[list[Binder], dict[str, NodeId]]:
        """The ranges of a part, and the names in force in its members."""
        box, scope, x = list[Binder](), dict(self.scope), self.expressions
        for loop in own_ranges(part):
            with x.in_rounds(box):
                low, high = x.whole(loop.low, scope, "ceil"), x.whole(loop.high, scope, "floor")
            box.append(Binder(self.graph.index(loop.index, low, high), low, high))
            scope[loop.index] = box[-1].index
        return box, scope

    def _recurrence(self, part: GraphPart[Step]) -> RecurrenceCost | None:
        """The members of a part that wait for members of the same part; None where that has no formula."""
        box, scope = self._box(part)
        distances = self._distances(part, box, scope)
        if distances is None:
            return None
        if any(not any(d) for d in distances):
            if all(self.graph.value(end) is not None for d in box for end in (d.low, d.high)):
                return None  # of an empty range there is no member that waits for itself
            self._refuse_circle(part)
        try:
            return Recurrence(self.composition, self._general(part, box, scope), box, distances).cost(True)
        except ValueError:
            return None

    def _distances(self, part: GraphPart[Step], box: Sequence[Binder], scope: Names) -> list[Distance] | None:
        g, distances = self.graph, list[Distance]()
        for reference in part.after:
            if reference.subscripts is None:
                continue
            with self.expressions.in_rounds(box):
                nodes = [self.expressions.node(s, scope) for s in reference.subscripts]
            steps = [g.value(g.minus(node, d.index)) for node, d in zip(nodes, box, strict=True)]
            if any(s is None or s != int(s) for s in steps):
                return None
            distances.append(tuple(int(s) for s in steps if s is not None))
        return distances

    def _general(self, part: GraphPart[Step], box: Sequence[Binder], scope: Names) -> Cost:
        """The costs of a member in terms of its indices."""
        with self.expressions.in_rounds(box):
            cost = self.costs_of(member_body(part), scope)
        for loop, (index, low, high) in zip(reversed(own_ranges(part)), reversed(box), strict=True):
            self.around.record.closed(loop.span, index, (low, high))
        return cost

    def _is_written_out(self, part: GraphPart[Step]) -> bool:
        """Whether the order of a graph inside of a part depends on which member it is in."""
        known = self.around.known
        return known is not None and any(loop.span in known.loops for loop in own_ranges(part))

    def _unordered(self, part: GraphPart[Step]) -> Cost:
        """A part none of whose members waits for another: no more in all but the upper bound, which is the serial."""
        box, scope = self._box(part)
        cost = self._general(part, box, scope)
        for index, low, high in reversed(box):
            cost = self.composition.loop("par", index, low, high, cost, True)
        return cost._replace(upper=node_of(self.graph, cost.serial))

    def _open(self, group: list[int]) -> None:
        """Record what the order of the members of some parts depends on; an error where all of that is known."""
        if self.around.known is not None:
            part = self.parts[group[0]]
            raise ApetError(MembersWithoutOrder(self.expressions.source, part.span, part.name, MOST_MEMBERS))
        for place in group:
            self.around.record.opened(*self._shape(self.parts[place]), held=self.around.held)

    def _shape(self, part: GraphPart[Step]) -> tuple[list[NodeId], list[NodeId]]:
        """What says which members there are and which waits for which; and the indices of members in it."""
        box, scope = self._box(part)
        with self.expressions.in_rounds(box):
            nodes = [self.expressions.node(s, scope) for a in part.after for s in a.subscripts or ()]
        return [*nodes, *(end for d in box for end in (d.low, d.high))], [d.index for d in box]

    def _refuse_circle(self, part: GraphPart[Step]) -> NoReturn:
        raise ApetError(MembersInCircle(self.expressions.source, part.span, part.name))
