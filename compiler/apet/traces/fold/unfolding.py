"""The lines that a folded trace stands for, made as they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, repeat

from apet.traces.fold.folded import Folded, Kind, Volumes, Word, plain_number, word_at

NAMES = {"sendrecv": "sendRecv", "waitany": "waitAny", "waitsome": "waitSome"}
Said = str | Callable[[], str]
"""A text that stays, or what makes that of the present iteration."""


def unfolded(folded: Folded, ranks: Iterable[int] | None = None) -> Iterator[tuple[int, str]]:
    """All lines, or those of some ranks, by rank: the line that the slot is from (0: behind the last), the text."""
    members = folded.members()
    for rank in range(folded.ranks) if ranks is None else ranks:
        yield from _Unfolding(*members[rank], folded.ranks).lines()


class _Unfolding:
    """The lines of a rank, by its position in its kind; `index` are the iterations of loops."""

    def __init__(self, kind: Kind, position: int, ranks: int) -> None:
        self.kind, self.position, self.ranks, self.rank = kind, position, ranks, kind.ranks[position]
        self.index = [0] * len(kind.loops)
        self.starts = kind.starting()
        self.texts = [self._said(number) for number in range(len(kind.slots))]
        volumes = [kind.volume(number, position) for number in range(len(kind.slots))]
        self.computing = [None if each.nothing else _one_by_one(each) for each in volumes]
        self.counts = [None if loop.counts is None else _one_by_one(loop.counts) for loop in kind.loops]

    def lines(self) -> Iterator[tuple[int, str]]:
        """All of them."""
        yield from self._executed(0, len(self.kind.slots), 0)
        rest = self.kind.rest_of(self.position)
        yield from self._computed(next(_one_by_one(rest)), 0)
        if rest.nothing and not self.kind.slots:
            yield 0, f"{self.rank} finalize"

    def _executed(self, slot: int, last: int, level: int) -> Iterator[tuple[int, str]]:
        """Slots up to `last`; of the first, so many loops around are begun."""
        while slot < last:
            begun = self.starts.get(slot, ())
            if level < len(begun):
                loop, end = begun[level], self.kind.loops[begun[level]].last
                counts = self.counts[loop]
                times = self.kind.loops[loop].times if counts is None else int(sum(next(counts)))
                for self.index[loop] in range(times):
                    yield from self._executed(slot, end, level + 1)
                slot, level = end, 0
                continue
            line, computing, text = self.kind.slots[slot].line, self.computing[slot], self.texts[slot]
            if computing is not None:
                yield from self._computed(next(computing), line)
            yield line, text if isinstance(text, str) else text()
            slot, level = slot + 1, 0

    def _computed(self, volumes: tuple[float, ...], line: int) -> Iterator[tuple[int, str]]:
        for volume in volumes:
            yield line, f"{self.rank} compute {plain_number(volume)}"

    def _said(self, number: int) -> Said:
        slot = self.kind.slots[number]
        path = self.kind.path(number)[::-1]
        words = [f"{self.rank} {NAMES.get(slot.action, slot.action)}", *(self._word(w, path) for w in slot.words)]
        plain = [word for word in words if isinstance(word, str)]
        if len(plain) == len(words):
            return " ".join(plain)
        return lambda: " ".join(word if isinstance(word, str) else word() for word in words)

    def _word(self, word: Word, path: tuple[int, ...]) -> Said:
        if word.aside:
            values = _one_by_one(word.values(self.position))
            return lambda: plain_number(sum(next(values)))
        base = word_at(word.base, self.position, self.rank, self.ranks, word.wraps)
        if not word.steps:
            return base
        steps = [
            (path[level], int(word_at(step, self.position, self.rank, self.ranks, False))) for level, step in word.steps
        ]

        def advanced() -> str:
            value = int(base) + sum(self.index[loop] * advance for loop, advance in steps)
            return str(value % self.ranks if word.wraps else value)

        return advanced


def _one_by_one(volumes: Volumes) -> Iterator[tuple[float, ...]]:
    return chain.from_iterable(repeat(*run) for run in volumes.runs())
