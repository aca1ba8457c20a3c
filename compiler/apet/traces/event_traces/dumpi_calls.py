"""The events of MPI calls, from their arguments as DUMPI records them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from apet.traces.event_traces.events import Event
from apet.traces.event_traces.sizes import totals

SIZES = {
    1: "CHAR SIGNED_CHAR UNSIGNED_CHAR BYTE PACKED CHARACTER LOGICAL1 INTEGER1 LB UB INT8_T UINT8_T C_BOOL",
    2: "SHORT UNSIGNED_SHORT INTEGER2 INT16_T UINT16_T",
    4: "INT UNSIGNED UNSIGNED_INT FLOAT WCHAR LOGICAL INTEGER REAL INTEGER4 REAL4 INT32_T UINT32_T",
    6: "SHORT_INT",
    8: "LONG UNSIGNED_LONG LONG_LONG LONG_LONG_INT UNSIGNED_LONG_LONG DOUBLE DOUBLE_PRECISION COMPLEX INTEGER8 REAL8"
    " FLOAT_INT 2INT INT64_T UINT64_T COMPLEX8 2INTEGER 2REAL AINT OFFSET",
    12: "DOUBLE_INT LONG_INT",
    16: "LONG_DOUBLE DOUBLE_COMPLEX COMPLEX16 2DOUBLE_PRECISION REAL16 INTEGER16",
    20: "LONG_DOUBLE_INT",
}
BYTES = {f"MPI_{name}": size for size, names in SIZES.items() for name in names.split()}
"""Of the types that MPI names, on machines of 64 bits."""
VALUE = re.compile(r"(-?\d{1,18})")
NAMED = re.compile(r"\((\w+)")
STATUS = re.compile(r"bytes=(-?\d{1,18}), cancelled=\d+, source=(-?\d{1,9}), tag=(-?\d{1,9})")
COLLECTIVES = {
    "MPI_Barrier": "", "MPI_Bcast": "count", "MPI_Reduce": "count", "MPI_Allreduce": "count", "MPI_Scan": "count",
    "MPI_Exscan": "count", "MPI_Gather": "sendcount", "MPI_Gatherv": "sendcount", "MPI_Allgather": "sendcount",
    "MPI_Allgatherv": "sendcount", "MPI_Alltoall": "sendcount", "MPI_Alltoallv": "sendcounts",
    "MPI_Scatter": "recvcount", "MPI_Scatterv": "recvcount", "MPI_Reduce_scatter": "recvcounts",
    "MPI_Reduce_scatter_block": "recvcount",
}  # fmt: skip
"""By collective, the argument with the elements of a rank."""


class BadCall(ValueError):
    """Arguments that say too little."""


class PendingRequest(NamedTuple):
    """A request: its event, "isend" or "irecv", with all that is known when it begins."""

    event: Event
    persistent: bool


class Arguments:
    """The arguments of a call by name, as texts."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    def number(self, *names: str) -> int | None:
        """The first of these that is there: a number."""
        for name in names:
            if name in self.texts and (match := VALUE.match(self.texts[name])):
                return int(match[1])
        return None

    def needed(self, *names: str) -> int:
        """The same; `BadCall` where there is none."""
        value = self.number(*names)
        if value is None:
            raise BadCall(f"there is no {names[0]}")
        return value

    def numbers(self, *names: str) -> list[int]:
        """The numbers of an array, or a single one."""
        text = next((self.texts[name] for name in names if name in self.texts), "")
        return [int(each) for each in VALUE.findall(text.partition("{")[0])]

    def statuses(self) -> list[tuple[int, int, int]]:
        """Bytes, source and tag of each status."""
        text = next((self.texts[name] for name in ("status", "statuses") if name in self.texts), "")
        return [(int(m[1]), int(m[2]), int(m[3])) for m in STATUS.finditer(text)]


class RankCalls:
    """The calls of one rank in order: its types, requests and communicators."""

    def __init__(
        self,
        rank: int,
        communicators: Mapping[int, tuple[int, ...]],
        numbers: Mapping[int, int],
        types: Mapping[int, int],
    ) -> None:
        self.rank, self.communicators, self.numbers = rank, communicators, numbers
        self.types = dict(types)
        self.requests: dict[int, PendingRequest] = {}

    def events(self, name: str, arguments: Arguments) -> Iterator[Event]:
        """What a call does; `BadCall` where its arguments do not say it."""
        if name in COLLECTIVES:
            yield from self._collective(name, arguments)
        elif name in ("MPI_Sendrecv", "MPI_Sendrecv_replace"):
            yield from self._exchange(arguments)
        elif re.fullmatch(r"MPI_[BSR]?[Ss]end", name):
            yield from self._message("send", arguments)
        elif name == "MPI_Recv":
            yield from self._message("recv", arguments)

        elif re.fullmatch(r"MPI_I[bsr]?send|MPI_Irecv|MPI_(?:[BSR]?[Ss]end|Recv)_init", name):
            yield from self._begun(name, arguments)
        elif name in ("MPI_Start", "MPI_Startall"):
            for request in arguments.numbers("request", "requests"):
                if request in self.requests:
                    yield self._posted(request)
        elif name.startswith(("MPI_Wait", "MPI_Test")):
            yield from self._completed(name, arguments)

        elif name.startswith("MPI_Type_"):
            self._type(name, arguments)

    def _key(self, arguments: Arguments) -> int | None:
        """The communicator; None for one of this rank alone."""
        number = arguments.needed("comm")
        if number not in self.numbers and number != 3:
            raise BadCall(f"the ranks of communicator {number} are not known")
        return self.numbers.get(number)

    def _bytes(self, arguments: Arguments, counts: tuple[str, ...], types: tuple[str, ...]) -> int:
        """Elements times the bytes of their type."""
        count = sum(arguments.numbers(*counts))
        return count * self._size(arguments, *types) if count else 0

    def _size(self, arguments: Arguments, *names: str) -> int:
        text = next((arguments.texts[name] for name in names if name in arguments.texts), "")
        number, named = VALUE.match(text), NAMED.search(text)
        size = BYTES.get(named[1]) if named else None
        size = self.types.get(int(number[1])) if size is None and number else size
        if size is None:
            raise BadCall(f"the size of datatype {text or '?'} is not known")
        return size

    def _envelope(self, kind: str, arguments: Arguments, prefix: str = "") -> Event | None:
        """Partner, communicator, tag and bytes; None without a partner."""
        sends = kind.endswith("send")
        partner, tag = arguments.needed("dest" if sends else "source"), arguments.number(f"{prefix}tag", "tag")
        key = self._key(arguments)
        size = self._bytes(arguments, (f"{prefix}count", "count"), (f"{prefix}type", "datatype"))
        statuses = arguments.statuses()
        if not sends and statuses and kind == "recv":
            size, partner, tag = statuses[0]
        if key is None or tag is None or (partner < 0 and sends):
            return None
        return kind, partner, key, tag, size

    def _message(self, kind: str, arguments: Arguments, prefix: str = "") -> Iterator[Event]:
        event = self._envelope(kind, arguments, prefix)
        if event is not None:
            yield self._known(event)

    def _known(self, event: Event) -> Event:
        if event[1] < 0 or event[3] < 0:
            raise BadCall("a receive from any rank or with any tag has no status that says which")
        return event

    def _exchange(self, arguments: Arguments) -> Iterator[Event]:
        yield from self._message("send", arguments, "send")
        yield from self._message("recv", arguments, "recv")

    def _begun(self, name: str, arguments: Arguments) -> Iterator[Event]:
        event = self._envelope("isend" if "send" in name.lower() else "irecv", arguments)
        requests = arguments.numbers("request")
        if event is None or not requests:
            return
        self.requests[requests[0]] = PendingRequest(event, name.endswith("_init"))
        if not name.endswith("_init"):
            yield self._posted(requests[0])

    def _posted(self, request: int) -> Event:
        event = self.requests[request].event
        return (*event, request) if event[0] == "isend" else ("posted", request)

    def _completed(self, name: str, arguments: Arguments) -> Iterator[Event]:
        """The requests that are done, in their order; statuses are those of all, or of the ones that are done."""
        if arguments.number("flag") == 0:
            return
        requests, statuses = arguments.numbers("request", "requests"), arguments.statuses()
        if name.endswith(("any", "some")):
            indices = arguments.numbers("index", "indices")
            chosen = [requests[k] for k in indices if 0 <= k < len(requests)]
        else:
            chosen = requests

        for k, request in enumerate(chosen):
            pending = self.requests.get(request)
            if pending is None:
                continue
            if not pending.persistent:
                del self.requests[request]
            if pending.event[0] == "isend":
                yield "sent", request
                continue
            kind, partner, key, tag, size = pending.event
            if k < len(statuses) and len(statuses) == len(chosen):
                size, partner, tag = statuses[k]
            yield (*self._known((kind, partner, key, tag, size)), request)

    def _collective(self, name: str, arguments: Arguments) -> Iterator[Event]:
        key = self._key(arguments)
        if key is None:
            return
        members, counts = self.communicators[key], COLLECTIVES[name]
        kinds = {"s": "sendtype", "r": "recvtype", "c": "datatype"}
        sent = self._bytes(arguments, (counts,), (kinds[counts[0]], "datatype")) if counts else 0
        received = sent
        if name == "MPI_Alltoallv":
            received = self._bytes(arguments, ("recvcounts",), ("recvtype",))
        elif name == "MPI_Reduce_scatter":
            each = arguments.numbers("recvcounts")
            received = each[members.index(self.rank)] * self._size(arguments, "datatype") if each else 0

        operation = name.removeprefix("MPI_").upper()
        yield "collective", operation, key, self._root(arguments), *totals(operation, sent, received, len(members))

    def _root(self, arguments: Arguments) -> int:
        root = arguments.number("root")
        return -1 if root is None else root

    def _type(self, name: str, arguments: Arguments) -> None:
        """Keep the size of a new type, where its parts are of one known type."""
        new, count = arguments.number("newtype"), arguments.number("count")
        if new is None or "oldtype" not in arguments.texts:
            return
        try:
            each = self._size(arguments, "oldtype")
        except BadCall:
            return
        blocks = arguments.number("blocklength") or 1
        lengths = arguments.numbers("lengths", "blocklengths")
        self.types[new] = each * (sum(lengths) if lengths else (1 if count is None else count) * blocks)
