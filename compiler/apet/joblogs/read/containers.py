"""The bytes of a log, unpacked: gzip, zstd, LZF, Spark's LZ4 blocks and snappy framing.

What unpacks to far more than a log can is refused: a file is read as a stream, and never as a whole.
"""

from __future__ import annotations

import io
import os
import shutil
import struct
import subprocess
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, Any

from apet.ground.children import start
from apet.ground.diagnostics import ApetError
from apet.ground.source_files import UnreadableFile, as_source
from apet.joblogs import errors
from apet.joblogs.read import lzf

PORTION = 16_384
"""Bytes unpacked at once: even the worst of them become no more than the memory holds."""
LONGEST_MIB = 64
MOST_TIMES, FREE_BYTES = 400, 1 << 22
"""What is read of a file may unpack to so many times its size, or to so many bytes if that is more."""
GZIP, ZSTD, LZ4, SNAPPY = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"LZ4Block", b"\x82SNAPPY\x00"
HEAD = 65_536
_LZ4_HEADER = struct.Struct("<8sBIII")
_SNAPPY_HEADER = 16
STORED = 0x10
LARGEST_WINDOW = 1 << 27


def lines_of(path: str, cut: list[str]) -> Iterator[bytes]:
    """The lines of a file, unpacked, each with its end; `ApetError`. Where the file ends too early, the reason is added
    to `cut`."""
    longest, total, most = LONGEST_MIB << 20, 0, FREE_BYTES
    try:
        with open(path, "rb", buffering=0) as file, unpacked(file) as stream:
            for number, line in enumerate(iter(lambda: stream.readline(longest), b""), start=1):
                if len(line) == longest:
                    raise ApetError(errors.LongLine(None, None, path, number, LONGEST_MIB))

                total += len(line)
                if total > most:  # so that not all of what blows up is unpacked first
                    most = max(FREE_BYTES, MOST_TIMES * file.tell())
                    if total > most:
                        raise ApetError(errors.Overblown(None, None, path, MOST_TIMES))
                yield line
    except EOFError as error:
        if not total:
            raise ApetError(errors.DamagedLog(None, None, path, str(error))) from None
        cut.append(str(error))
    except (zlib.error, struct.error, ValueError) as error:
        raise ApetError(errors.DamagedLog(None, None, path, str(error))) from None
    except OSError as error:
        raise ApetError(UnreadableFile(None, None, path, error.strerror or str(error))) from None


def head_of(path: str) -> bytes:
    """The first bytes of a file, unpacked; nothing where it cannot be."""
    head = b""
    try:
        with open(path, "rb", buffering=0) as file, unpacked(file) as stream:
            # a `read` loses what comes before the end of a cut
            while len(head) < HEAD and (part := stream.read1(HEAD)):
                head += part
    except (EOFError, zlib.error, struct.error, ValueError, OSError, ApetError):
        pass
    return head


def text_of(path: str) -> str:
    """The whole text of a file that is one value or table, unpacked; `ApetError` where it is cut or no text."""
    cut = list[str]()
    content = b"".join(lines_of(path, cut))
    if cut:
        raise ApetError(errors.DamagedLog(None, None, path, cut[0]))
    return as_source(path, content).text


def packed_by_spark(path: str) -> bool:
    """Whether a file begins as only Java's LZ4 and snappy streams do, of which the library may be missing here."""
    try:
        with open(path, "rb") as file:
            return file.read(8).startswith((LZ4, SNAPPY))
    except OSError:
        return False


def unpacked(file: io.FileIO) -> io.BufferedReader:
    """The content of a file as a stream, whatever it is compressed with; `OSError` or `ApetError`."""
    head = file.read(8)
    file.seek(0)
    if head.startswith(GZIP):
        return _buffered(_gzip_pieces(file))
    if head.startswith(ZSTD):
        return _buffered(_zstd_pieces(file))
    if head.startswith(LZ4):
        return _buffered(_lz4_blocks(file, _library(file, "LZ4")))
    if head.startswith(SNAPPY):
        return _buffered(_snappy_chunks(file, _library(file, "snappy")))
    if head.startswith(lzf.MAGIC):
        return _buffered(lzf.lzf_chunks(file))
    return io.BufferedReader(file)


class _Chunks(io.RawIOBase):
    """A stream out of pieces."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces, self._rest = pieces, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._rest = piece
        count = min(len(buffer), len(self._rest))
        buffer[:count], self._rest = self._rest[:count], self._rest[count:]
        return count


def _buffered(pieces: Iterator[bytes]) -> io.BufferedReader:
    return io.BufferedReader(_Chunks(pieces), 1 << 20)


def _library(file: io.FileIO, codec: str) -> Any:
    try:
        import cramjam
    except ImportError:
        raise ApetError(errors.NeedsUnpacking(None, None, str(file.name), codec, "")) from None
    return cramjam


def _gzip_pieces(file: io.FileIO) -> Iterator[bytes]:
    """Members may follow each other. Unlike the library's reader, it hands over all that comes before a cut."""
    member, begun = zlib.decompressobj(31), False
    while part := file.read(PORTION):
        while part:
            yield member.decompress(part)
            begun, part = not member.eof, member.unused_data
            if member.eof:
                member = zlib.decompressobj(31)

    if begun:
        raise EOFError("it ends in the middle of a block")


def _zstd_pieces(file: io.FileIO) -> Iterator[bytes]:
    """By the library, or by the program of that name. Frames may follow each other, and the last one may be cut."""
    try:
        import zstandard
    except ImportError:
        yield from _by_program(file)
        return

    limits = zstandard.ZstdDecompressor(max_window_size=LARGEST_WINDOW)
    try:
        with limits.stream_reader(file, read_across_frames=True, closefd=False) as reader:
            while piece := reader.read(1 << 20):
                yield piece
    except zstandard.ZstdError as error:
        raise EOFError(str(error)) from None


def _by_program(file: io.FileIO) -> Iterator[bytes]:
    program = shutil.which("zstd")
    if program is None:
        otherwise = f", or unpack it: zstd -d {file.name}"
        raise ApetError(errors.NeedsUnpacking(None, None, str(file.name), "zstd", otherwise))

    process = start([program, "-dcq"], stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout is not None
    try:
        while piece := process.stdout.read(1 << 20):
            yield piece
        if process.wait():
            raise EOFError("zstd could not unpack all of it")
    finally:
        process.stdout.close()
        process.kill()
        process.wait()


def _lz4_blocks(file: io.FileIO, library: Any) -> Iterator[bytes]:
    """Blocks of lz4-java's LZ4BlockOutputStream: magic, token, packed and plain length, checksum, content."""
    while header := file.read(_LZ4_HEADER.size):
        magic, token, packed, plain, _ = _LZ4_HEADER.unpack(header)
        if magic != LZ4 or max(packed, plain) > LONGEST_MIB << 20:
            raise EOFError("a block does not begin as it should")
        content = _whole(file, packed)
        if token & 0xF0 == STORED:
            yield content
        elif plain:
            yield _checked(library, partial(library.lz4.decompress_block, content, output_len=plain))


def _snappy_chunks(file: io.FileIO, library: Any) -> Iterator[bytes]:
    """Chunks of snappy-java's SnappyOutputStream: a header of 16 bytes, then lengths (big-endian) and contents."""
    file.seek(_SNAPPY_HEADER)
    while head := file.read(4):
        if head == SNAPPY[:4]:  # streams may follow each other
            file.seek(_SNAPPY_HEADER - 4, os.SEEK_CUR)
            continue
        (length,) = struct.unpack(">I", head)
        if length > LONGEST_MIB << 20:
            raise EOFError("a chunk does not begin as it should")
        content = _whole(file, length)
        yield _checked(library, partial(library.snappy.decompress_raw, content))


def _checked(library: Any, unpack: Callable[[], Any]) -> bytes:
    try:
        return bytes(unpack())
    except library.DecompressionError as error:
        raise EOFError(str(error)) from None


def _whole(file: IO[bytes], length: int) -> bytes:
    content = file.read(length)
    if len(content) < length:
        raise EOFError("it ends in the middle of a block")
    return content
