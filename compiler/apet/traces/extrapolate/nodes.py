"""A rank's program as a nest of loops over slots, and the same for all ranks of all traces together.

A node has what was observed of it by rank of a trace; a rank without an observation does not execute it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import NamedTuple

from apet.traces.extrapolate.explanations import Rule, fixed_rules, group_rules, moving_rules


class Rank(NamedTuple):
    """A rank of a trace, and of how many ranks that is."""

    trace: int
    rank: int
    ranks: int


Value = float | tuple[float, ...]


class Observation(NamedTuple):
    """The words of a slot in one iteration of the loops around it (outermost first); only of some iterations."""

    rank: Rank
    indices: tuple[int, ...]
    words: tuple[Value, ...]
    group: str = ""

    def whole(self, at: int) -> int:
        """A word that is a rank."""
        value = self.words[at]
        assert not isinstance(value, tuple)
        return int(value)


class Computed(NamedTuple):
    """The mean volume before a slot, where exactly `entered` of the loops around it, from the inside, are in their
    first iteration; how often that is; and in which iterations of loops that are not written as such."""

    rank: Rank
    entered: int
    flops: float
    times: int


@dataclass(slots=True)
class ObservedSlot:
    """An action. `form` is what cannot vary: its name, and each word that is a datatype or stands for anything;
    `kinds` says of each word what it is: p a rank, t a tag, n a number, v a number for each member, d in the form."""

    form: tuple[str, ...]
    kinds: str
    rows: list[Observation]
    computed: list[Computed]
    line: int  #: in the file of the trace in which it was observed first
    trace: int  #: the number of that
    rank: int  #: who executed it there
    rules: tuple[frozenset[Rule], ...] = ()  #: what explains each partner, and then the communicator

    weight = 1

    def present(self) -> set[Rank]:
        """Who executes it."""
        return {row.rank for row in self.rows}

    @property
    def partners(self) -> list[int]:
        """Which words are ranks."""
        return [k for k, kind in enumerate(self.kinds) if kind == "p"]

    def of(self, ranks: Collection[Rank]) -> ObservedSlot:
        """What some of those who execute it do."""
        rows = [row for row in self.rows if row.rank in ranks]
        part = replace(self, rows=rows, computed=[each for each in self.computed if each.rank in ranks])
        part.explain()
        return part

    def explain(self) -> None:
        """Look for the rules anew."""
        rules = [rules_of(self.rows, at) for at in self.partners]
        if self.form[-1] == "# comm":
            rules.append(_common(group_rules(r.rank.rank, r.group, r.rank.ranks) for r in self.rows))
        self.rules = tuple(rules)


@dataclass(slots=True)
class ObservedLoop:
    """A loop: how many iterations it has by rank."""

    times: dict[Rank, int]
    body: list[ObservedSlot | ObservedLoop]

    @property
    def weight(self) -> int:
        """Slots in it."""
        return sum(node.weight for node in self.body)

    def present(self) -> set[Rank]:
        """Who executes it."""
        return set(self.times)

    def of(self, ranks: Collection[Rank]) -> ObservedLoop:
        """What some of those who execute it do."""
        body = [node.of(ranks) for node in self.body if not node.present().isdisjoint(ranks)]
        return ObservedLoop({rank: times for rank, times in self.times.items() if rank in ranks}, body)


Node = ObservedSlot | ObservedLoop


def rules_of(rows: Sequence[Observation], at: int) -> frozenset[Rule]:
    """What explains a partner: rules that are the same in all iterations, or those of the innermost loop."""
    fixed = _common(fixed_rules(r.rank.rank, r.whole(at), r.rank.ranks) for r in rows)
    if fixed or not rows[0].indices:
        return fixed
    return _common(moving_rules(r.rank.rank, r.whole(at), r.rank.ranks, r.indices[-1]) for r in rows)


def _common(sets: Iterable[frozenset[Rule]]) -> frozenset[Rule]:
    return reduce(frozenset.__and__, sets)


def slots_of(nodes: Iterable[Node]) -> list[ObservedSlot]:
    """All slots, in order."""
    slots = list[ObservedSlot]()
    for node in nodes:
        slots += [node] if isinstance(node, ObservedSlot) else slots_of(node.body)
    return slots


def within(nodes: Iterable[Node], depth: int, index: Callable[[Rank], int], inner: int = 0) -> None:
    """Move observations of nodes, `depth` loops deep, into an iteration, by rank, of a new loop around them."""
    for node in nodes:
        if isinstance(node, ObservedLoop):
            within(node.body, depth, index, inner + 1)
            continue
        node.rows = [r._replace(indices=(*r.indices[:depth], index(r.rank), *r.indices[depth:])) for r in node.rows]
        node.computed = [_entering(each, inner, index(each.rank)) for each in node.computed]


def _entering(computed: Computed, inner: int, index: int) -> Computed:
    """What was the first iteration of all `inner` loops is so of the new one around them, too, or not."""
    if computed.entered < inner:
        return computed
    return computed._replace(entered=computed.entered + 1 if index == 0 else inner)


def in_iteration(nodes: Iterable[Node], depth: int, index: int, inner: int = 0) -> list[Node]:
    """Copies of nodes in one of the two iterations of the loop around them, `depth` loops deep: without that loop."""
    copies = list[Node]()
    for node in nodes:
        if isinstance(node, ObservedLoop):
            copies.append(ObservedLoop(dict(node.times), in_iteration(node.body, depth, index, inner + 1)))
            continue

        # words that do not advance were looked at in the first iteration only
        rows = [r for r in node.rows if r.indices[depth] == index] or node.rows
        rows = [r._replace(indices=(*r.indices[:depth], *r.indices[depth + 1 :])) for r in rows]
        computed = [part for each in node.computed for part in _in_iteration(each, inner, index)]
        copy = replace(node, rows=rows, computed=computed)
        copy.explain()
        copies.append(copy)
    return copies


def _in_iteration(computed: Computed, inner: int, index: int) -> Iterator[Computed]:
    """The share of an iteration: with the loop in its first one, more loops than the `inner` ones are in theirs."""
    if computed.entered < inner:
        yield computed._replace(times=computed.times // 2)
    elif (computed.entered > inner) == (index == 0):
        yield computed._replace(entered=computed.entered - 1 if index == 0 else inner)
