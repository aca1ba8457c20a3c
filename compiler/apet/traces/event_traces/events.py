"""What event traces say of MPI, in whatever form they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from apet.ground.diagnostics import ApetError
from apet.traces.trace import Gap

Event = tuple[Any, ...]
"""A name, then its values:

`enter`, `leave`: seconds, region, instructions (None: not counted) · `send`: receiver, communicator, tag, bytes ·
`recv`: sender, communicator, tag, bytes · `isend`: receiver, communicator, tag, bytes, request · `irecv`: sender,
communicator, tag, bytes, request, when it is complete · `posted`, `sent`, `cancelled`: request · `collective`:
operation, communicator, root (below 0: none), bytes sent, bytes received. Ranks are those of the communicator.
"""


INSTRUCTIONS = ("PAPI_TOT_INS", "instructions", "perf::INSTRUCTIONS")
"""Metrics that count what is computed."""


class Recorded(NamedTuple):
    """An event trace: ranks of MPI_COMM_WORLD by location, world ranks of each communicator by its key, and events with
    their locations in the order of time; `wrong` is the error to raise for what is wrong with the event taken last,
    `gaps` are what the program did and the trace lacks."""

    name: str
    ranks: Mapping[int, int]
    communicators: Mapping[int, tuple[int, ...]]
    events: Iterable[tuple[int, Event]]
    wrong: Callable[[str], ApetError]
    gaps: tuple[Gap, ...] = ()
