"""Events of a Paraver trace (`.prv`), as Extrae writes it.

A line is a record: `2:…:TIME:TYPE:VALUE…` are events of a task, among them the begin and end of MPI calls, what a
collective moves, and counters; `3:…` is a message with the dates of its send and receive. To which call a message
belongs is not written: it is the one that its dates lie in. Nor is it written which request a wait is for: a receive
completes in the wait that its last date lies in, and sends at the waits that complete no receive.
"""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from apet.ground.source_files import read_source
from apet.traces.event_traces.events import Event, Recorded
from apet.traces.event_traces.sizes import totals
from apet.traces.event_traces.source_lines import SourceLines, whole
from apet.traces.trace import Gap

HEADER = re.compile(r"#Paraver \([^)]*\):(\d+)(_ns)?:\d+(?:\([\d,]*\))?:(\d+):(\d+)\(")
SUFFIX, NAMES = ".prv", ".pcf"
CALLS = (50000001, 50000002, 50000003)
SENT, RECEIVED, ROOT, COMMUNICATOR, INSTRUCTIONS = 50100001, 50100002, 50100003, 50100004, 42000050
WORLD = -1
"""The key of all tasks, to which messages belong, whose records name no communicator."""
FIRST = """Send Recv Isend Irecv Wait Waitall Bcast Barrier Reduce Allreduce Alltoall Alltoallv Gather Gatherv Scatter
Scatterv Allgather Allgatherv"""
VALUES = dict(enumerate(FIRST.split(), start=1)) | {30: "Scan", 31: "Init", 32: "Finalize", 33: "Bsend", 34: "Ssend"}
VALUES |= {35: "Rsend", 36: "Ibsend", 37: "Issend"}
VALUES |= {38: "Irsend", 39: "Test", 41: "Sendrecv", 42: "Sendrecv_replace", 59: "Waitany", 60: "Waitsome"}
VALUES |= {80: "Reduce_scatter", 123: "Start", 124: "Startall", 125: "Testall", 126: "Testany", 128: "Testsome"}
"""The names of calls that move something or wait, by Extrae's numbers, where no `.pcf` says them."""
EXCHANGES = ("Sendrecv", "Sendrecv_replace")
SENDING = {*EXCHANGES, "Send", "Bsend", "Ssend", "Rsend", "Isend", "Ibsend", "Issend", "Irsend"}
RECEIVING = {*EXCHANGES, "Recv", "Irecv", "Mrecv", "Imrecv"}
COLLECTIVES = {name.upper() for k, name in VALUES.items() if 7 <= k <= 18} | {"SCAN", "REDUCE_SCATTER", "EXSCAN"}


class Half(NamedTuple):
    """One side of a message: when it is posted and when it is done in ticks, the other task's rank, tag and bytes."""

    posted: int
    done: int
    partner: int
    tag: int
    size: int


@dataclass(slots=True)
class MpiCall:
    """An MPI call of a task: its dates in ticks, instructions counted at both, and what a collective says."""

    begin: int
    name: str
    counted: int | None
    end: int = 0
    counted_after: int | None = None
    values: dict[int, int] = field(default_factory=dict)

    @property
    def waits(self) -> bool:
        """Whether it may complete requests."""
        return self.name.startswith(("Wait", "Test"))


@dataclass(slots=True)
class Task:
    """What the file has of one task."""

    calls: list[MpiCall] = field(default_factory=list)
    sends: list[Half] = field(default_factory=list)
    receives: list[Half] = field(default_factory=list)
    values: dict[int, int] = field(default_factory=dict)  #: of the call that is under way
    open: MpiCall | None = None
    counted: int | None = None


def read_paraver(name: str) -> Recorded:
    """The events of a trace; names of calls come from the `.pcf` file next to it. `ApetError`."""
    lines = SourceLines(read_source(name), "Extrae")
    names = VALUES | _names(os.path.splitext(name)[0] + NAMES)
    records = iter(lines)
    head = HEADER.match(next(records, ""))
    if head is None or head[3] != "1":
        raise lines.wrong("no header of a Paraver trace of one application")

    tasks = [Task() for _ in range(min(whole(head[4]), len(lines.source.text)))]
    communicators = {WORLD: tuple(range(len(tasks)))}
    for line in records:
        try:
            _take(line.strip(), tasks, communicators, names)
        except (ValueError, IndexError):
            raise lines.wrong("no such record, or of no task") from None

    tick = 1e-9 if head[2] else 1e-6
    events = ((rank, event) for rank, task in enumerate(tasks) for event in _events(rank, task, communicators, tick))
    ranks = {rank: rank for rank in range(len(tasks))}
    ranks = ranks if any(task.calls for task in tasks) else {}
    return Recorded(name, ranks, communicators, events, lines.wrong, tuple(_gaps(tasks)))


def _gaps(tasks: Sequence[Task]) -> Iterator[Gap]:
    """Sends and receives without a record of their message: it was lost, or the partner was `MPI_PROC_NULL`."""
    for what, names, halves in (
        ("sends without a record", SENDING, [task.sends for task in tasks]),
        ("receives without a record", RECEIVING, [task.receives for task in tasks]),
    ):
        # Persistent requests are started by calls of other names, so that there may be more records than calls.
        lacking = [sum(c.name in names for c in t.calls) - len(own) for t, own in zip(tasks, halves, strict=True)]
        count = sum(max(0, lost) for lost in lacking)
        if count:
            yield Gap("left out", what, count)


def _names(path: str) -> dict[int, str]:
    """The names of MPI calls by value, from a `.pcf` file; none where there is no such file."""
    if not os.path.isfile(path):
        return {}

    names: dict[int, str] = {}
    types: list[int] = []
    for line in read_source(path).text.splitlines():
        words = line.split(None, 2)
        if len(words) == 1 and words[0] == "EVENT_TYPE":
            types = []
        elif len(words) == 3 and words[0].isdecimal() and words[1].isdecimal():
            types.append(int(words[1][:18]))
        elif len(words) >= 2 and words[1].startswith("MPI_") and words[0].isdecimal() and set(types) & set(CALLS):
            names[int(words[0][:18])] = words[1].removeprefix("MPI_")
    return names


def _take(line: str, tasks: list[Task], communicators: dict[int, tuple[int, ...]], names: dict[int, str]) -> None:
    """Take in one record; `ValueError`, `IndexError`."""
    kind, _, rest = line.partition(":")
    if kind == "c":
        _, key, _, *members = map(whole, rest.split(":"))
        communicators[key] = tuple(m - 1 for m in members)
        if not all(0 <= m < len(tasks) for m in communicators[key]):
            raise ValueError("no such task")

    elif kind == "2":
        _, _, task, thread, date, *pairs = map(whole, rest.split(":"))
        if thread == 1:
            _event(tasks[_rank(task, tasks)], date, dict(zip(pairs[::2], pairs[1::2], strict=True)), names)

    elif kind == "3":
        _, _, source, _, sent, away, _, _, target, _, posted, arrived, size, tag = map(whole, rest.split(":"))
        sender, receiver = _rank(source, tasks), _rank(target, tasks)
        tasks[sender].sends.append(Half(sent, away, receiver, tag, size))
        tasks[receiver].receives.append(Half(posted, arrived, sender, tag, size))


def _rank(task: int, tasks: list[Task]) -> int:
    if not 1 <= task <= len(tasks):
        raise ValueError("no such task")
    return task - 1


def _event(task: Task, date: int, values: dict[int, int], names: dict[int, str]) -> None:
    """Events of one moment: a call begins or ends, and what counters and collectives say then."""
    if INSTRUCTIONS in values:
        task.counted = (task.counted or 0) + values[INSTRUCTIONS]
    task.values |= {what: values[what] for what in (SENT, RECEIVED, ROOT, COMMUNICATOR) if what in values}

    for kind in CALLS:
        if values.get(kind, 0) > 0 and task.open is None:
            task.open = MpiCall(date, names.get(values[kind], "Other"), task.counted)
        elif values.get(kind) == 0 and task.open is not None:
            task.open.end, task.open.counted_after, task.open.values = date, task.counted, task.values
            task.calls.append(task.open)
            task.open, task.values = None, {}


def _events(rank: int, task: Task, communicators: dict[int, tuple[int, ...]], tick: float) -> Iterator[Event]:
    """The events of a task, call by call."""
    sends = deque(sorted(task.sends))
    posted = deque(sorted(enumerate(task.receives), key=lambda each: each[1].posted))
    sending, receiving = deque[int](), dict[int, Half]()
    for call in task.calls:
        yield "enter", call.begin * tick, f"MPI_{call.name}", call.counted
        while sends and sends[0].posted <= call.end:
            half = sends.popleft()
            if call.name.startswith(("I", "Start")):
                yield "isend", half.partner, WORLD, half.tag, half.size, len(sends)
                sending.append(len(sends))
            else:
                yield "send", half.partner, WORLD, half.tag, half.size

        while posted and posted[0][1].posted <= call.end:
            request, half = posted.popleft()
            if call.name.startswith(("I", "Start")):
                yield "posted", request
                receiving[request] = half
            else:
                yield "recv", half.partner, WORLD, half.tag, half.size

        if call.waits:
            yield from _completed(call, sending, receiving)
        if call.name.upper() in COLLECTIVES:
            yield _collective(rank, call, communicators)
        yield "leave", call.end * tick, f"MPI_{call.name}", call.counted_after


def _completed(call: MpiCall, sending: deque[int], receiving: dict[int, Half]) -> Iterator[Event]:
    """The requests that a wait is for, as far as dates tell."""
    complete = [request for request, half in receiving.items() if half.done <= call.end]
    for request in complete:
        half = receiving.pop(request)
        yield "irecv", half.partner, WORLD, half.tag, half.size, request
    if call.name in ("Waitall", "Testall"):
        while sending:
            yield "sent", sending.popleft()
    elif sending and not complete and call.name.startswith("Wait"):
        yield "sent", sending.popleft()


def _collective(rank: int, call: MpiCall, communicators: dict[int, tuple[int, ...]]) -> Event:
    key = call.values.get(COMMUNICATOR, WORLD)
    key = key if key in communicators else WORLD
    members, name = communicators[key], call.name.upper()
    sent, received = totals(name, call.values.get(SENT, 0), call.values.get(RECEIVED, 0), len(members))
    root = members.index(rank) if call.values.get(ROOT) == 1 and rank in members else -1
    return "collective", name, key, root, sent, received
