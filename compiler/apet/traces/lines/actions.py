"""The actions of a trace line: how its arguments are read, and turned into bytes."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from apet.traces.trace import ANY_SOURCE, ANY_TAG, WAIT_TAGS

Words = Sequence[str]
KINDS = frozenset(WAIT_TAGS.values())
MOST_RANKS = 1_000_000
MOST_BYTES = 10**18
"""The greatest whole number, and bytes of one action, as in the core."""
MOST_VOLUME = 1e100
"""Flops or seconds of one action, so that sums of them are finite; as in the core."""
PARTNERS = {
    **dict.fromkeys(("send", "isend", "ssend", "issend", "recv", "irecv"), (1,)),
    "sendrecv": (2, 4),
    "bcast": (2,),
    "reduce": (3,),
    "gather": (2,),
    "scatter": (2,),
    "gatherv": (3,),
    "scatterv": (2,),
}
PARTNERS |= {name: PARTNERS[name[1:]] for name in WAIT_TAGS if name[1:] in PARTNERS}
"""Where an action names another rank."""
_FIRST = (
    "8 4 1 2 8 4 1 8 1 1 2 4 8 8 16 4 1 1 2 4 8 1 2 4 8 8 16 32 8 8 8 16 16 8 8 8 16 16 4 4 8 16 8 16 16 4 2 4 8 16"
)
_LAST = {50: 32, 51: 1, 52: 8, 53: 16, 54: 32, 55: 0, 56: 0, 57: 1, 58: 8, 59: 8, -1: 0}
SIZES = dict(enumerate(map(int, _FIRST.split()))) | _LAST
"""Bytes of an element by datatype code."""


class Reader:
    """Reads the actions of one rank; its default datatype is what its `init` says (bytes, if it says nothing)."""

    def __init__(self, ranks: Callable[[], int], default: int = 1) -> None:
        self.default = default
        self.ranks = ranks

    def action(self, name: str, words: Words) -> tuple[Any, ...] | None:
        """An action with numbers, None for one that costs nothing; `ValueError` says what is wrong."""
        form = FORMS.get(name)
        if form is None:
            form = FORMS.get(name.lower())
            if form is None:
                raise UnknownAction(name)
        return form(self, words)

    def size(self, words: Words, count: int, code: int) -> int:
        """Bytes of the count at one position, by the datatype code at another (or the default)."""
        return _bytes(_whole(words, count) * self.datatype(words, code))

    def datatype(self, words: Words, at: int) -> int:
        """Bytes of one element."""
        if at >= len(words):
            return self.default
        code = _whole(words, at)
        if code not in SIZES:
            raise ValueError(f"there is no datatype {code}")
        return SIZES[code]

    def sizes(self, words: Words, at: int, each: int) -> list[int]:
        """Bytes by rank of as many counts as there are ranks."""
        number = self.ranks()
        if len(words) < at + number:
            raise ValueError(f"{len(words) - at} counts for {number} ranks")
        sizes = [_bytes(_whole(words, at + r) * each) for r in range(number)]
        _bytes(sum(sizes))
        return sizes


class UnknownAction(ValueError):
    """The name of no action."""


def _word(words: Words, at: int) -> str:
    if at >= len(words):
        raise ValueError(f"argument {at + 1} is missing")
    return words[at]


def _whole(words: Words, at: int) -> int:
    text = _word(words, at)
    try:
        value = int(text)
    except ValueError:
        value = _rounded(text)
    if abs(value) > MOST_BYTES:
        raise ValueError(f"argument {at + 1} is beyond {MOST_BYTES:,}")
    return value


def _rounded(text: str) -> int:
    value = _number(text)
    if value != int(value):
        raise ValueError(f"'{text}' is no whole number")
    return int(value)


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"'{text}' is no number") from None
    if not math.isfinite(value) or value < 0:
        raise ValueError(f"{text} should be finite and not negative")
    return value


def _volume(words: Words, at: int) -> float:
    """Flops or seconds."""
    value = _number(_word(words, at))
    if value > MOST_VOLUME:
        raise ValueError(f"{words[at]} is beyond {MOST_VOLUME:g}")
    return value


def _bytes(value: int) -> int:
    if value < 0:
        raise ValueError("a message has at least 0 bytes")
    if value > MOST_BYTES:
        raise ValueError(f"its bytes are beyond {MOST_BYTES:,}")
    return value


def _partner(words: Words, at: int) -> int:
    value = _whole(words, at)
    if value < 0:
        raise ValueError(f"there is no rank {value}")
    return value


def _source(words: Words, at: int) -> int:
    return ANY_SOURCE if _whole(words, at) == ANY_SOURCE else _partner(words, at)


def _root(words: Words, at: int) -> int:
    return _partner(words, at) if at < len(words) else 0


def _init(reader: Reader, words: Words) -> None:
    reader.default = 8 if words else 1


def _nothing(reader: Reader, words: Words) -> None:
    return


def _message(name: str) -> Callable[[Reader, Words], tuple[Any, ...]]:
    sends = name.endswith("send")
    partner = _partner if sends else _source

    def read(reader: Reader, words: Words) -> tuple[Any, ...]:
        size = reader.size(words, 2, 3) if sends else _received(reader, words, 2, 3)
        tag = _whole(words, 1)
        if tag < 0 and (tag != ANY_TAG or sends):
            raise ValueError(f"there is no tag {tag}")
        return (name, partner(words, 0), tag, size)

    return read


def _received(reader: Reader, words: Words, count: int, code: int) -> int:
    """Below 0: what the sender says."""
    value = _whole(words, count) * reader.datatype(words, code)
    _bytes(abs(value))
    return value


def _sendrecv(reader: Reader, words: Words) -> tuple[Any, ...]:
    sent, received = reader.size(words, 0, 4), _received(reader, words, 2, 5)
    return ("sendrecv", sent, _partner(words, 1), received, _partner(words, 3))


def _wait(reader: Reader, words: Words) -> tuple[Any, ...]:
    tag = _whole(words, 2)
    if tag in KINDS:  # SimGrid names partners that mean nothing
        return ("wait", ANY_SOURCE, ANY_SOURCE, tag)
    if _whole(words, 1) == ANY_SOURCE:
        raise ValueError(f"{tag} is the tag of no non-blocking collective")
    return ("wait", _source(words, 0), _partner(words, 1), tag)


def _begun(name: str) -> Callable[[Reader, Words], tuple[Any, ...]]:
    """A non-blocking collective: arguments as of the blocking one."""
    blocking = FORMS[name[1:]]

    def read(reader: Reader, words: Words) -> tuple[Any, ...]:
        return (name, *(blocking(reader, words) or ())[1:])

    return read


def _reduction(reader: Reader, words: Words) -> tuple[Any, ...]:
    return ("reduce", reader.size(words, 0, 3), _volume(words, 1), _root(words, 2))


def _everywhere(name: str) -> Callable[[Reader, Words], tuple[Any, ...]]:
    return lambda reader, words: (name, reader.size(words, 0, 2), _volume(words, 1))


def _gather(reader: Reader, words: Words) -> tuple[Any, ...]:
    return ("gather", reader.size(words, 0, 3), _root(words, 2))


def _scatter(reader: Reader, words: Words) -> tuple[Any, ...]:
    return ("scatter", reader.size(words, 0, 3), _root(words, 2))


def _pairs(name: str) -> Callable[[Reader, Words], tuple[Any, ...]]:
    return lambda reader, words: (name, reader.size(words, 0, 2))


def _gatherv(reader: Reader, words: Words) -> tuple[Any, ...]:
    after = 1 + reader.ranks()
    sizes = reader.sizes(words, 1, reader.datatype(words, after + 2))
    return ("gatherv", reader.size(words, 0, after + 1), sizes, _root(words, after))


def _allgatherv(reader: Reader, words: Words) -> tuple[Any, ...]:
    after = 1 + reader.ranks()
    return ("allgatherv", reader.size(words, 0, after), reader.sizes(words, 1, reader.datatype(words, after + 1)))


def _scatterv(reader: Reader, words: Words) -> tuple[Any, ...]:
    number = reader.ranks()
    sizes = reader.sizes(words, 0, reader.datatype(words, number + 2))
    if not any(sizes) and len(words) > number:  # not the root: what it receives itself
        sizes = [reader.size(words, number, number + 3)] * number
    return ("scatterv", sizes, _root(words, number + 1))


def _alltoallv(reader: Reader, words: Words) -> tuple[Any, ...]:
    number = reader.ranks()
    after = 2 * number + 2
    sent = reader.sizes(words, 1, reader.datatype(words, after))
    return ("alltoallv", sent, reader.sizes(words, number + 2, reader.datatype(words, after + 1)))


def _reducescatter(reader: Reader, words: Words) -> tuple[Any, ...]:
    number = reader.ranks()
    element = reader.datatype(words, number + 1)
    return ("reducescatter", reader.sizes(words, 0, element), _volume(words, number), element)


FORMS: dict[str, Callable[[Reader, Words], tuple[Any, ...] | None]] = {
    "init": _init,
    "finalize": _nothing,
    "comm_size": _nothing,
    "comm_split": _nothing,
    "comm_dup": _nothing,
    "location": _nothing,
    "test": _nothing,
    "compute": lambda reader, words: ("compute", _volume(words, 0)),
    "sleep": lambda reader, words: ("sleep", _volume(words, 0)),
    "send": _message("send"),
    "isend": _message("isend"),
    "ssend": _message("ssend"),
    "issend": _message("issend"),
    "recv": _message("recv"),
    "irecv": _message("irecv"),
    "sendrecv": _sendrecv,
    "wait": _wait,
    "waitall": lambda reader, words: ("waitall",),
    "waitany": lambda reader, words: ("waitany",),
    "waitsome": lambda reader, words: ("waitsome",),
    "barrier": lambda reader, words: ("barrier",),
    "bcast": lambda reader, words: ("bcast", reader.size(words, 0, 2), _root(words, 1)),
    "reduce": _reduction,
    "allreduce": _everywhere("allreduce"),
    "scan": _everywhere("scan"),
    "exscan": _everywhere("exscan"),
    "gather": _gather,
    "scatter": _scatter,
    "allgather": _pairs("allgather"),
    "alltoall": _pairs("alltoall"),
    "gatherv": _gatherv,
    "allgatherv": _allgatherv,
    "scatterv": _scatterv,
    "alltoallv": _alltoallv,
    "reducescatter": _reducescatter,
}
FORMS |= {name: _begun(name) for name in WAIT_TAGS}
