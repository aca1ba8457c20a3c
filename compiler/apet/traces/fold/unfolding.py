"""The lines that a folded trace stands for, made as they are needed.

A rank becomes a tape: instructions to say its next line or to compute its next volumes, and jumps back to where a loop
begins. The core runs tapes while it replays (`unfolding.c`); here they are run as text, for who needs the whole trace.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from ctypes import create_string_buffer
from itertools import chain, repeat
from typing import Any, NamedTuple

from apet.core import Struct
from apet.ground.diagnostics import ApetError
from apet.traces.fold.folded import Folded, Kind, Volumes, plain_number, word_at
from apet.traces.lines import errors

LINE, PART, NUMBER, ASIDE, VOLUMES, TIMES, AGAIN, LAST = range(8)
"""Instructions; `boundary.h` has their arguments."""
MOST_IN_MEMORY = 50_000_000
LONGEST_NUMBER = 24
NAMES = {"sendrecv": "sendRecv", "waitany": "waitAny", "waitsome": "waitSome"}


class RankTape(NamedTuple):
    """The instructions of a rank: int64; the text that they say; the volumes of streams; the number of loops; the
    characters of the longest line that is made of parts."""

    rank: int
    items: array[int]
    text: bytes
    streams: list[Volumes]
    loops: int
    longest: int

    def for_core(self) -> Struct:
        """The tape as the core runs it, from its beginning."""
        columns = [_columns(volumes) for volumes in self.streams]
        zeros = {name: array("q", bytes(8 * len(columns))) for name in ("run", "left", "volume")}
        volumes, counts, widths = zip(*columns, strict=True) if columns else ((), (), ())

        return Struct(
            "Tape",
            items=self.items,
            text=create_string_buffer(self.text),
            volumes=volumes,
            counts=counts,
            widths=widths,
            index=array("q", bytes(8 * self.loops)),
            times=array("q", bytes(8 * self.loops)),
            line=create_string_buffer(self.longest),
            at=0,
            rank=self.rank,
            **zeros,
        )


def _columns(volumes: Volumes) -> tuple[array[float], array[int], array[int] | None]:
    """Volumes one by one, how often each run is there, and how many volumes it has; None where that is always 1."""
    counts = array("q", volumes.counts)
    if not volumes.parts and min(volumes.values) > 0:
        return array("d", volumes.values), counts, None
    several = len(volumes.parts) == len(counts)  # each run stands for several volumes: as a rule, if one does
    runs = list(volumes.parts.values()) if several else [parts for parts, _ in volumes.runs()]
    return array("d", chain.from_iterable(runs)), counts, array("q", map(len, runs))


def numbered_lines(folded: Folded) -> Iterator[tuple[int, str]]:
    """All lines, rank by rank, each with the line in its file that it comes from. `ApetError` if too many."""
    if folded.actions > MOST_IN_MEMORY:
        raise ApetError(errors.UnfoldsTooLong(None, None, folded.name, folded.actions, MOST_IN_MEMORY))
    for _, (kind, position) in sorted(folded.members().items()):
        yield from unfolded(kind, position, folded.ranks)


def unfolded(kind: Kind, position: int, ranks: int) -> Iterator[tuple[int, str]]:
    """The lines of a rank, by its position in its kind, each with the line in the file that it comes from."""
    tape = tape_of(kind, position, ranks)
    items, text, line, at = tape.items, tape.text.decode(), "", 0
    index, iterations = [0] * tape.loops, [0] * tape.loops
    streams = [chain.from_iterable(repeat(*run) for run in volumes.runs()) for volumes in tape.streams]

    while items[at] != LAST:
        instruction, *words = items[at : at + 4]
        if instruction == VOLUMES:
            for computing in next(streams[words[0]]):
                yield words[1], f"{tape.rank} compute {plain_number(computing)}"
            at += 3
        elif instruction == AGAIN:
            loop, times, to = words
            index[loop] = (index[loop] + 1) % (times or iterations[loop])
            at = to if index[loop] else at + 4
        elif instruction == TIMES:
            loop, to = words[1:]
            iterations[loop] = int(sum(next(streams[words[0]])))
            at = at + 4 if iterations[loop] else to
        elif instruction == ASIDE:
            line += plain_number(sum(next(streams[words[0]])))
            at += 2
        elif instruction == NUMBER:
            value, modulus, steps = words
            at += 4 + 2 * steps
            for k in range(at - 2 * steps, at, 2):
                value += items[k + 1] * index[items[k]]
            line += str(value % modulus if modulus else value)
        else:
            line += text[words[0] : words[0] + words[1]]
            at += 4 if instruction == LINE else 3
            if instruction == LINE:
                yield words[2], line
                line = ""


def tape_of(kind: Kind, position: int, ranks: int) -> RankTape:
    """The tape of a rank, by its position in its kind."""
    return _Recording(kind, position, ranks).tape()


class _Recording:
    """A tape in the making."""

    def __init__(self, kind: Kind, position: int, ranks: int) -> None:
        self.kind, self.position, self.ranks, self.rank = kind, position, ranks, kind.ranks[position]
        self.items = array("q")
        self.pieces: list[bytes] = []
        self.places: dict[str, int] = {}  # by piece of text, where it is
        self.length = self.longest = 0
        self.streams: list[Volumes] = []

    def tape(self) -> RankTape:
        """The whole."""
        begun, starting = list[tuple[int, int]](), self.kind.starting()
        for slot in range(len(self.kind.slots)):
            for number in starting.get(slot, ()):
                self.count(number)
                begun.append((number, len(self.items)))
            self.compute(self.kind.volume(slot, self.position), self.kind.slots[slot].line)
            self.slot(slot)
            while begun and self.kind.loops[begun[-1][0]].last == slot + 1:
                number, at = begun.pop()
                varies = self.kind.loops[number].counts is not None
                self.items.extend((AGAIN, number, 0 if varies else self.kind.loops[number].times, at))
                if varies:
                    self.items[at - 1] = len(self.items)

        rest = self.kind.rest_of(self.position)
        self.compute(rest, 0)
        if rest.nothing and not self.kind.slots:
            self.say(LINE, f"{self.rank} finalize", 0)
        self.items.append(LAST)
        return RankTape(
            self.rank, self.items, b"".join(self.pieces), self.streams, len(self.kind.loops), self.longest + 1
        )

    def say(self, instruction: int, text: str, *more: int) -> None:
        """A line or a part of one; each text is there once."""
        if text not in self.places:
            self.places[text] = self.length
            self.pieces.append(f"{text}\n".encode())
            self.length += len(self.pieces[-1])
        self.items.extend((instruction, self.places[text], len(text), *more))

    def count(self, loop: int) -> None:
        """How often a loop iterates, where that varies; `tape` adds where it ends."""
        counts = self.kind.loops[loop].counts
        if counts is not None:
            self.items.extend((TIMES, len(self.streams), loop, 0))
            self.streams.append(counts)

    def compute(self, volumes: Volumes, line: int) -> None:
        """What is computed before a slot, or at the end."""
        if not volumes.nothing:
            self.items.extend((VOLUMES, len(self.streams), line))
            self.streams.append(volumes)

    def slot(self, number: int) -> None:
        """The line of a slot."""
        slot, text, room = self.kind.slots[number], "", 0
        path: Any = self.kind.path(number)[::-1] if any(word.steps for word in slot.words) else ()
        text = f"{self.rank} {NAMES.get(slot.action, slot.action)}"

        for word in slot.words:
            base = word_at(word.base, self.position, self.rank, self.ranks, word.wraps)
            if not word.steps and not word.aside:
                text += f" {base}"
                continue
            self.say(PART, text + " ")
            room += len(text) + 1 + LONGEST_NUMBER
            text = ""
            if word.aside:
                self.items.extend((ASIDE, len(self.streams)))
                self.streams.append(word.values(self.position))
                continue
            self.items.extend((NUMBER, int(base), self.ranks if word.wraps else 0, len(word.steps)))
            for level, step in word.steps:
                advance = int(word_at(step, self.position, self.rank, self.ranks, False))
                self.items.extend((path[level], advance))

        self.say(LINE, text, slot.line)
        self.longest = max(self.longest, room + len(text) + 1)
