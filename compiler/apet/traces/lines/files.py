"""The lines of a file, compressed or not."""

from __future__ import annotations

import errno
import gzip
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
FOLDED = "# apet folded trace "
"""How the first line of a folded trace begins; then comes the number of the version."""


def packed(name: str) -> bool:
    """Whether a file is compressed; `OSError` if it cannot be read again and again, as traces are."""
    if "\0" in name or not stat.S_ISREG(os.stat(name).st_mode):
        raise OSError(errno.EINVAL, "it is no regular file")
    with open(name, "rb") as probe:
        return probe.read(2) == b"\x1f\x8b"


def opened(name: str) -> IO[bytes]:
    """A file's bytes, unpacked; `OSError`, and while reading `EOFError` and `zlib.error`."""
    return gzip.open(name, "rb") if packed(name) else open(name, "rb")  # type: ignore[return-value]


FOREIGN = {
    r"(?:\s|//[^\n]*\n)*num_ranks\s+\d": "GOAL text",
    r"\x7f\x10\0\0\0\0\0\0": "GOAL as txt2bin makes it",
    r"(?:#[^\n]*\n)*MPI_\w+:": "a trace of liballprof",
    r"\s*\{[^\0]*\"traceEvents\"|\s*\{\s*\"schemaVersion\"": "a trace of PyTorch's profiler (Kineto)",
    r"[\x01-\x7f]\x0a[\x01-\x0f]\d+\.\d|\s*\{[^\0]*\"schema\"\s*:\s*\"[^\"]*[Cc]hakra": "an execution trace of Chakra",
    r"#Paraver \(": "a trace of Extrae",
}
"""What other tools' files begin with, and what they are."""
IMPORTED = "GOAL", "a trace of Extrae"


def refuse_foreign(name: str) -> None:
    """`ApetError` that names the format of a file that another tool has written."""
    try:
        with opened(name) as file:
            head = file.read(1 << 16).decode("latin-1")
    except (OSError, EOFError, zlib.error):
        return
    for begins, what in FOREIGN.items():
        if re.match(begins, head):
            advised = "'apet import' makes a trace of it" if what.startswith(IMPORTED) else "APET does not read it"
            _refuse(errors.ForeignTrace(None, None, name, what, advised))


def is_folded(name: str) -> bool:
    """Whether a file is a folded trace; not if it cannot be read."""
    try:
        with opened(name) as file:
            return file.read(len(FOLDED)) == FOLDED.encode()
    except (OSError, EOFError, zlib.error):
        return False


def plain_lines(name: str) -> Iterator[tuple[int, str]]:
    """Number and text of all lines that are neither empty nor a comment."""
    try:
        with gzip.open(name, "rt", encoding="utf-8") if packed(name) else open(name, encoding="utf-8") as file:
            for number, line in enumerate(iter(lambda: file.readline(LONGEST), ""), start=1):
                if len(line) == LONGEST:
                    _refuse(errors.UnreadableTrace(None, None, name, f"line {number} is longer than {LONGEST:,} bytes"))
                if not line.isspace() and line and not line.lstrip().startswith("#"):
                    yield number, line
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
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
