"""Events of an OTF2 archive, from what `otf2-print -A` prints of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.source_files import read_source
from apet.traces.event_traces import errors
from apet.traces.event_traces.events import INSTRUCTIONS, Event, Recorded
from apet.traces.event_traces.source_lines import SourceLines, whole

_METRIC = re.compile(r'"([^"]+)" <\d+>; \w+; (\d+)')
_NUMBERED = re.compile(r"<(\d+)>")
_LINE = re.compile(r"([A-Z][A-Z_0-9]*) +(\d+) +(?:(\d+)(?: +|$))?(.*)")
_FIELD = re.compile(r"([A-Z#][A-Za-z #]*): (.*?)(?=, [A-Z#][A-Za-z #]*: |$)")


def read_printed(name: str) -> Recorded:
    """The events in a printed archive; `ApetError` at the first line that cannot be understood."""
    lines = SourceLines(read_source(name), "'otf2-print -A'")
    ranks, communicators, resolution = _definitions(lines)
    return Recorded(name, ranks, communicators, _events(lines, resolution), lines.wrong)


def _definitions(lines: SourceLines) -> tuple[dict[int, int], dict[int, tuple[int, ...]], float]:
    """Ranks by location, the members of communicators, and ticks per second."""
    ranks: dict[int, int] = {}
    groups: dict[int, tuple[int, ...]] = {}
    named: dict[int, int] = {}
    resolution = 1e9
    for line in lines:
        try:
            if line.startswith("GROUP ") and "Paradigm: MPI" in line:
                key, locations, members = _group(line)
                if locations:
                    ranks = {location: rank for rank, location in enumerate(members)}
                else:
                    groups[key] = members
            elif line.startswith("COMM ") and (match := re.search(r'Group: ".*?" <(\d+)>', line)):
                named[whole(line.split()[1])] = whole(match[1])
            elif line.startswith("CLOCK_PROPERTIES") and (match := re.search(r"Ticks per Seconds: (\d+)", line)):
                resolution = float(whole(match[1]))
                if not resolution:
                    raise ValueError("no ticks")
        except (ValueError, IndexError):
            raise lines.wrong(f"{line.split()[0]} is not as otf2-print writes it") from None

    for key, members in groups.items():
        if max(members, default=0) >= len(ranks) > 0:
            problem = f"group {key} names rank {max(members)}, but there are {len(ranks)}"
            raise ApetError(errors.BadEvent(lines.source, None, problem, lines.writer))
    return ranks, {key: groups.get(group, ()) for key, group in named.items()}, resolution


def _group(line: str) -> tuple[int, bool, tuple[int, ...]]:
    """The number of a group, whether it says where the ranks are, and its members, of which none may come twice."""
    head, _, rest = line.partition(" Member")
    locations = "Type: COMM_LOCATIONS" in head
    members = tuple(map(whole, _NUMBERED.findall(rest) if locations else re.findall(r'(\d+) \("', rest)))
    if len(set(members)) < len(members):
        raise ValueError("a member comes twice")
    return whole(head.split()[1]), locations, members


def _events(lines: SourceLines, resolution: float) -> Iterator[tuple[int, Event]]:
    counted: dict[int, int] = {}
    for line in lines:
        match = _LINE.match(line)
        if match is None or match[3] is None:
            continue

        kind = match[1]
        try:
            where, event = whole(match[2]), None
            if kind in ("ENTER", "LEAVE"):
                region = match[4].partition('"')[2].partition('"')[0]
                event = (kind.lower(), whole(match[3]) / resolution, region, counted.get(where))
            elif kind == "METRIC":
                counted.update((where, whole(value)) for name, value in _METRIC.findall(line) if name in INSTRUCTIONS)
            elif kind in FORMS:
                event = FORMS[kind](dict(_FIELD.findall(match[4].strip())))
        except (KeyError, ValueError, IndexError):
            raise lines.wrong(f"{kind} lacks what it needs") from None

        if event is not None:
            yield where, event


def _whole(fields: dict[str, str], *names: str) -> int:
    """A number, or the one in angle brackets behind a name."""
    for name in names:
        if name in fields:
            marked = _NUMBERED.search(fields[name])
            return whole(marked[1] if marked else fields[name].split()[0])
    raise KeyError(names[0])


def _partner(fields: dict[str, str], name: str) -> int:
    return whole(fields[name].split()[0])


def _message(kind: str, partner: str, request: bool) -> Callable[[dict[str, str]], Event]:
    def read(fields: dict[str, str]) -> Event:
        event_fields: tuple[Any, ...] = (
            kind,
            _partner(fields, partner),
            _whole(fields, "Communicator"),
            _whole(fields, "Tag"),
            _whole(fields, "Length"),
        )
        return (*event_fields, _whole(fields, "Request")) if request else event_fields

    return read


def _collective(fields: dict[str, str]) -> Event:
    root = fields.get("Root", "NONE").split()[0]
    return (
        "collective",
        fields["Operation"].strip(),
        _whole(fields, "Communicator"),
        whole(root) if root.isdecimal() else -1,
        _whole(fields, "Sent"),
        _whole(fields, "Received"),
    )


FORMS: dict[str, Callable[[dict[str, str]], Event]] = {
    "MPI_SEND": _message("send", "Receiver", False),
    "MPI_RECV": _message("recv", "Sender", False),
    "MPI_ISEND": _message("isend", "Receiver", True),
    "MPI_IRECV": _message("irecv", "Sender", True),
    "MPI_IRECV_REQUEST": lambda fields: ("posted", _whole(fields, "Request")),
    "MPI_ISEND_COMPLETE": lambda fields: ("sent", _whole(fields, "Request")),
    "MPI_REQUEST_CANCELLED": lambda fields: ("cancelled", _whole(fields, "Request")),
    "MPI_COLLECTIVE_END": _collective,
}
