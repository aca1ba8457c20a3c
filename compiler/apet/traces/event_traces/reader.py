"""From events with dates to actions with volumes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NamedTuple, NoReturn

from apet.ground.collection import paused_collector
from apet.ground.diagnostics import ApetError
from apet.traces.event_traces import errors
from apet.traces.event_traces.archive import read_archive
from apet.traces.event_traces.chakra import read_chakra
from apet.traces.event_traces.dumpi import read_dumpi
from apet.traces.event_traces.events import Event, Recorded
from apet.traces.event_traces.formats import (
    CHAKRA,
    DUMPI,
    GOAL,
    KINETO,
    LIBALLPROF,
    OTF2,
    PARAVER,
    PRINTED,
    files_of,
    format_of,
)
from apet.traces.event_traces.goal import read_goal
from apet.traces.event_traces.kineto import read_kineto
from apet.traces.event_traces.liballprof import read_liballprof
from apet.traces.event_traces.paraver import read_paraver
from apet.traces.event_traces.printed import read_printed
from apet.traces.event_traces.sizes import collective_actions
from apet.traces.trace import Action, Trace

STRIDE = 1_000_000
"""Tags of the k-th communicator begin at k times this."""
MOST_CELLS = 20_000_000
EXCHANGES = ("MPI_Sendrecv", "MPI_Sendrecv_replace")


class Window(NamedTuple):
    """What is read of a recording: one step of the training, None: all; by how many processes, None: as it says."""

    step: int | None = None
    processes: int | None = None


WHOLE = Window()


def read_event_trace(path: str | os.PathLike[str], rate: float = 1e9, window: Window = WHOLE) -> Trace:
    """The time-independent trace of an event trace.

    What passes between two MPI calls is computing: its instructions where they are counted, otherwise its seconds times
    `rate`. Only recordings of PyTorch and graphs of Chakra have a `window`. `ApetError` if it cannot be read.
    """
    name = os.fspath(path)
    kind = format_of(name)
    if kind == KINETO or (kind == CHAKRA and window.step is None):
        files = files_of(name, kind)
        with paused_collector():
            if kind == KINETO:
                return read_kineto(files, name, rate, *window)
            return read_chakra(files, name, rate, window.processes)
    if window != WHOLE:
        raise ApetError(errors.NoWindow(None, None, name))
    if kind == GOAL:
        return read_goal(name, rate)

    recorded = _recorded(name, kind)
    if not recorded.ranks:
        advised = "print it with its definitions: otf2-print -A" if kind == PRINTED else "was MPI recorded?"
        raise ApetError(errors.NoMpi(None, None, name, advised))
    converting = _Converting(recorded, rate)
    for location, event in recorded.events:
        rank = recorded.ranks.get(location)
        if rank is not None:
            try:
                converting.ranks[rank].take(event)
            except _Misplaced as problem:
                raise recorded.wrong(str(problem)) from None
    return converting.trace()


def refuse_regions(name: str) -> NoReturn:
    """`ApetError` for an event trace whose regions have speeds: it names none."""
    raise ApetError(errors.NoRegions(None, None, name))


def _recorded(name: str, kind: str) -> Recorded:
    """The events, by the format of the file."""
    if kind in (DUMPI, LIBALLPROF):
        return (read_dumpi if kind == DUMPI else read_liballprof)(files_of(name, kind))
    return {OTF2: read_archive, PARAVER: read_paraver}.get(kind, read_printed)(name)


class _Misplaced(ValueError):
    """An event that cannot be where it is."""


class _Converting:
    """The ranks of a trace in the making, and their collectives, which are known when all members' totals are."""

    def __init__(self, recorded: Recorded, rate: float) -> None:
        self.name, self.gaps = recorded.name, recorded.gaps
        self.communicators = recorded.communicators
        self.all = tuple(range(len(recorded.ranks)))
        offsets = {
            key: 0 if members == self.all and k == 0 else STRIDE * (k + 1)
            for k, (key, members) in enumerate(recorded.communicators.items())
        }
        self.ranks = [_Rank(r, rate, recorded.communicators, offsets, len(self.all)) for r in self.all]
        self.cells = 0

    def trace(self) -> Trace:
        """All actions, collectives with what they say."""
        groups: list[dict[int, tuple[int, ...]]] = [{} for _ in self.ranks]
        used = set().union(*(rank.collectives for rank in self.ranks))
        for key, members in self.communicators.items():
            if key in used and min(members) >= 0:
                self._collectives(key, members, groups)
        lowered = []
        for rank, own_groups in zip(self.ranks, groups, strict=True):
            actions, created = rank.finished(own_groups)
            lowered.append((actions, created))

        return Trace(
            os.path.basename(self.name),
            tuple(actions for actions, _ in lowered),
            communicators=tuple(created for _, created in lowered) if any(created for _, created in lowered) else (),
            gaps=self.gaps,
        )

    def _collectives(self, key: int, members: tuple[int, ...], groups: list[dict[int, tuple[int, ...]]]) -> None:
        taken = [self.ranks[m].collectives.get(key, []) for m in members]
        if len(set(map(len, taken))) > 1:
            counts = f"{min(map(len, taken))} to {max(map(len, taken))} collectives of one communicator by rank"
            raise ApetError(errors.Incomplete(None, None, self.name, counts))

        for places in zip(*taken, strict=True):
            calls = [self.ranks[m].actions[at] for m, at in zip(members, places, strict=True)]
            operations = {s[1] for s in calls}
            if len(operations) > 1:
                text = f"ranks are in different collectives: {', '.join(sorted(operations))}"
                raise ApetError(errors.Incomplete(None, None, self.name, text))
            roots = max(s[2] for s in calls)
            self._bounded(calls[0][1], len(members))
            actions = collective_actions(calls[0][1], roots, [s[3] for s in calls], [s[4] for s in calls])
            for number, (m, at) in enumerate(zip(members, places, strict=True)):
                self.ranks[m].actions[at] = None if actions is None else actions[number]
                if members != self.all and actions is not None:
                    groups[m][at] = members

    def _bounded(self, operation: str, number: int) -> None:
        """What the ranks tell each other in an alltoallv is a table of all pairs."""
        self.cells += number**2 if operation.startswith("ALLTOALL") and operation != "ALLTOALL" else 0
        if self.cells > MOST_CELLS:
            text = f"there are {operation}s of too many ranks: {MOST_CELLS:,} pairs in all can be read"
            raise ApetError(errors.Incomplete(None, None, self.name, text))


class _Rank:
    """One rank's actions in the making."""

    def __init__(
        self,
        number: int,
        rate: float,
        communicators: Mapping[int, tuple[int, ...]],
        offsets: Mapping[int, int],
        size: int,
    ) -> None:
        """`offsets` are those of the tags of communicators; `size` is the number of all ranks."""
        self.number, self.rate, self.communicators = number, rate, communicators
        self.offsets, self.size = offsets, size
        self.actions: list[Any] = []
        self.collectives: dict[int, list[int]] = {}
        self.depth = 0
        self.last: tuple[float, int | None] | None = None
        self.sends: dict[int, Action] = {}
        self.receives: dict[int, int] = {}
        self.region = ""
        self.began = 0

    def take(self, event: Event) -> None:
        """Take in one event."""
        kind = event[0]
        if kind in ("enter", "leave"):
            if event[2].startswith("MPI_"):
                (self.enter if kind == "enter" else self.leave)(*event[1:])
            elif self.last is None:
                self.last = event[1], event[3]
        else:
            getattr(self, kind)(*event[1:])

    def enter(self, seconds: float, region: str, counted: int | None) -> None:
        if self.depth == 0:
            volume = 0 if self.last is None else self.volume(*self.last, seconds, counted)
            if volume > 0:
                self.actions.append(("compute", volume))
            self.region, self.began = region, len(self.actions)
        self.depth += 1

    def volume(self, since: float, before: int | None, seconds: float, counted: int | None) -> int:
        """What was computed between two dates; nothing where instructions are counted only from then on."""
        if counted is None:
            return round((seconds - since) * self.rate)
        return counted - before if before is not None else 0

    def leave(self, seconds: float, region: str, counted: int | None) -> None:
        self.depth = max(0, self.depth - 1)
        if self.depth == 0:
            self.last = seconds, counted
            if self.region in EXCHANGES:
                self.exchange()

    def exchange(self) -> None:
        """What one call sends and receives happens at once."""
        inside = {a[0]: a for a in self.actions[self.began :] if a}
        if len(self.actions) == self.began + 2 and inside.keys() == {"send", "recv"}:
            sent, received = inside["send"], inside["recv"]
            self.actions[self.began :] = [
                ("irecv", *received[1:]),
                ("isend", *sent[1:]),
                ("wait", self.number, sent[1], sent[2]),
                ("wait", received[1], self.number, received[2]),
            ]

    def envelope(self, partner: int, communicator: int, tag: int, size: int) -> tuple[int, int, int]:
        """The partner's world rank, a tag of its own for each communicator, and bytes."""
        members = self.communicators.get(communicator, ())
        world = members[partner] if partner < len(members) else partner
        if not 0 <= world < self.size:
            raise _Misplaced(f"there is no rank {partner} in this communicator")
        return world, tag + self.offsets.get(communicator, 0), size

    def send(self, *values: int) -> None:
        self.actions.append(("send", *self.envelope(*values)))

    def recv(self, *values: int) -> None:
        self.actions.append(("recv", *self.envelope(*values)))

    def isend(self, partner: int, communicator: int, tag: int, size: int, request: int) -> None:
        envelope = self.envelope(partner, communicator, tag, size)
        self.sends[request] = ("wait", self.number, envelope[0], envelope[1])
        self.actions.append(("isend", *envelope))

    def sent(self, request: int) -> None:
        if request in self.sends:
            self.actions.append(self.sends.pop(request))

    def posted(self, request: int) -> None:
        self.receives[request] = len(self.actions)
        self.actions.append(None)

    def irecv(self, partner: int, communicator: int, tag: int, size: int, request: int) -> None:
        envelope = self.envelope(partner, communicator, tag, size)
        at = self.receives.pop(request, -1)
        if at < 0:
            self.actions.append(("recv", *envelope))
            return
        self.actions[at] = ("irecv", *envelope)
        self.actions.append(("wait", envelope[0], self.number, envelope[1]))

    def cancelled(self, request: int) -> None:
        self.receives.pop(request, None)

    def collective(self, operation: str, communicator: int, root: int, sent: int, received: int) -> None:
        members = self.communicators.get(communicator, ())
        if root >= max(1, len(members)):
            raise _Misplaced(f"there is no rank {root} in this communicator")
        if len(members) > 1:
            self.collectives.setdefault(communicator, []).append(len(self.actions))
            self.actions.append(("collective", operation, root, sent, received))

    def finished(self, groups: Mapping[int, tuple[int, ...]]) -> tuple[list[Action], dict[int, tuple[int, ...]]]:
        """The actions that stayed, and the communicators by their new numbers."""
        actions, communicators = list[Action](), dict[int, tuple[int, ...]]()
        for at, action in enumerate(self.actions):
            if action is not None and action[0] != "collective":
                if at in groups:
                    communicators[len(actions)] = groups[at]
                actions.append(action)
        return actions, communicators
