"""Which ranks are in the communicators of DUMPI traces.

Each rank has numbers of its own for them. The k-th communicator that is made of another one is the same for all of its
ranks; a split makes one for each colour, in which ranks stand by key and then by their order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from apet.traces.event_traces.dumpi_calls import Arguments

WORLD = 0
WORLD_NUMBER, SELF_NUMBER = 2, 3
"""DUMPI's numbers of MPI_COMM_WORLD and MPI_COMM_SELF."""
COPIES = ("MPI_Comm_dup", "MPI_Cart_create", "MPI_Graph_create", "MPI_Comm_dup_with_info")


class Creation(NamedTuple):
    """A communicator that a rank is given: from which, its new number, and the colour and key of a split."""

    origin: int
    number: int
    colour: int
    key: int


def communicators_of(
    calls: Sequence[Sequence[tuple[str, Arguments]]],
) -> tuple[dict[int, tuple[int, ...]], list[dict[int, int]]]:
    """The world ranks of each communicator by its key, and by rank the keys of its own numbers."""
    creations = [[c for name, arguments in own if (c := _creation(name, arguments))] for own in calls]
    communicators = {WORLD: tuple(range(len(calls)))}
    numbers: list[dict[int, int]] = [{WORLD_NUMBER: WORLD} for _ in calls]

    waiting = deque([WORLD])
    while waiting:
        origin = waiting.popleft()
        members = communicators[origin]
        created = [[c for c in creations[m] if numbers[m].get(c.origin) == origin] for m in members]
        for step in range(min(map(len, created))):
            colours: dict[int, list[tuple[int, int]]] = {}
            for place, own in enumerate(created):
                if own[step].colour >= 0:
                    colours.setdefault(own[step].colour, []).append((own[step].key, place))
            for chosen in colours.values():
                key = len(communicators)
                communicators[key] = tuple(members[place] for _, place in sorted(chosen))
                for _, place in chosen:
                    numbers[members[place]].setdefault(created[place][step].number, key)
                waiting.append(key)
    return communicators, numbers


def _creation(name: str, arguments: Arguments) -> Creation | None:
    if name not in (*COPIES, "MPI_Comm_split"):
        return None
    origin, number = arguments.number("oldcomm", "comm"), arguments.number("newcomm")
    if origin is None or number is None:
        return None
    if name in COPIES:
        return Creation(origin, number, 0, 0)
    colour, key = arguments.number("color"), arguments.number("key")
    return Creation(origin, number, -1 if colour is None else colour, key or 0)
