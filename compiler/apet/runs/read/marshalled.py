"""The part of Python's marshal format that profiles are written in, read within bounds.

`marshal.loads` crashes on tuples that hold themselves, and reserves whatever length a file names before it looks
whether so many bytes follow. Here lengths are compared with the rest of the file, objects nest only as deep as in a
profile, and a reference reaches only what has been read to its end, so that nothing holds itself.

The format is that of CPython's `Python/marshal.c`: a byte that names the type, then what belongs to it, little-endian.
Bit 7 of that byte enters the object in a table, to which `r` refers by number.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

_REFERABLE = 0x80
_INCOMPLETE = object()
"""Stands in the table for an object whose members are still being read."""
_LONG_DIGIT = 15
"""Bits in a digit of a long integer."""
_MOST_DIGITS = 8
_DEEPEST = 4
"""The key of a caller, in the dictionary of callers, in the row of a function, in the outer dictionary."""


class DamagedMarshal(ValueError):
    """Bytes that are not the dictionary of a profile."""


def entries(content: bytes) -> Iterator[tuple[object, object]]:
    """Keys and values of a marshalled dictionary; `DamagedMarshal` where the bytes hold anything else.

    Numbers, texts and tuples are handed over as they are, a dictionary within as None. Tuples may share members, so
    that walking them may take longer than reading them.
    """
    reader = _Reader(content)
    kind = reader.byte()
    if kind & ~_REFERABLE != ord("{"):
        raise DamagedMarshal
    if kind & _REFERABLE:
        reader.table.append(_INCOMPLETE)
    yield from reader.entries(1)


class _Reader:
    """A position in the bytes, and the table of objects that may be referred to."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0
        self.table: list[object] = []

    def entries(self, depth: int) -> Iterator[tuple[object, object]]:
        """Keys and values up to the mark that ends a dictionary."""
        while self._content[self._at : self._at + 1] != b"0":
            yield self._object(depth), self._object(depth)
        self._at += 1

    def byte(self) -> int:
        return self._bytes(1)[0]

    def _object(self, depth: int) -> object:
        """The next object, which is in so many others."""
        kind = self.byte()
        # An object has its number from its beginning, before its members have theirs.
        number = len(self.table)
        if kind & _REFERABLE:
            self.table.append(_INCOMPLETE)

        value = self._value(chr(kind & ~_REFERABLE), depth)
        if kind & _REFERABLE:
            self.table[number] = value
        return value

    def _value(self, kind: str, depth: int) -> object:
        match kind:
            case "N":
                return None
            case "r":
                return self._referred()
            case "i":
                return self._integer()
            case "l":
                return self._long()
            case "g":
                return struct.unpack("<d", self._bytes(8))[0]
            case "f":
                return _decimal(self._bytes(self.byte()))
            case "z" | "Z":
                return self._text(self.byte())
            case "a" | "A" | "u" | "t":
                return self._text(self._integer())
            case ")":
                return self._tuple(self.byte(), depth + 1)
            case "(":
                return self._tuple(self._integer(), depth + 1)
            case "{" if depth < _DEEPEST:
                for _ in self.entries(depth + 1):
                    pass
                return None
            case _:
                raise DamagedMarshal

    def _referred(self) -> object:
        number = self._integer()
        if not 0 <= number < len(self.table) or self.table[number] is _INCOMPLETE:
            raise DamagedMarshal
        return self.table[number]

    def _tuple(self, length: int, depth: int) -> tuple[object, ...]:
        # A member takes a byte or more, so that a length beyond the rest of the file is wrong.
        if depth > _DEEPEST or not 0 <= length <= len(self._content) - self._at:
            raise DamagedMarshal
        return tuple(self._object(depth) for _ in range(length))

    def _integer(self) -> int:
        return int.from_bytes(self._bytes(4), "little", signed=True)

    def _long(self) -> int:
        count = self._integer()
        if abs(count) > _MOST_DIGITS:
            raise DamagedMarshal
        digits = (int.from_bytes(self._bytes(2), "little") << _LONG_DIGIT * k for k in range(abs(count)))
        return sum(digits) if count >= 0 else -sum(digits)

    def _text(self, length: int) -> str:
        return self._bytes(length).decode("utf-8", "replace")

    def _bytes(self, count: int) -> bytes:
        taken = self._content[self._at : self._at + count]
        if count < 0 or len(taken) < count:
            raise DamagedMarshal
        self._at += count
        return taken


def _decimal(text: bytes) -> float:
    try:
        return float(text)
    except ValueError:
        raise DamagedMarshal from None
