"""A trace folded: ranks that do the same are one kind, what a kind does is a nest of loops over slots.

A slot is an action other than computing. What is computed between two actions is kept with the later one, as runs of
equal volumes in the order of execution.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import repeat
from typing import Literal, NamedTuple

DEFAULT = "init"
"""The action that is none: it says what datatype counts are of that name none."""


class ByRank(NamedTuple):
    """A word for each rank of a kind: the `same` for all, the rank plus or exclusive-or a number, or `listed`.

    Sums that name a rank count modulo the number of ranks.
    """

    how: Literal["same", "plus", "xor", "listed"]
    number: int = 0
    words: tuple[str, ...] = ()


class Word(NamedTuple):
    """A word of an action: what it is in the first iteration, and by how much it advances in each iteration of loops
    around it, by how many loops further out they are. `wraps` says that it names a rank, modulo their number. `aside`
    are its values in the order of execution, whole numbers, by rank or one for all: it neither stays nor advances."""

    base: ByRank
    steps: tuple[tuple[int, ByRank], ...] = ()
    wraps: bool = False
    aside: tuple[Volumes, ...] = ()

    def values(self, position: int) -> Volumes:
        """Those that are put aside, of a rank by its position in its kind."""
        return self.aside[0] if len(self.aside) == 1 else self.aside[position]


class Volumes(NamedTuple):
    """Flops in the order of execution, as runs of equal ones; `parts` are the volumes one by one of those runs, by
    their number, that stand for several volumes in a row, or for one of 0."""

    values: Sequence[float]
    counts: Sequence[int]
    parts: Mapping[int, tuple[float, ...]] = {}

    @property
    def total(self) -> float:
        """Flops in all."""
        return sum(v * n for v, n in zip(self.values, self.counts, strict=True))

    @property
    def actions(self) -> int:
        """How many actions it stands for."""
        if 0.0 not in self.values:  # as a rule, and there may be many
            return sum(self.counts) + sum((len(p) - 1) * self.counts[k] for k, p in self.parts.items())
        more = sum((len(p) - bool(self.values[k])) * self.counts[k] for k, p in self.parts.items())
        return more + sum(n for v, n in zip(self.values, self.counts, strict=True) if v)

    @property
    def nothing(self) -> bool:
        """Whether nothing is computed at all."""
        return len(self.values) == 1 and self.values[0] == 0 and not self.parts

    def runs(self) -> Iterator[tuple[tuple[float, ...], int]]:
        """The volumes of each run, one by one, and how often they are there."""
        for k, (value, count) in enumerate(zip(self.values, self.counts, strict=True)):
            yield self.parts.get(k, (value,) if value else ()), count


NOTHING = Volumes((0.0,), (1,))


class Slot(NamedTuple):
    """An action with its words; the number of the loop it is in (-1: none), and the line of its first execution in the
    file, of the first rank of its kind."""

    action: str
    words: tuple[Word, ...]
    parent: int
    line: int


class FoldedLoop(NamedTuple):
    """Slots from `first` to before `last` that are repeated `times` times; the loop it is in (-1: none), its line.
    Where iterations vary, `counts` has them in the order of execution, whole numbers, and `times` is the greatest."""

    times: int
    parent: int
    first: int
    last: int
    line: int
    counts: Volumes | None = None

    @property
    def iterations(self) -> str:
        """`250`, `0 to 60`"""
        return f"{self.times:,}" if self.counts is None else f"{min(self.counts.values):,.0f} to {self.times:,}"


class Kind(NamedTuple):
    """Ranks that do the same. Loops come before those in them. `volumes` are those before each slot, by rank, or one
    for all; `rest` by rank, or one for all, what is computed after the last slot."""

    ranks: tuple[int, ...]
    slots: tuple[Slot, ...]
    loops: tuple[FoldedLoop, ...]
    volumes: tuple[tuple[Volumes, ...], ...]
    rest: tuple[Volumes, ...]

    def all_places(self) -> array[int]:
        """The number of the slot of each action other than computing, and of each `init`, in the order of execution."""
        starts = self.starting()
        counts = {k: iter(_one_by_one(loop.counts)) for k, loop in enumerate(self.loops) if loop.counts is not None}
        around_counts = {around for number in counts for around in self._around(self.loops[number].parent)}

        def executed(slot: int, last: int, level: int) -> array[int]:
            slots = array("i")
            while slot < last:
                begun = starts.get(slot, ())
                if level == len(begun):
                    slots.append(slot)
                    slot, level = slot + 1, 0
                    continue
                number = begun[level]
                times = next(counts[number]) if number in counts else self.loops[number].times
                alike = number not in around_counts
                for _ in range(min(times, 1) if alike else times):  # alike: what is inside is made once
                    inside = executed(slot, self.loops[number].last, level + 1)
                    slots += inside * times if alike else inside
                slot, level = self.loops[number].last, 0
            return slots

        return executed(0, len(self.slots), 0)

    def volume(self, slot: int, position: int) -> Volumes:
        """What a rank, by its position among the ranks, computes before a slot."""
        streams = self.volumes[slot]
        return streams[0] if len(streams) == 1 else streams[position]

    def rest_of(self, position: int) -> Volumes:
        """What a rank, by its position, computes after the last slot."""
        return self.rest[0] if len(self.rest) == 1 else self.rest[position]

    def starting(self) -> dict[int, list[int]]:
        """The loops that begin at a slot, outermost first."""
        loops: dict[int, list[int]] = {}
        for number, loop in enumerate(self.loops):
            loops.setdefault(loop.first, []).append(number)
        return loops

    def path(self, slot: int) -> tuple[int, ...]:
        """The numbers of the loops that a slot is in, outermost first."""
        return tuple(reversed([*self._around(self.slots[slot].parent)]))

    def _around(self, loop: int) -> Iterator[int]:
        """A loop (-1: none), and those around it."""
        while loop >= 0:
            yield loop
            loop = self.loops[loop].parent

    def label(self, loop: int) -> str:
        """What to call a loop: `loop of 250 at line 31`."""
        return f"loop of {self.loops[loop].iterations} at line {self.loops[loop].line:,}"

    def executions(self) -> list[int]:
        """How often each slot is executed."""
        times = list[int]()
        for loop in self.loops:
            entered = times[loop.parent] if loop.parent >= 0 else 1
            times.append(loop.times * entered if loop.counts is None else int(loop.counts.total))
        return [times[s.parent] if s.parent >= 0 else 1 for s in self.slots]


class FoldedSize(NamedTuple):
    """What a folded trace is made of: slots, loops, numbers listed by rank, words that advance in loops, and runs of
    equal volumes."""

    slots: int
    loops: int
    listed: int
    advancing: int
    runs: int

    @property
    def structure(self) -> int:
        """All but volumes."""
        return self.slots + self.loops + self.listed + self.advancing

    @property
    def total(self) -> int:
        """All of it."""
        return self.structure + self.runs


class Folded(NamedTuple):
    """A folded trace: its name, how many ranks and actions it has, and the kinds of its ranks."""

    name: str
    ranks: int
    actions: int
    kinds: tuple[Kind, ...]

    def members(self) -> dict[int, tuple[Kind, int]]:
        """By rank its kind, and its position among the ranks of that."""
        return {rank: (kind, position) for kind in self.kinds for position, rank in enumerate(kind.ranks)}

    def size(self) -> FoldedSize:
        """Slots and loops count one each, equal lists and, at one slot, equal volumes of several ranks once."""
        lists, advancing, runs = set[tuple[str, ...]](), 0, 0
        for kind in self.kinds:
            for slot in kind.slots:
                for word in slot.words:
                    if word.steps or word.base.how == "listed":
                        advancing += len(word.steps)
                        lists.update(c.words for c in (word.base, *(c for _, c in word.steps)) if c.how == "listed")
                    runs += sum(len(v.values) for v in distinct(word.aside))
            runs += sum(len(loop.counts.values) for loop in kind.loops if loop.counts is not None)
            for volumes in kind.volumes:
                runs += sum(len(v.values) for v in distinct(volumes) if not v.nothing)
            runs += sum(not v.nothing for v in distinct(kind.rest))

        slots, loops = sum(len(k.slots) for k in self.kinds), sum(len(k.loops) for k in self.kinds)
        return FoldedSize(slots, loops, sum(map(len, lists)), advancing, runs)


def merged(runs: Iterable[tuple[tuple[float, ...], int]]) -> Volumes:
    """Volumes by their runs, of which neighbours may be equal."""
    values, counts, parts = array("d"), array("q"), dict[int, tuple[float, ...]]()
    last: tuple[float, ...] | None = None
    for volumes, count in runs:
        if volumes == last:
            counts[-1] += count
            continue
        last = volumes
        if len(volumes) > 1 or volumes == (0.0,):
            parts[len(values)] = volumes
        values.append(math.fsum(volumes))
        counts.append(count)
    return Volumes(values, counts, parts)


def _one_by_one(counts: Volumes) -> Iterator[int]:
    for value, times in zip(counts.values, counts.counts, strict=True):
        yield from repeat(int(value), times)


def distinct(volumes: Sequence[Volumes]) -> list[Volumes]:
    """Volumes without those that are there already."""
    if len(volumes) == 1:
        return list(volumes)
    unequal: dict[tuple[object, ...], Volumes] = {}
    for each in volumes:
        unequal.setdefault((_bytes(each.values, "d"), _bytes(each.counts, "q"), *each.parts.items()), each)
    return list(unequal.values())


def _bytes(column: Sequence[float], code: Literal["d", "q"]) -> bytes:
    return column.tobytes() if isinstance(column, array) else array(code, column).tobytes()


def word_at(word: ByRank, position: int, rank: int, ranks: int, wraps: bool) -> str:
    """The word of a rank, which has this position in its kind."""
    match word.how:
        case "same":
            return word.words[0]
        case "listed":
            return word.words[position]
        case "xor":
            return str(rank ^ word.number)
        case _:
            return str((rank + word.number) % ranks if wraps else rank + word.number)


def by_rank(word: ByRank, lists: dict[tuple[str, ...], int]) -> str:
    """`5`, `rank+1`, `rank^4`, `@2`"""
    match word.how:
        case "same":
            return word.words[0]
        case "listed":
            return f"@{lists[word.words]}"
        case "xor":
            return f"rank^{word.number}"
        case _:
            return f"rank{word.number:+d}" if word.number else "rank"


def advancing(word: Word, lists: dict[tuple[str, ...], int]) -> str:
    """`5{1}`, `rank+1{0,-1}`"""
    base = by_rank(word.base, lists)
    if not word.steps:
        return base
    steps = dict(word.steps)
    return f"{base}{{{','.join(by_rank(steps[k], lists) if k in steps else '0' for k in range(max(steps) + 1))}}}"


def nested(kind: Kind) -> Iterator[tuple[str, int, int]]:
    """What is in a kind, in order: ("loop", its number, depth), ("slot", …), and ("end", …) of a loop."""
    starts = kind.starting()
    open_loops = list[int]()

    for number in range(len(kind.slots) + 1):
        while open_loops and kind.loops[open_loops[-1]].last == number:
            loop = open_loops.pop()
            yield "end", loop, len(open_loops)
        if number == len(kind.slots):
            return
        for loop in starts.get(number, ()):
            yield "loop", loop, len(open_loops)
            open_loops.append(loop)
        yield "slot", number, len(open_loops)


def plain_number(value: float) -> str:
    """A number as it is written in traces: exactly, whole ones without a fraction."""
    return str(int(value)) if value == int(value) and abs(value) < 1e15 else repr(value)
