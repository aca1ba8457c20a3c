"""Task graphs to costs: parts as they are, members that wait for members by a recurrence or one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, NoReturn

from apet.cost.composition import Composition
from apet.cost.cost import Cost
from apet.cost.errors import MembersWithoutFormula
from apet.cost.expressions import Expressions, Names
from apet.cost.part_graphs import graph_cost
from apet.cost.recurrences import Dimension, Distance, Recurrence, RecurrenceCost
from apet.formula.graph.nodes import NodeId, Rational
from apet.ground.diagnostics import ApetError
from apet.model.errors import MembersInCircle
from apet.model.graph_parts import is_member_wise, member_body
from apet.model.precedence import decomposed, topological
from apet.model.resolved import Step
from apet.model.terms import GraphPart, PartGraph
from apet.model.walk import own_ranges

MOST_MEMBERS = 20_000
"""Members that are set against each other one by one."""

Values = tuple[Rational, ...]


class Vertex(NamedTuple):
    """A part, a member of one, or (without time) the end of all members of a part; `part` is the number of the part."""

    cost: Cost
    part: int
    values: Values | None


class GraphCosting:
    """The costs of one graph; `costs_of` gives those of a process with the names in force, `scope` those outside."""

    def __init__(
        self,
        composition: Composition,
        expressions: Expressions,
        costs_of: Callable[[Step, Names], Cost],
        graph: PartGraph[Step],
        scope: Names,
    ) -> None:
        self.composition, self.expressions, self.costs_of = composition, expressions, costs_of
        self.graph, self.parts, self.scope = composition.graph, graph.parts, scope
        self.places = {p.name: k for k, p in enumerate(graph.parts)}
        self.vertices: list[Vertex] = []
        self.ends: list[int] = []
        self.members: list[dict[Values, int]] = []

    def cost(self) -> Cost:
        """The costs of the whole graph."""
        related = self._related()
        for place, part in enumerate(self.parts):
            members = dict[Values, int]()
            for vertex in self._vertices(place, part, related[place]):
                if vertex.values is not None:
                    members[vertex.values] = len(self.vertices)
                self.vertices.append(vertex)
            self.ends.append(len(self.vertices) - 1)
            self.members.append(members)

        after = [self._after(k, v) for k, v in enumerate(self.vertices)]
        ordered = topological(after)
        if len(ordered) < len(after):
            place = self.vertices[min(set(range(len(after))).difference(ordered))].part
            self._refuse_circle(self.parts[place])
        return graph_cost(self.composition, decomposed(after), [v.cost for v in self.vertices])

    def _related(self) -> list[set[int]]:
        """Per part, the other parts of which members wait for single members of it, or the other way round."""
        related = [set[int]() for _ in self.parts]
        for place, part in enumerate(self.parts):
            for reference in part.after:
                other = self.places[reference.name]
                if reference.subscripts is not None and other != place:
                    related[place].add(other)
                    related[other].add(place)
        return related

    def _vertices(self, place: int, part: GraphPart[Step], related: set[int]) -> Iterator[Vertex]:
        """What a part is in the order; the last one is its end."""
        if not related and not is_member_wise(part):
            yield Vertex(self.costs_of(part.body, self.scope), place, None)
            return

        recurrence, reason = (None, "members wait for those of another part") if related else self._recurrence(part)
        if recurrence is not None and recurrence.exact:
            yield Vertex(recurrence.cost, place, None)
            return
        members = self._single_members(place, part)
        if members is not None:
            yield from members
            yield Vertex(self.composition.nothing, place, None)
        elif recurrence is not None:
            yield Vertex(recurrence.cost, place, None)
        else:
            self._refuse_order(part, reason)

    def _after(self, number: int, vertex: Vertex) -> list[int]:
        """The vertices that one comes after."""
        part = self.parts[vertex.part]
        whole = [self.ends[self.places[a.name]] for a in part.after if a.subscripts is None]
        members = self.members[vertex.part]
        if vertex.values is None:
            return [*whole, *members.values()]

        scope = {**self.scope, **self._values(part, vertex.values)}
        after = [*whole]
        for reference in part.after:
            if reference.subscripts is not None:
                subscripts = [self._number(self.expressions.node(s, scope)) for s in reference.subscripts]
                member = self.members[self.places[reference.name]].get(tuple(s for s in subscripts if s is not None))
                if None in subscripts:
                    self._refuse_order(part, "which members wait for which depends on a parameter")
                after += [] if member is None else [member]
        if number in after:
            self._refuse_circle(part)
        return after

    def _refuse_order(self, part: GraphPart[Step], reason: str) -> NoReturn:
        raise ApetError(MembersWithoutFormula(self.expressions.source, part.span, part.name, reason, MOST_MEMBERS))

    def _refuse_circle(self, part: GraphPart[Step]) -> NoReturn:
        raise ApetError(MembersInCircle(self.expressions.source, part.span, part.name))

    # Members one by one

    def _single_members(self, place: int, part: GraphPart[Step]) -> list[Vertex] | None:
        """A vertex for each member; None where the ends of ranges are no numbers, or there are too many."""
        rows: list[Values] = [()]
        for dimension, loop in enumerate(own_ranges(part)):
            longer: list[Values] = []
            for values in rows:
                scope = {**self.scope, **self._values(part, values)}
                ends = (self.expressions.whole(e, scope, r) for e, r in ((loop.low, "ceil"), (loop.high, "floor")))
                low, high = (self._number(end) for end in ends)
                if low is None or high is None or len(longer) + high - low >= MOST_MEMBERS:
                    return None
                longer += [(*values, i) for i in range(int(low), int(high) + 1)]
            rows = longer
            assert all(len(row) == dimension + 1 for row in rows)

        body = member_body(part)
        scopes = ({**self.scope, **self._values(part, row)} for row in rows)
        return [Vertex(self.costs_of(body, scope), place, row) for scope, row in zip(scopes, rows, strict=True)]

    def _values(self, part: GraphPart[Step], values: Values) -> dict[str, NodeId]:
        """The indices of a part with numbers as their values."""
        return {loop.index: self.graph.const(i) for loop, i in zip(own_ranges(part), values, strict=False)}

    def _number(self, node: NodeId) -> Rational | None:
        return self.graph.value(node)

    # Recurrences

    def _recurrence(self, part: GraphPart[Step]) -> tuple[RecurrenceCost | None, str]:
        """The members of a part that wait for members of the same part; or why that has no formula."""
        g, scope = self.graph, dict(self.scope)
        box = list[Dimension]()
        for loop in own_ranges(part):
            low, high = (
                self.expressions.whole(loop.low, scope, "ceil"),
                self.expressions.whole(loop.high, scope, "floor"),
            )
            box.append(Dimension(g.index(loop.index, low, high), low, high))
            scope[loop.index] = box[-1].index
        distances = self._distances(part, [d.index for d in box], scope)
        if distances is None:
            return None, "members wait for others that are not at constant distances"
        if any(not any(d) for d in distances):
            self._refuse_circle(part)

        body = self.costs_of(member_body(part), scope)
        try:
            return Recurrence(self.composition, body, box, distances).cost(True), ""
        except ValueError as error:
            return None, str(error)

    def _distances(self, part: GraphPart[Step], indices: Sequence[NodeId], scope: Names) -> list[Distance] | None:
        g, distances = self.graph, list[Distance]()
        for reference in part.after:
            if reference.subscripts is None:
                continue
            nodes = [self.expressions.node(s, scope) for s in reference.subscripts]
            steps = [g.value(g.minus(node, index)) for node, index in zip(nodes, indices, strict=True)]
            if any(s is None or s != int(s) for s in steps):
                return None
            distances.append(tuple(int(s) for s in steps if s is not None))
        return distances
