"""Events of an OTF2 archive, from what `otf2-print -A` prints of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.traces.otf2 import errors
from apet.traces.otf2.events import INSTRUCTIONS, Event, Recorded
from apet.traces.platform.hosts import read_text

_METRIC = re.compile(r'"([^"]+)" <\d+>; \w+; (\d+)')
MARK = "=== OTF2-PRINT ==="
_NUMBERED = re.compile(r"<(\d+)>")
_LINE = re.compile(r"([A-Z][A-Z_0-9]*) +(\d+) +(?:(\d+)(?: +|$))?(.*)")
_FIELD = re.compile(r"([A-Z#][A-Za-z #]*): (.*?)(?=, [A-Z#][A-Za-z #]*: |$)")


def read_printed(name: str) -> Recorded:
    """The events in a printed archive; `ApetError` at the first line that cannot be understood."""
    source = read_text(name)
    ranks, groups, known, resolution = _definitions(source.text)
    members = {key: groups.get(group, ()) for key, group in known.items()}
    return Recorded(name, ranks, members, _events(source, resolution))


def _definitions(text: str) -> tuple[dict[int, int], dict[int, tuple[int, ...]], dict[int, int], float]:
    ranks: dict[int, int] = {}
    groups: dict[int, tuple[int, ...]] = {}
    known: dict[int, int] = {}
    resolution = 1e9
    for line in text.splitlines():
        if line.startswith("GROUP ") and "Paradigm: MPI" in line:
            head, _, members = line.partition(" Member")
            key = int(head.split()[1])
            if "Type: COMM_LOCATIONS" in head:
                ranks = {int(location): rank for rank, location in enumerate(_NUMBERED.findall(members))}
            else:
                groups[key] = tuple(int(m) for m in re.findall(r'(\d+) \("', members))
        elif line.startswith("COMM "):
            found = re.search(r'Group: ".*?" <(\d+)>', line)
            if found:
                known[int(line.split()[1])] = int(found[1])
        elif line.startswith("CLOCK_PROPERTIES"):
            found = re.search(r"Ticks per Seconds: (\d+)", line)
            resolution = float(found[1]) if found else resolution

    return ranks, groups, known, resolution


def _events(source: Source, resolution: float) -> Iterator[tuple[int, Event]]:
    at = 0
    counted: dict[int, int] = {}
    for line in source.text.splitlines(keepends=True):
        found = _LINE.match(line)
        if found and found[3] is not None:
            where = int(found[2])
            if found[1] in ("ENTER", "LEAVE"):
                region = found[4].partition('"')[2].partition('"')[0]
                yield where, (found[1].lower(), int(found[3]) / resolution, region, counted.get(where))
            elif found[1] == "METRIC":
                counted.update((where, int(value)) for name, value in _METRIC.findall(line) if name in INSTRUCTIONS)
            elif found[1] in FORMS:
                try:
                    yield where, FORMS[found[1]](dict(_FIELD.findall(found[4].strip())))
                except (KeyError, ValueError, TypeError):
                    span = Span(at, at + len(line.rstrip()))
                    raise ApetError(errors.BadEvent(source, span, f"{found[1]} lacks what it needs")) from None
        at += len(line)


def _whole(fields: dict[str, str], *names: str) -> int:
    """A number, or the one in angle brackets behind a name."""
    for name in names:
        if name in fields:
            marked = _NUMBERED.search(fields[name])
            return int(marked[1]) if marked else int(fields[name].split()[0])
    raise KeyError(names[0])


def _partner(fields: dict[str, str], name: str) -> int:
    return int(fields[name].split()[0])


def _message(kind: str, partner: str, request: bool) -> Callable[[dict[str, str]], Event]:
    def read(fields: dict[str, str]) -> Event:
        found: tuple[Any, ...] = (
            kind,
            _partner(fields, partner),
            _whole(fields, "Communicator"),
            _whole(fields, "Tag"),
            _whole(fields, "Length"),
        )
        return (*found, _whole(fields, "Request")) if request else found

    return read


def _collective(fields: dict[str, str]) -> Event:
    root = fields.get("Root", "NONE").split()[0]
    return (
        "collective",
        fields["Operation"].strip(),
        _whole(fields, "Communicator"),
        int(root) if root.isdecimal() else -1,
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
