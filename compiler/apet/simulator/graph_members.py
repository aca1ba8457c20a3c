"""The members of the parts of a task graph, each with what it comes after, for given values of names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from apet.ground.exact import reduced
from apet.ground.records import NamedTuple
from apet.ground.source import Span
from apet.model import errors, terms
from apet.model.graph_parts import is_member_wise, member_body, predecessors
from apet.model.precedence import topological
from apet.model.resolved import Step
from apet.model.walk import own_ranges
from apet.simulator.composites import Ranged
from apet.simulator.engine import Scope
from apet.simulator.names import Value

if TYPE_CHECKING:
    from apet.simulator.program import Program

Numbers = tuple[Value, ...]
NOTHING: terms.Sequence[Step] = terms.Sequence((), Span(0, 0))


class Member(NamedTuple):
    """What begins when the members with the numbers in `after` have ended."""

    body: Step
    scope: Scope
    after: tuple[int, ...]


class GraphMembers:
    """The members of one graph. Where no part waits for single members of another, a part with ranges is one member."""

    def __init__(self, program: Program, graph: terms.PartGraph[Step]) -> None:
        self.program = program
        self.graph = graph
        self.single = any(is_member_wise(p) for p in graph.parts)
        self.after = [] if self.single else [tuple(one) for one in predecessors(graph.parts)]

    def of(self, scope: Scope) -> list[Member]:
        """The members for these values; `ApetError` where they wait for each other in a circle."""
        if not self.single:
            return [Member(p.body, scope, after) for p, after in zip(self.graph.parts, self.after, strict=True)]
        members = _Unrolled(self, scope).members
        ordered = topological([m.after for m in members])
        if len(ordered) < len(members):
            left = set(range(len(members))).difference(ordered)
            self._refuse(members, left)
        return members

    def _refuse(self, members: list[Member], left: set[int]) -> None:
        """Name a part of which a member waits for itself in the end."""
        body = members[min(left)].body
        part = next((p for p in self.graph.parts if member_body(p) is body), self.graph.parts[0])
        self.program.refuse(errors.MembersInCircle(self.program.names.model.source, part.span, part.name))


class _Unrolled:
    """All members: of each part those of its ranges, then one of no time that ends when all of them have."""

    def __init__(self, graph: GraphMembers, scope: Scope) -> None:
        self.program, self.parts = graph.program, graph.graph.parts
        self.numbers: list[dict[Numbers, int]] = []
        self.ends: list[int] = []
        self.places = {p.name: k for k, p in enumerate(self.parts)}
        scopes: list[tuple[int, Scope]] = []
        for place, part in enumerate(self.parts):
            numbered: dict[Numbers, int] = {}
            for values, inner in self._scopes(part, scope):
                numbered[values] = len(scopes)
                scopes.append((place, inner))
            self.numbers.append(numbered)
            self.ends.append(len(scopes))
            scopes.append((place, scope))

        ends = dict(zip(self.ends, range(len(self.parts)), strict=True))
        self.members = [
            self._end(ends[k], scope) if k in ends else self._member(place, inner)
            for k, (place, inner) in enumerate(scopes)
        ]

    def _scopes(self, part: terms.GraphPart[Step], scope: Scope) -> Iterator[tuple[Numbers, Scope]]:
        """The values of a part's indices, with the names in force there."""
        scopes: list[tuple[Numbers, Scope]] = [((), scope)]
        for loop in own_ranges(part):
            ranged = Ranged(self.program, loop)
            longer: list[tuple[Numbers, Scope]] = []
            for values, inner in scopes:
                for i in ranged.indices(inner):
                    self.program.engine.count(loop.span)
                    longer.append(((*values, i), {**inner, loop.index: i}))
            scopes = longer
        return iter(scopes)

    def _member(self, place: int, scope: Scope) -> Member:
        part, number = self.parts[place], self.program.names.number
        after = set[int]()

        for reference in part.after:
            target = self.places[reference.name]
            if reference.subscripts is None:
                after.add(self.ends[target])
                continue
            values = tuple(reduced(number(s, rounded=True)(scope)) for s in reference.subscripts)
            member = self.numbers[target].get(values)
            if member is not None:
                after.add(member)

        return Member(member_body(part), scope, tuple(sorted(after)))

    def _end(self, place: int, scope: Scope) -> Member:
        """The end of a part, which one without members has when it could begin."""
        part = self.parts[place]
        before = (self.ends[self.places[a.name]] for a in part.after if a.subscripts is None)
        return Member(NOTHING, scope, tuple(sorted({*self.numbers[place].values(), *before})))
