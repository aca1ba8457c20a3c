"""Which send meets which receive, as an oracle: channels are first in, first out."""

from __future__ import annotations

from array import array
from collections import deque

from apet.traces.replay.program import MASK, RECEIVE, RECEIVED, SHIFT, Unmatched, WaitSome
from apet.traces.trace import ANY_SOURCE, ANY_TAG

Key = tuple[int, int, int]
"""Source, destination, tag."""


class Messages:
    """Messages by number; in each channel those of which one side is posted: positive the sends, negative receives."""

    def __init__(self) -> None:
        self.pairs: dict[tuple[int, int], int] = {}
        self.pair = array("q")
        self.size = array("q")
        self.channels: dict[Key, deque[int]] = {}
        self.first = array("q")
        self.wild: list[tuple[int, Key]] = []
        self.alias: dict[int, int] = {}
        self.groups: list[WaitSome] = []
        self.communicators: dict[tuple[int, ...], int] = {}

    def post(self, key: Key, size: int, sends: bool, at: int) -> int:
        """The number of the message that a side belongs to, posted by a rank's action `at`."""
        waiting = self.channels.get(key)
        if waiting and (waiting[0] < 0) == sends:
            number = waiting.popleft()
            if sends:
                number = ~number
                self.size[number] = size
            return number
        number = self._new(key, size, at)
        if waiting is None:
            self.channels[key] = deque((number if sends else ~number,))
        else:
            waiting.append(number if sends else ~number)

        return number

    def _new(self, key: tuple[int, ...], size: int, at: int) -> int:
        pair = key[0], key[1]
        self.pair.append(self.pairs.setdefault(pair, len(self.pairs)))
        self.size.append(max(size, 0))
        self.first.append(at)
        return len(self.size) - 1

    def any_source(self, key: Key, at: int) -> int:
        """The number of a receive whose sender or tag is not known yet."""
        number = self._new((max(key[0], 0), key[1]), 0, at)
        self.wild.append((number, key))
        return number

    def wildcards(self) -> None:
        """Give receives from any source, in order, the sends that nobody else takes, from each sender in turn."""
        left: dict[int, list[Key]] = {}
        if self.wild:
            for key, waiting in self.channels.items():
                if waiting and waiting[0] >= 0 and key[2] > -1000:
                    left.setdefault(key[1], []).append(key)
        taken: dict[tuple[int, int], int] = {}
        for number, (source, target, tag) in self.wild:
            fitting = [
                k
                for k in left.get(target, ())
                if self.channels[k] and source in (k[0], ANY_SOURCE) and tag in (k[2], ANY_TAG)
            ]
            if fitting:
                chosen = min(fitting, key=lambda k: (taken.get((k[0], target), 0), k[0], self.channels[k][0]))
                taken[chosen[0], target] = taken.get((chosen[0], target), 0) + 1
                self.alias[number] = self.channels[chosen].popleft()

        if self.alias:
            for at, group in enumerate(self.groups):
                self.groups[at] = group._replace(
                    requests=tuple(tuple(self.alias.get(m, m) for m in request) for request in group.requests)
                )

    def communicator(self, group: tuple[int, ...]) -> int:
        """The number of a communicator of some ranks, from 1."""
        return self.communicators.setdefault(group, len(self.communicators) + 1)

    def unmatched(self) -> tuple[Unmatched, ...]:
        """All messages with only one side."""
        sides = list[Unmatched]()
        for (source, target, tag), waiting in self.channels.items():
            for coded in waiting:
                number = coded if coded >= 0 else ~coded
                rank, action = source if coded >= 0 else target, self.first[number]
                sides.append(Unmatched(rank, action, one_sided(coded >= 0, source, target, tag)))
        for number, (_, rank, _) in self.wild:
            if number not in self.alias:
                sides.append(Unmatched(rank, self.first[number], "a message from any rank"))
        return tuple(sorted(sides))


def one_sided(sends: bool, source: int, target: int, tag: int) -> str:
    """A message of which only one side is posted, in words."""
    what = f"a message to rank {target}" if sends else f"a message from rank {source}"
    return f"{what} with tag {tag}" if tag > -1000 else what


def renamed(operation: int, alias: dict[int, int]) -> int:
    """An operation on the message that was found for one from any source."""
    if operation & MASK in (RECEIVE, RECEIVED):
        return alias.get(operation >> SHIFT, operation >> SHIFT) << SHIFT | operation & MASK
    return operation
