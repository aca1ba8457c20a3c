"""The lines of a file, compressed or not."""

from __future__ import annotations

import errno
import gzip
import io
import lzma
import os
import re
import stat
import zlib
from collections.abc import Iterator
from typing import IO, NoReturn

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.traces.lines import errors
from apet.traces.lines.actions import MOST_RANKS

LONGEST = 1 << 24
"""Characters of a line; those of 100,000 ranks that tell each other different sizes have a few million."""
PACKED = {b"\x1f\x8b": gzip.open, b"\xfd7zXZ\0": lzma.open}
"""How compressed files begin, and what opens them."""
Output = IO[bytes] | gzip.GzipFile | lzma.LZMAFile
"""Where lines are written."""
DAMAGED = OSError, EOFError, zlib.error, lzma.LZMAError
"""What reading a file raises that is missing, damaged or cut off."""


def packed(name: str) -> bool:
    """Whether a file is compressed; `OSError` if it cannot be read again and again, as traces are."""
    return is_packed(_head(name))


def is_packed(head: bytes) -> bool:
    """Whether a file that begins so is compressed."""
    return head.startswith(tuple(PACKED))


def _head(name: str) -> bytes:
    if "\0" in name or not stat.S_ISREG(os.stat(name).st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    with open(name, "rb") as probe:
        return probe.read(max(map(len, PACKED)))


def opened(name: str) -> IO[bytes]:
    """A file's bytes, unpacked; `OSError`, while reading one of `DAMAGED`."""
    head = _head(name)
    opens = next((each for begins, each in PACKED.items() if head.startswith(begins)), open)
    return opens(name, "rb")  # type: ignore[operator, no-any-return]


FOREIGN = {
    r"# apet folded trace \d": (
        "a trace that an earlier version folded",
        "'apet export' of that version makes a trace of it; F.xz is as small",
    ),
}
"""What other tools' files begin with, what they are, and what to do."""


def refuse_foreign(name: str) -> None:
    """`ApetError` that names the format of a file that another tool has written."""
    try:
        with opened(name) as file:
            head = file.read(1 << 16).decode("latin-1")
    except DAMAGED:
        return
    for begins, (what, advised) in FOREIGN.items():
        if re.match(begins, head):
            _refuse(errors.ForeignTrace(None, None, name, what, advised))


def plain_lines(name: str) -> Iterator[tuple[int, str]]:
    """Number and text of all lines that are neither empty nor a comment."""
    try:
        with io.TextIOWrapper(opened(name), encoding="utf-8") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST), ""), start=1):
                if len(line) == LONGEST:
                    _refuse(errors.UnreadableTrace(None, None, name, f"line {number} is longer than {LONGEST:,} bytes"))
                if not line.isspace() and line and not line.lstrip().startswith("#"):
                    yield number, line
    except (EOFError, zlib.error, lzma.LZMAError, gzip.BadGzipFile) as error:
        _refuse(errors.Truncated(None, None, name, str(error)))
    except UnicodeDecodeError as error:
        _refuse(errors.UnreadableTrace(None, None, name, f"byte {error.start + 1} is not UTF-8"))
    except OSError as error:
        _refuse(errors.UnreadableTrace(None, None, name, error.strerror or str(error)))


def listed(name: str) -> list[str]:
    """The files that a list names; nothing if the file is a trace itself."""
    names = list[str]()
    for _, line in plain_lines(name):
        words = line.partition("#")[0].split()
        if len(words) != 1 or "\0" in words[0]:  # a name cannot hold that: it is a line, and what is wrong is said
            return []
        names.append(words[0])
        if len(names) > MOST_RANKS:
            return []
    folder = os.path.dirname(name)
    files = [os.path.join(folder, f) for f in names]
    missing = next((f for f in files if not os.path.exists(f)), None)
    if missing is not None:
        _refuse(errors.UnreadableTrace(None, None, name, f"it lists {missing}, which does not exist"))
    return files


def _refuse(error: Diagnostic) -> NoReturn:
    raise ApetError(error)
