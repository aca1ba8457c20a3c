"""GOAL, the language of LogGOPSim, LLAMP and ATLAHS: operations of ranks with dependencies, as text or as `txt2bin`
makes it (T. Hoefler et al., 2009), read as a trace.

The operations of a rank become one sequence (`goal.c`): of those that are ready receives are posted first, then sends,
then it computes, each kind in the order of the file. What an operation requires is waited for before it. Several CPUs
and networks of a rank are read as one.
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
from array import array
from collections.abc import Iterator
from typing import IO, Any, NamedTuple, NoReturn

from apet.core import library
from apet.ground.diagnostics import ApetError
from apet.ground.source_files import read_stream
from apet.traces.event_traces.errors import BadGoal
from apet.traces.event_traces.formats import GOAL_MAGIC
from apet.traces.lines.actions import MOST_RANKS
from apet.traces.lines.files import DAMAGED, opened
from apet.traces.trace import Action, Trace

NODE_BYTES = 39
"""Dependencies, kind, partner, size, tag, CPU, network; numbers and places of what waits for its end and its begin."""
BLOCK, MARGIN = 1 << 22, 200
MOST_TEXT, MOST_BINARY = 1 << 30, 1 << 32
"""Bytes of a rank as text, and of all in binary; packed files may claim to hold any number."""
NO_MEMORY, NO_FIT, CIRCLE, NO_PARTNER = range(-1, -5, -1)
_BEGIN, _END = re.compile(rb"^[ \t]*rank\s+(\d{1,9})\s*\{", re.MULTILINE), re.compile(rb"^[ \t]*\}", re.MULTILINE)
_COMMENT, _RANKS = re.compile(rb"//[^\n]*"), re.compile(rb"num_ranks\s+(\d{1,9})")


class GoalRank(NamedTuple):
    """A rank, its lines as a trace has them, and how many actions they are."""

    rank: int
    lines: bytes
    actions: int


def read_goal(name: str, rate: float) -> Trace:
    """The trace; `rate` says how many flops a second of computing stands for. `ApetError` if it cannot be read."""
    ranks = {each.rank: tuple(map(_action, each.lines.splitlines()[1:-1])) for each in goal_ranks(name, rate)}
    return Trace(os.path.basename(name), tuple(ranks[rank] for rank in sorted(ranks)))


def _action(line: bytes) -> Action:
    _, action, *words = line.decode().split()
    if action == "compute":
        return action, float(words[0])
    numbers = [int(word) for word in words if word.isdecimal()]
    return action, *(numbers if action == "wait" else numbers[:3])


def goal_ranks(name: str, rate: float) -> Iterator[GoalRank]:
    """All ranks, as the file has them. `ApetError` if it cannot be read."""
    try:
        with opened(name) as file:
            head = file.read(BLOCK)
            if head.startswith(GOAL_MAGIC):
                yield from _binary(name, head + read_stream(name, file, MOST_BINARY), rate)
            else:
                yield from _text(name, head, file, rate)
    except DAMAGED as error:
        _refuse(name, str(error))


def _text(name: str, head: bytes, file: IO[bytes], rate: float) -> Iterator[GoalRank]:
    text, ranks, left = _Text(name, head, file), 0, set[int]()
    while True:
        line, (between, begin) = text.line, text.until(_BEGIN)
        for number, word in enumerate(_COMMENT.sub(b"", between).split(b"\n"), line):
            if match := _RANKS.fullmatch(word.strip()):
                if ranks:
                    _refuse(name, f"line {number}: the number of ranks twice")
                ranks = int(match[1])
                if ranks > MOST_RANKS:
                    _refuse(name, f"line {number}: more than {MOST_RANKS:,} ranks")
                left = set(range(ranks))
            elif word.strip():
                _refuse(name, f"line {number}: '{_shown(word)}' is no operation")
        if begin is None:
            break
        rank = int(begin[1])
        if rank not in left:
            _refuse(name, f"line {text.line}: " + (f"there are {ranks} ranks" if rank >= ranks else "a rank twice"))
        left.remove(rank)
        line, (body, end) = text.line, text.until(_END)
        if end is None:
            _refuse(name, f"it ends in rank {rank}")

        with _Operations(name, rank, ranks) as operations:
            wrong = int(operations.core.apet_goal_text(operations.state, body, len(body)))
            if wrong == NO_MEMORY:
                raise MemoryError
            if wrong:
                number = wrong if wrong > 0 else -1 - wrong
                shown = _shown(body.split(b"\n")[number - 1])
                problem = "is no operation" if wrong > 0 else "names an operation that is not there before it"
                _refuse(name, f"line {line + number - 1}: '{shown}' {problem}")
            yield operations.ordered(rate)
    yield from (GoalRank(rank, b"%d init\n%d finalize\n" % (rank, rank), 0) for rank in sorted(left))


class _Text:
    """Text that is read as far as it is needed; `line` is the number of the next line."""

    def __init__(self, name: str, head: bytes, file: IO[bytes]) -> None:
        self.name, self.rest, self.file, self.line = name, head, file, 1

    def until(self, pattern: re.Pattern[bytes]) -> tuple[bytes, re.Match[bytes] | None]:
        """What comes before a match, which is passed over; all, and None, where there is none."""
        found, begin = pattern.search(self.rest), 0
        while found is None and (block := self.file.read(BLOCK)):
            begin = max(0, len(self.rest) - MARGIN)
            self.rest += block
            if len(self.rest) > MOST_TEXT:
                _refuse(self.name, f"line {self.line}: more than {MOST_TEXT >> 20:,} MiB up to the end of this rank")
            found = pattern.search(self.rest, begin)
        stop, end = found.span() if found else (len(self.rest), len(self.rest))
        before = self.rest[:stop]
        self.line += self.rest.count(b"\n", 0, end)
        self.rest = self.rest[end:]
        return before, found


def _binary(name: str, content: bytes, rate: float) -> Iterator[GoalRank]:
    """By rank a table of operations, and behind it what waits for each."""
    base = len(GOAL_MAGIC)
    try:
        (ranks,) = struct.unpack_from("<I", content, base)
        if ranks > MOST_RANKS:
            _refuse(name, f"more than {MOST_RANKS:,} ranks")
        taken = 0
        for rank in range(ranks):
            begin, end = struct.unpack_from("<QQ", content, base + 6 + 16 * rank)
            nodes, roots = struct.unpack_from("<II", content, base + begin)
            first = base + begin + 8 + 4 * roots
            behind = first + NODE_BYTES * nodes
            taken += end - begin
            if not behind <= base + end <= len(content) or taken > len(content):  # ranks have no bytes in common
                raise ValueError
            with _Operations(name, rank, ranks) as operations:
                waiting = content[behind : base + end]
                call = operations.core.apet_goal_table
                operations.check(int(call(operations.state, content[first:behind], nodes, waiting, len(waiting) // 4)))
                yield operations.ordered(rate)
    except (struct.error, ValueError, OverflowError):
        _refuse(name, "it is cut off, or damaged")


class _Operations:
    """The operations of a rank in the core."""

    def __init__(self, name: str, rank: int, ranks: int) -> None:
        self.name, self.rank, self.ranks, self.core = name, rank, ranks, library()
        self.state = ctypes.c_void_p(self.core.apet_goal_new(rank, ranks))
        self.check(0 if self.state.value else NO_MEMORY)

    def __enter__(self) -> _Operations:
        return self

    def __exit__(self, *_: Any) -> None:
        self.core.apet_goal_free(self.state)

    def ordered(self, rate: float) -> GoalRank:
        """The lines in order."""
        result = array("q", [0])
        length = int(self.core.apet_goal_lines(self.state, rate, result))
        if length == CIRCLE:
            _refuse(self.name, f"operations of rank {self.rank} require each other")
        if length == NO_PARTNER:
            _refuse(self.name, f"rank {self.rank} names rank {result[0]} of {self.ranks}")
        self.check(length)
        lines = ctypes.create_string_buffer(length)
        self.core.apet_goal_take(self.state, lines)
        return GoalRank(self.rank, lines.raw, result[0])

    def check(self, result: int) -> None:
        """Raise what the core says."""
        if result == NO_MEMORY:
            raise MemoryError
        if result == NO_FIT:
            raise ValueError


def _shown(line: bytes) -> str:
    return line.partition(b"//")[0].strip()[:40].decode("utf-8", "replace")


def _refuse(name: str, problem: str) -> NoReturn:
    raise ApetError(BadGoal(None, None, name, problem))
