"""Reading an input file, whatever kind it is, or saying why it cannot be read.

Every file that a user names is read here, or by lines in `apet.traces.lines`: a device or a pipe without end stops at a
limit of bytes, not when memory is full.
"""

from __future__ import annotations

import os
from typing import IO

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Source

MOST_BYTES = 256 * 1024 * 1024
PORTION = 1024 * 1024


class UnreadableFile(Diagnostic):
    """A file that is missing, a directory, or not allowed to be read."""

    message = "cannot read {path}: {reason}"
    hint = "{advice_text}"
    advice_text = ""


class NotText(Diagnostic):
    """A file that is not UTF-8, or holds a null byte."""

    message = "{path} is not a {kind} (byte {offset})"
    hint = "a plain text file is wanted; is this the right one?{advice_text}"
    path: str
    offset: int
    kind: str = "UTF-8 text"
    advice_text: str = ""


class FileTooBig(Diagnostic):
    """A file beyond all use, or a device that never ends."""

    message = "{path} is larger than {megabytes} MiB"


def read_source(path: str | os.PathLike[str], most: int = MOST_BYTES) -> Source:
    """The text of a file as a `Source` named by the path as given; `ApetError` if it cannot be read as UTF-8."""
    name = os.fspath(path)
    return as_source(name, read_bytes(name, most))


def read_bytes(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """The content of a file; `ApetError` if it cannot be read or has more bytes than that."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            content = _read(file, most + 1)
    except (OSError, ValueError) as error:  # the latter for names that no file can have
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        near = _near(name) if isinstance(error, FileNotFoundError) else ""
        raise ApetError(UnreadableFile(None, None, name, reason, near)) from None
    return _within(name, content, most)


def read_stream(name: str, stream: IO[bytes], most: int = MOST_BYTES) -> bytes:
    """What a stream such as standard input holds, under the same limit."""
    return _within(name, _read(stream, most + 1), most)


def _within(name: str, content: bytes, most: int) -> bytes:
    if len(content) > most:
        raise ApetError(FileTooBig(None, None, name, most // 2**20))
    return content


def _read(file: IO[bytes], most: int) -> bytes:
    """The first bytes of a file; a single read would reserve the memory for `most` of them, however few there are."""
    parts = list[bytes]()
    while most > 0 and (part := file.read(min(most, PORTION))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def as_source(name: str, content: bytes) -> Source:
    """The bytes of a file as a text; `ApetError` unless they are UTF-8."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if b"\0" in content:
            raise ApetError(NotText(None, None, name, error.start)) from None
        line = content.count(b"\n", 0, error.start) + 1
        advice = f" Of another encoding (line {line:,}): iconv -f ISO-8859-1 -t UTF-8"
        raise ApetError(NotText(None, None, name, error.start, advice_text=advice)) from None
    if "\0" in text:
        raise ApetError(NotText(None, None, name, content.index(b"\0"), "text: it has a null byte"))

    return Source(name, text)


def _near(name: str) -> str:
    """Files of the same ending beside the one that is missing."""
    folder, base = os.path.split(name)
    try:
        ending = os.path.splitext(base)[1]
        beside = sorted(f for f in os.listdir(folder or ".") if ending and f.endswith(ending))
    except (OSError, ValueError):
        return ""
    return f"in that folder there are: {', '.join(beside[:6])}" if beside else ""
