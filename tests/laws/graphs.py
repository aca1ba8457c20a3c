"""Task graphs, member by member."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
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
        """The members of all parts; behind those of each part one that stands for all of them.

        That one comes after the whole parts that the part names, too: a part without members ends when it could begin.
        """
        parts, graph = flat(parts_of(node)[0]), Members()
        _check_names(parts)
        for part in parts:
            self.caught(partial(self.part, part, scope, graph))
        if len(graph.parts) < len(parts):
            with self.never_run():
                self.caught(partial(self.ordered, graph))
            return EMPTY
        return self.ordered(graph)

    def ordered(self, graph: Members) -> Tree:
        """The members of the parts that are known, in their order."""
        after = [tuple(sorted(self.before(names, inner, graph))) for names, inner in graph.waits]
        for members, _, last in graph.parts.values():
            after[last] = (*members, *after[last])
        try:
            tuple(TopologicalSorter(dict(enumerate(after))).static_order())
        except CycleError:
            raise FaultError("cycle") from None
        return (ORDERED, tuple(graph.trees), tuple(after))

    def part(self, part: Node, scope: Scope, graph: Members) -> None:
        """Add the members of a part."""
        head, body, *after = parts_of(part)
        references = flat(after[0]) if after else []
        [name] = tokens(head, "NAME")
        first, ranges = len(graph.trees), _ranges(head)
        one_member = partial(self.one_member, name, ranges, references, body, scope)
        with self.looked_at(one_member):
            members = self.members(ranges, scope)
        for inner, indices in members:
            graph.places[name, *indices] = len(graph.trees)
            graph.add(self.process(body, inner), references, inner)
        if first == len(graph.trees):
            inner = {**scope, **dict.fromkeys((tokens(one, "NAME")[0] for one in ranges), 1)}
            with self.never_run():
                for one in ranges:
                    self.caught(partial(self.rounds, parts_of(one), inner))
                one_member(1)
        graph.parts[name] = range(first, len(graph.trees)), len(ranges), len(graph.trees)
        graph.add(EMPTY, [one for one in references if not subscripts_of(one)], scope)

    def one_member(
        self, name: str, ranges: list[Node], references: list[Node], body: Node, scope: Scope, i: Exact
    ) -> None:
        """Note the faults of a member all of whose indices are i."""
        inner = {**scope, **dict.fromkeys((tokens(one, "NAME")[0] for one in ranges), i)}
        self.process(body, inner)
        self.caught(partial(self.waits_for_itself, name, [i] * len(ranges), references, inner))

    def waits_for_itself(self, name: str, indices: list[Exact], references: list[Node], scope: Scope) -> None:
        """Note that a member would come after itself."""
        for one in references:
            if tokens(one, "NAME")[0] == name and [self.value(s, scope) for s in subscripts_of(one)] == indices:
                raise FaultError("cycle")

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
            if not subscripts and name in graph.parts:
                found.add(graph.parts[name][2])
            elif named in graph.places:
                found.add(graph.places[named])
        return found


def _ranges(head: Node) -> list[Node]:
    return flat(parts_of(head)[0]) if parts_of(head) else []


def _check_names(parts: list[Node]) -> None:
    """Parts have different names, and references as many subscripts as these have indices, or none."""
    indices = {tokens(part, "NAME")[0]: len(_ranges(part)) for part in (parts_of(p)[0] for p in parts)}
    if len(indices) < len(parts):
        raise FaultError("names")
    for reference in (r for part in parts for after in parts_of(part)[2:] for r in flat(after)):
        if len(subscripts_of(reference)) not in (0, indices.get(tokens(reference, "NAME")[0], -1)):
            raise FaultError("names")
        if tokens(reference, "NAME")[0] not in indices:
            raise FaultError("names")
