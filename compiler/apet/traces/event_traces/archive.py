"""Events of an OTF2 archive, by the Python package otf2. No other file knows it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.traces.event_traces import errors
from apet.traces.event_traces.events import INSTRUCTIONS, Event, Recorded


def read_archive(name: str) -> Recorded:
    """The events of an archive; `ApetError` if it cannot be read."""
    try:
        from otf2 import reader
    except ImportError:
        raise ApetError(errors.NoOtf2(None, None, name)) from None
    try:
        opened = reader.Reader(name)
    except Exception as error:
        raise _bad(name, " ".join(str(error).split())) from None

    ranks = _ranks(opened.definitions)
    communicators = {
        _key(c): tuple(ranks.get(_key(m), -1) for m in c.group.members or ())
        for c in opened.definitions.comms
        if hasattr(c, "group")
    }
    return Recorded(name, ranks, communicators, _events(opened, name), lambda problem: _bad(name, problem))


def _bad(name: str, reason: str) -> ApetError:
    return ApetError(errors.BadArchive(None, None, name, reason))


def _ranks(definitions: Any) -> dict[int, int]:
    """The rank of each location in MPI_COMM_WORLD."""
    for group in definitions.groups:
        if str(group.group_type).endswith("COMM_LOCATIONS") and str(group.paradigm).endswith(".MPI"):
            return {_key(location): rank for rank, location in enumerate(group.members)}
    return {}


def _key(definition: Any) -> int:
    return int(definition._ref)


def _events(opened: Any, name: str) -> Iterator[tuple[int, Event]]:
    resolution = float(opened.timer_resolution)
    counted: dict[int, int] = {}

    try:
        for location, event in opened.events:
            kind = type(event).__name__
            where = _key(location)
            if kind == "Metric":
                _count(event, where, counted)
            elif kind in ("Enter", "Leave"):
                yield where, (kind.lower(), event.time / resolution, event.region.name, counted.get(where))
            elif kind in FORMS:
                yield where, FORMS[kind](event)
    except Exception as error:
        raise _bad(name, " ".join(str(error).split())) from None
    finally:
        opened.close()


def _count(event: Any, where: int, counted: dict[int, int]) -> None:
    members: Any = getattr(event.metric, "members", None) or getattr(event.metric.metric_class, "members", ())
    for member, value in zip(members, event.values, strict=False):
        if member.name in INSTRUCTIONS:
            counted[where] = int(value)


def _message(kind: str, partner: str, request: bool) -> Callable[[Any], Event]:
    def read(event: Any) -> Event:
        event_fields = (kind, getattr(event, partner), _key(event.communicator), event.msg_tag, event.msg_length)
        return (*event_fields, event.request_id) if request else event_fields

    return read


def _collective(event: Any) -> Event:
    operation = str(event.collective_op).rpartition(".")[2]
    root = int(event.root)
    return (
        "collective",
        operation,
        _key(event.communicator),
        root if root < 1 << 31 else -1,
        event.size_sent,
        event.size_received,
    )


FORMS: dict[str, Callable[[Any], Event]] = {
    "MpiSend": _message("send", "receiver", False),
    "MpiRecv": _message("recv", "sender", False),
    "MpiIsend": _message("isend", "receiver", True),
    "MpiIrecv": _message("irecv", "sender", True),
    "MpiIrecvRequest": lambda event: ("posted", event.request_id),
    "MpiIsendComplete": lambda event: ("sent", event.request_id),
    "MpiRequestCancelled": lambda event: ("cancelled", event.request_id),
    "MpiCollectiveEnd": _collective,
}
