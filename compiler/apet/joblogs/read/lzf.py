"""LZF as compress-lzf writes it: chunks that begin with ZV, each whole or packed (T. Saloranta, "LZF format").

A chunk has 2 bytes of signature, its type, its length, and if packed the length of its content, both big-endian. In
packed chunks a byte below 32 is followed by so many plain bytes and one more; any other repeats what came before: its
upper three bits are the length less 2 (all set: the next byte is added), what is left and the next byte the distance
less 1.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO

MAGIC = b"ZV"
WHOLE, PACKED = 0, 1
LONGEST_PLAIN = 32
LONGER = 7


def lzf_chunks(file: IO[bytes]) -> Iterator[bytes]:
    """The content of all chunks in turn; `EOFError` where one is cut or damaged."""
    while head := file.read(5):
        if len(head) < 5 or head[:2] != MAGIC or head[2] not in (WHOLE, PACKED):
            raise EOFError("a chunk does not begin as it should")
        (length,) = struct.unpack(">H", head[3:])
        size = file.read(2) if head[2] == PACKED else b""
        content = file.read(length)
        if len(content) < length:
            raise EOFError("it ends in the middle of a block")
        yield content if head[2] == WHOLE else _unpacked(content, *struct.unpack(">H", size))


def _unpacked(content: bytes, size: int) -> bytes:
    result, place = bytearray(), 0
    try:
        while place < len(content):
            control = content[place]
            if control < LONGEST_PLAIN:
                result += content[place + 1 : place + 2 + control]
                place += 2 + control
                continue

            length = control >> 5
            if length == LONGER:
                place += 1
                length += content[place]
            distance = ((control & 0x1F) << 8 | content[place + 1]) + 1
            _repeat(result, distance, length + 2)
            place += 2
    except IndexError:
        raise EOFError("a chunk is damaged") from None

    if len(result) != size:
        raise EOFError("a chunk is damaged")
    return bytes(result)


def _repeat(result: bytearray, distance: int, length: int) -> None:
    """Append what lies so far back; it may reach into what is appended."""
    start = len(result) - distance
    if start < 0:
        raise IndexError
    period = result[start : start + length]
    result += (period * (length // len(period) + 1))[:length]
