"""What the compiled core does with a trace before there is a platform: lower it to flat programs, or check it.

The lines of each rank become flat programs as soon as they are read, so that no action is ever held in Python. Checking
replays on a platform where nothing takes time, and keeps nothing. What the core cannot take, and telling what is wrong,
is left to Python, which reads the whole trace.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence

from apet.traces.platform.parts import Host, Route
from apet.traces.platform.platform import Platform
from apet.traces.replay.check import arrive
from apet.traces.replay.engine import (
    ACTIONS,
    BYTES,
    CHECKING,
    KEEPING,
    MESSAGES,
    Replayer,
    packed,
)
from apet.traces.replay.matching import one_sided
from apet.traces.replay.program import MASK, RECEIVE, SEND, SENT, SHIFT, LoweredTrace, Programs, Unmatched
from apet.traces.replay.streaming import Lines, run_to_end
from apet.traces.trace import Checked


class _Nowhere(Platform):
    """One host on which nothing takes time."""

    def __init__(self) -> None:
        super().__init__((Host("", 0.0, 1),), (), {}, {})

    def route(self, source: int, target: int) -> Route:
        return Route((), 0.0)


def captured(name: str, lines: Lines) -> LoweredTrace | None:
    """The flat programs, numbered as `lower` numbers them; None where that is left to Python."""
    replayer = _reader(lines, KEEPING)
    try:
        if not all(_read(replayer, lines, rank) for rank in range(lines.ranks)) or not replayer.agrees():
            return None
        flat = LoweredTrace(name, replayer.counts[ACTIONS], _programs(replayer))
    finally:
        replayer.close()
    return flat if arrive(flat.programs) else None


def checked(name: str, lines: Lines) -> Checked | None:
    """What is in a trace with which nothing is wrong; None where Python has to look."""
    replayer = _reader(lines, CHECKING)
    try:
        if not run_to_end(replayer, lines) or not replayer.agrees() or not replayer.arrived():
            return None
        totals, flops = packed("q", bytes(32)), packed("d", bytes(8 * lines.ranks))
        replayer.core.apet_totals(replayer.state, totals)
        replayer.core.apet_flops(replayer.state, flops)
        counts = replayer.counts
    finally:
        replayer.close()
    *wrong, communicators = totals
    if any(wrong):
        return None

    volumes = counts[ACTIONS], counts[MESSAGES], counts[BYTES]
    return Checked(name, lines.ranks, *volumes, math.fsum(flops), communicators + 1, ())


def _reader(lines: Lines, mode: int) -> Replayer:
    replayer = Replayer(_Nowhere(), [0] * lines.ranks)
    replayer.core.apet_mode(replayer.state, mode)
    return replayer


def _read(replayer: Replayer, lines: Lines, rank: int) -> bool:
    """Read all lines of a rank; False where one is not plain."""
    complete: Sequence[int] = ()
    while rank not in complete:
        text, complete = lines.more(rank)
        if text and replayer.feed(text, True) != len(text):
            return False
    replayer.complete(rank)
    return True


def _programs(replayer: Replayer) -> Programs:
    """Take over what the core has kept."""
    core, state, ranks = replayer.core, replayer.state, len(replayer.places)
    counts = packed("q", bytes(8 * (2 + 2 * ranks)))
    core.apet_kept(state, counts)
    number, syncs = counts[:2]
    lengths, actions = counts[2 : 2 + ranks], counts[2 + ranks :]
    operations: list[array[int]] = []
    origins: list[array[int]] = []
    for rank, length in enumerate(lengths):
        operations.append(array("q", [0]) * length)
        origins.append(array("i", [0]) * length)
        core.apet_take(state, rank, operations[-1], origins[-1])

    messages = replayer.counts[MESSAGES]
    values, pair, size = array("d", [0.0]) * number, array("q", [0]) * messages, array("q", [0]) * messages
    core.apet_take_messages(state, values, pair, size)
    pairs = tuple(replayer.new_pairs())
    loose = tuple(_unmatched(replayer, operations, origins)), tuple(_unfinished(operations, origins, actions))
    return Programs(tuple(operations), tuple(origins), values, pairs, pair, size, (), syncs, *loose)


def _unmatched(replayer: Replayer, operations: list[array[int]], origins: list[array[int]]) -> list[Unmatched]:
    number = int(replayer.core.apet_unmatched(replayer.state, None))
    rows = packed("q", bytes(40 * number))
    replayer.core.apet_unmatched(replayer.state, rows)
    loose = list[Unmatched]()
    texts: dict[int, dict[int, str]] = {}
    for message, sends, source, target, tag in zip(*(rows[k::5] for k in range(5)), strict=True):
        posted = message << SHIFT | (SEND if sends else RECEIVE)
        texts.setdefault(source if sends else target, {})[posted] = one_sided(bool(sends), source, target, tag)
    for rank, wanted in texts.items():
        loose += [Unmatched(rank, origins[rank][k], wanted[p]) for k, p in _where(operations[rank], wanted)]
    return sorted(loose)


def _unfinished(operations: list[array[int]], origins: list[array[int]], actions: Sequence[int]) -> Iterator[Unmatched]:
    """The requests that only the end waits for: operations behind the last action."""
    for rank, (own, of) in enumerate(zip(operations, origins, strict=True)):
        first = len(own)
        while first and of[first - 1] == actions[rank]:
            first -= 1
        awaited = own[first:]
        posts = [r & ~MASK | (SEND if r & MASK == SENT else RECEIVE) for r in awaited]
        at = {p: k for k, p in _where(own, posts)} if posts else {}
        for post in posts:
            name = "send" if post & MASK == SEND else "receive"
            yield Unmatched(rank, of[at[post]], f"no wait for this {name}")


def _where(operations: array[int], wanted: Sequence[int] | dict[int, str]) -> list[tuple[int, int]]:
    """Where some operations stand, and which: each once."""
    import numpy

    every = numpy.frombuffer(operations, numpy.int64)
    return [(k, operations[k]) for k in numpy.flatnonzero(numpy.isin(every, list(wanted))).tolist()]
