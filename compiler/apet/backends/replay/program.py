"""A trace as flat programs: one list of numbers per rank, with all messages numbered and matched ahead.

Channels are first in, first out, and nothing in a trace depends on time, so that it is known before the replay which
send meets which receive and which request a `wait` means. Collectives are unrolled into their messages.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

COMPUTE, SLEEP, SEND, RECEIVE, SENT, RECEIVED, ANY, ENTER, LEAVE = range(9)
"""What an operation does: compute or sleep (for `values[k]`), post a send or receive of message k, wait for the end of
message k at its sender or receiver, wait until enough of the requests of group k are done, enter or leave the k-th
collective that no rank leaves before all have entered."""
SHIFT = 4
MASK = (1 << SHIFT) - 1


class Any(NamedTuple):
    """A wait for some of several requests: `needed` of these operations must be done."""

    needed: int
    requests: tuple[int, ...]


class Loose(NamedTuple):
    """A message of which only one side is posted, or a request that nobody waits for: the rank that posted it, at
    which of its actions, and what it is."""

    rank: int
    action: int
    text: str


class Programs(NamedTuple):
    """All ranks' operations, each `argument << SHIFT | code`, and the number of the action that each comes from.

    Messages have a pair (source, destination) by number and a size in bytes; `syncs` counts the collectives that
    separate what is before from what is after on all ranks (-1: the ranks' collectives differ).
    """

    operations: tuple[array[int], ...]
    origins: tuple[array[int], ...]
    values: array[float]
    pairs: tuple[tuple[int, int], ...]
    pair: array[int]
    size: array[int]
    groups: tuple[Any, ...]
    syncs: int
    unmatched: tuple[Loose, ...]
    unfinished: tuple[Loose, ...]

    @property
    def ranks(self) -> int:
        """The number of ranks."""
        return len(self.operations)


class Flat(NamedTuple):
    """The flat programs of a trace in which all ranks come to their end; its name, and how many actions it has."""

    name: str
    events: int
    programs: Programs
