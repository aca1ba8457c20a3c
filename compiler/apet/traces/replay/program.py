"""A trace as flat programs: one list of numbers per rank, with all messages numbered and matched ahead.

Channels are first in, first out, and nothing in a trace depends on time, so that it is known before the replay which
send meets which receive and which request a `wait` means. Collectives are unrolled into their messages.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from apet.traces.platform.parts import SMPI_PROTOCOL, Protocol

COMPUTE, SLEEP, SEND, RECEIVE, SENT, RECEIVED, ANY, ENTER, LEAVE, TAKE, TAKES, TAKEN = range(12)
"""What an operation does: compute or sleep (for `values[k]`), post a send or receive of message k, wait for the end of
message k at its sender or receiver, wait until enough of the requests of group k are done, enter or leave the k-th
collective that no rank leaves before all have entered; take message k at its receiver; take the next k messages in the
order in which they end, of which the waits follow, and behind these their end."""
SHIFT = 4
MASK = (1 << SHIFT) - 1


class WaitSome(NamedTuple):
    """A wait for some of several requests: `needed` of them must be done.

    Each request is the messages that it waits for: one, or several for a non-blocking collective.
    """

    needed: int
    requests: tuple[tuple[int, ...], ...]

    def enough(self, ended: Sequence[int]) -> bool:
        """Whether enough requests are done, where it is known by message whether it has ended."""
        ended_requests = [all(ended[m] for m in request) for request in self.requests]
        return sum(ended_requests) >= min(self.needed, len(ended_requests))


class Unmatched(NamedTuple):
    """A message of which only one side is posted, or a request that nobody waits for: the rank that posted it, at
    which of its actions, and what it is."""

    rank: int
    action: int
    text: str


class Programs(NamedTuple):
    """The operations of all ranks; arrays are of int64 and float64, `origins` of int32.

    Rank 0 computes 5 flops and sends message 0 at once: `[0 << SHIFT | COMPUTE, 0 << SHIFT | SEND]`, values `[5.0]`.
    """

    operations: tuple[array[int], ...]  #: by rank, each `argument << SHIFT | code`
    origins: tuple[array[int], ...]  #: by rank, for each operation the number of its action
    values: array[float]  #: flops of computing, seconds of sleeping
    pairs: tuple[tuple[int, int], ...]  #: source and destination
    pair: array[int]  #: by message, the number of its pair
    size: array[int]  #: by message, bytes
    groups: tuple[WaitSome, ...]  #: what `ANY` waits for
    syncs: int  #: collectives that separate before from after on all ranks (-1: the ranks' collectives differ)
    unmatched: tuple[Unmatched, ...]
    unfinished: tuple[Unmatched, ...]
    early: array[int] | None = None  #: [messages], uint8; whether each begins when it is sent (None: none does)
    take: array[float] | None = None  #: [messages]; seconds that its receiver needs when it has ended (None: 0)

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return len(self.operations)

    def taking(self, rank: int, at: int) -> float:
        """Seconds that a rank takes at least for messages that it has received, at an operation about these."""
        assert self.take is not None
        own, code, what = self.operations[rank], self.operations[rank][at] & MASK, self.operations[rank][at] >> SHIFT
        if code == TAKE:
            return self.take[what]
        waits = own[at + 1 : at + 1 + what] if code == TAKES else own[at - what : at]
        seconds = [self.take[wait >> SHIFT] if wait & MASK == RECEIVED else 0.0 for wait in waits]
        return sum(seconds) - min(seconds) if code == TAKES else min(seconds)


class LoweredTrace(NamedTuple):
    """The flat programs of a trace in which all ranks come to their end, on platforms with this protocol; its name, and
    how many actions it has."""

    name: str
    events: int
    programs: Programs
    protocol: Protocol = SMPI_PROTOCOL
