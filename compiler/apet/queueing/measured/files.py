"""Files of measurements, packed by gzip or not."""

from __future__ import annotations

import zlib

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.ground.source_files import MOST_BYTES, as_source, read_bytes
from apet.queueing import errors

PACKED = b"\x1f\x8b"


def read_plain(path: str) -> Source:
    """The text of a file; `ApetError` if it cannot be read, or would be larger than `MOST_BYTES`."""
    content = read_bytes(path)
    return as_source(path, unpacked(path, content) if content.startswith(PACKED) else content)


def unpacked(path: str, content: bytes, most: int = MOST_BYTES) -> bytes:
    """All members of a gzip file; of more than `most` bytes none."""
    parts, size = list[bytes](), 0
    try:
        while content:
            member = zlib.decompressobj(16 + zlib.MAX_WBITS)
            parts.append(member.decompress(content, most + 1 - size))
            size += len(parts[-1])
            if size > most or not member.eof:
                raise zlib.error(f"larger than {most // 2**20} MiB" if size > most else "it ends in the middle")
            content = member.unused_data
    except zlib.error as error:
        advice = "unpack it with gunzip to see"
        reason = f"gzip: {error}"
        raise ApetError(errors.NoMeasurements(Source(path, ""), Span(0, 0), reason, advice)) from None
    return b"".join(parts)
