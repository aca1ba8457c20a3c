"""From a trace's actions to flat programs: collectives unrolled, messages numbered and matched, waits resolved.

All of that is the core's. A trace in memory goes there as the lines that it would be written in, which is the one form
of a trace that the core reads.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.traces.lines.actions import MOST_BYTES
from apet.traces.lines.writer import trace_lines
from apet.traces.platform.parts import SMPI_PROTOCOL, Host, Network, Protocol, Route
from apet.traces.platform.platform import Platform
from apet.traces.replay.engine import KEEPING, MESSAGES, UNROLLING, Replayer, packed
from apet.traces.replay.errors import Unreplayable
from apet.traces.replay.program import RECEIVE, SEND, SENT, SHIFT, Programs, Unmatched, WaitSome
from apet.traces.trace import ANY_SOURCE, Trace

DONE = -1
"""In place of what waits for the request of a non-blocking collective."""


COLLECTIVE = -1000
"""Tags of the messages of collectives are below."""


class _Nowhere(Platform):
    """One host on which nothing takes time."""

    def __init__(self, protocol: Protocol) -> None:
        super().__init__((Host("", 0.0, 1),), (), {}, {}, network=Network(protocol=protocol))

    def route(self, source: int, target: int) -> Route:
        return Route((), 0.0)


def reader(ranks: int, mode: int, protocol: Protocol = SMPI_PROTOCOL) -> Replayer:
    """What reads the lines of so many ranks where of a platform only its protocol matters. To be closed."""
    replayer = Replayer(_Nowhere(protocol), [0] * ranks)
    replayer.core.apet_mode(replayer.state, mode)
    return replayer


def lower(trace: Trace, protocol: Protocol = SMPI_PROTOCOL) -> Programs:
    """The flat programs of all ranks, on platforms with this protocol."""
    with _lowered(trace, KEEPING, protocol) as replayer:
        return programs_of(replayer, trace)


def lower_for_unrolling(trace: Trace) -> tuple[Programs, Sequence[int]]:
    """Flat programs that wait for small sends as well; and the tags of messages."""
    with _lowered(trace, UNROLLING) as replayer:
        tags = packed("q", bytes(8 * replayer.counts[MESSAGES]))
        replayer.core.apet_take_tags(replayer.state, tags)
        return programs_of(replayer, trace), tags


@contextmanager
def _lowered(trace: Trace, mode: int, protocol: Protocol = SMPI_PROTOCOL) -> Iterator[Replayer]:
    replayer = reader(len(trace.ranks), mode, protocol)
    try:
        for rank in range(len(trace.ranks)):
            text = "".join(trace_lines(trace, rank)).encode()
            if not replayer.feed(text):
                raise ApetError(_refused(trace, rank, replayer))
            replayer.complete(rank)
        yield replayer
    finally:
        replayer.close()


def _refused(trace: Trace, rank: int, replayer: Replayer) -> Unreplayable:
    exceeded = packed("q", [0])
    at = int(replayer.core.apet_last_action(replayer.state, exceeded))
    reason = f"its bytes are beyond {MOST_BYTES:,}" if exceeded[0] else "it names ranks or volumes that there cannot be"
    action = str(trace.ranks[rank][at][0]) if at < len(trace.ranks[rank]) else "an action"
    line = trace.line(rank, at)
    return Unreplayable(None, None, trace.name, rank, f"line {line}, " if line else "", action, reason)


def programs_of(replayer: Replayer, trace: Trace | None = None) -> Programs:
    """Take over what the core has kept. The trace tells the names of non-blocking collectives that nobody waits for:
    none may be left open without it."""
    core, state, ranks = replayer.core, replayer.state, len(replayer.places)
    replayer.match()
    counts = packed("q", bytes(8 * (6 + ranks)))
    core.apet_kept(state, counts)
    number, syncs, unfinished, *groups = counts[:6]

    operations: list[array[int]] = []
    origins: list[array[int]] = []
    for rank, length in enumerate(counts[6:]):
        operations.append(array("q", [0]) * length)
        origins.append(array("i", [0]) * length)
        core.apet_take(state, rank, operations[-1], origins[-1])

    messages = replayer.counts[MESSAGES]
    values, pair, size = array("d", [0.0]) * number, array("q", [0]) * messages, array("q", [0]) * messages
    early, take = array("B", bytes(messages)), array("d", [0.0]) * messages
    core.apet_take_messages(state, values, pair, size, early, take)
    needed, ends, request_ends, awaited = (packed("q", bytes(8 * k)) for k in (groups[0], *groups))
    rows = packed("q", bytes(24 * unfinished))
    core.apet_take_requests(state, needed, ends, request_ends, awaited, rows)
    some = map(WaitSome, needed, _parts(_parts(awaited, request_ends), ends))

    loose = tuple(_unmatched(replayer, operations, origins)), tuple(_unfinished(rows, trace))
    pairs = tuple(replayer.new_pairs())
    protocol = replayer.platform.network.protocol
    sides = early if any(early) else None, take if protocol.take else None
    lists = tuple(operations), tuple(origins)
    return Programs(*lists, values, pairs, pair, size, tuple(some), syncs, *loose, *sides)


def _parts(items: Sequence[Any], ends: Iterable[int]) -> list[tuple[Any, ...]]:
    """The items up to each end."""
    return [tuple(items[first:end]) for first, end in pairwise((0, *ends))]


def _unmatched(replayer: Replayer, operations: list[array[int]], origins: list[array[int]]) -> list[Unmatched]:
    number = int(replayer.core.apet_unmatched(replayer.state, None))
    rows = packed("q", bytes(40 * number))
    replayer.core.apet_unmatched(replayer.state, rows)

    texts: dict[int, dict[int, str]] = {}
    for message, sends, source, target, tag in zip(*(rows[k::5] for k in range(5)), strict=True):
        posted = message << SHIFT | (SEND if sends else RECEIVE)
        texts.setdefault(source if sends else target, {})[posted] = _one_sided(bool(sends), source, target, tag)
    loose = list[Unmatched]()
    for rank, posts in texts.items():
        loose += [Unmatched(rank, origins[rank][k], posts[p]) for k, p in _where(operations[rank], list(posts))]

    return sorted(loose)


def _one_sided(sends: bool, source: int, target: int, tag: int) -> str:
    """A message of which only one side is posted, in words."""
    if source == ANY_SOURCE:
        return "a message from any rank"
    what = f"a message to rank {target}" if sends else f"a message from rank {source}"
    return f"{what} with tag {tag}" if tag > COLLECTIVE else what


def _unfinished(rows: Sequence[int], trace: Trace | None) -> Iterator[Unmatched]:
    """The requests that only the end waits for, rank by rank."""
    for rank, action, code in zip(rows[::3], rows[1::3], rows[2::3], strict=True):
        if code != DONE:
            yield Unmatched(rank, action, f"no wait for this {'send' if code == SENT else 'receive'}")
        elif trace:
            yield Unmatched(rank, action, f"no wait for this {trace.ranks[rank][action][0]}")


def _where(operations: array[int], wanted: Sequence[int]) -> list[tuple[int, int]]:
    """Where some operations stand, and which: each once."""
    import numpy

    every = numpy.frombuffer(operations, numpy.int64)
    return [(k, operations[k]) for k in numpy.flatnonzero(numpy.isin(every, wanted)).tolist()]
