"""Task graphs, member by member."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

from tests.laws.declared import Resources
from tests.laws.expressions import Scope, flat, parts_of, subscripts_of, tokens
from tests.laws.grammar import Node
from tests.laws.numbers import BeyondError, Exact, FaultError

Tree = tuple[Any, ...]
ORDERED = 5
EMPTY: Tree = (2, ())
MOST_MEMBERS = 400


@dataclass
class Members:
    """The members of a graph: trees, and of each the references and the scope that say what it comes after.

    `places`: number by name of the part and values of the indices; `parts`: of each part the numbers of its members,
    how many indices it has, and the number of what stands for all of them.
    """

    trees: list[Tree] = field(default_factory=list)
    waits: list[tuple[list[Node], Scope]] = field(default_factory=list)
    places: dict[tuple[object, ...], int] = field(default_factory=dict)
    parts: dict[str, tuple[range, int, int]] = field(default_factory=dict)

    def add(self, tree: Tree, references: list[Node], scope: Scope) -> None:
        """One more."""
        self.trees.append(tree)
        self.waits.append((references, scope))


class Graphs(Resources):
    """Unrolls task graphs."""

    @abstractmethod
    def process(self, node: Node, scope: Scope) -> Tree:
        """The tree of a process."""

    def _graph(self, node: Node, scope: Scope) -> Tree:
        """The members of all parts; behind those of each part one that stands for all of them."""
        graph, references = Members(), list[Node]()
        for part in flat(parts_of(node)[0]):
            references += self.part(part, scope, graph)
        for reference in references:
            [name] = tokens(reference, "NAME")
            if name not in graph.parts or len(subscripts_of(reference)) not in (0, graph.parts[name][1]):
                raise FaultError("names")

        after = [tuple(sorted(self.before(names, inner, graph))) for names, inner in graph.waits]
        for members, _, last in graph.parts.values():
            after[last] = tuple(members)
        try:
            tuple(TopologicalSorter(dict(enumerate(after))).static_order())
        except CycleError:
            raise FaultError("cycle") from None
        return (ORDERED, tuple(graph.trees), tuple(after))

    def part(self, part: Node, scope: Scope, graph: Members) -> list[Node]:
        """Add the members of a part; what it comes after."""
        head, body, *after = parts_of(part)
        references = flat(after[0]) if after else []
        [name] = tokens(head, "NAME")
        if name in graph.parts:
            raise FaultError("names")

        first, ranges = len(graph.trees), flat(parts_of(head)[0]) if parts_of(head) else []
        for inner, indices in self.members(ranges, scope):
            graph.places[name, *indices] = len(graph.trees)
            graph.add(self.process(body, inner), references, inner)
        if first == len(graph.trees):
            with self.never_run():
                self.process(body, {**scope, **{tokens(one, "NAME")[0]: 1 for one in ranges}})
        graph.parts[name] = range(first, len(graph.trees)), len(ranges), len(graph.trees)
        graph.add(EMPTY, [], {})
        return references

    def members(self, ranges: list[Node], scope: Scope) -> list[tuple[Scope, tuple[Exact, ...]]]:
        """Scope and indices of each."""
        members: list[tuple[Scope, tuple[Exact, ...]]] = [(scope, ())]
        for one in ranges:
            [index] = tokens(one, "NAME")
            members = [
                ({**inner, index: i}, (*before, i))
                for inner, before in members
                for i in self.rounds(parts_of(one), inner)
            ]
            if len(members) > MOST_MEMBERS:
                raise BeyondError
        return members

    def before(self, references: list[Node], scope: Mapping[str, Exact], graph: Members) -> set[int]:
        """The numbers of what a member comes after; one that does not exist delays nothing."""
        found = set()
        for reference in references:
            [name] = tokens(reference, "NAME")
            subscripts = subscripts_of(reference)
            named = (name, *(self.value(s, scope) for s in subscripts))
            if not subscripts:
                found.add(graph.parts[name][2])
            elif named in graph.places:
                found.add(graph.places[named])
        return found
