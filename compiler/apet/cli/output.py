"""Where results go: standard output, or a file that appears only when it is complete."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from typing import NoReturn, TextIO

from apet.cli.errors import CannotWrite
from apet.ground.diagnostics import ApetError, visible
from apet.ground.whole_files import write_whole

PLAIN = {"…": "...", "·": "-", "≤": "<=", "≥": ">=", "µ": "u", "×": "x", "–": "-", "—": "-", "≈": "~"}
before_writing: list[Callable[[], None]] = []
"""What has to leave the terminal before something is written there."""
other_names: dict[str, str] = {}
"""What to write in place of paths that nobody named: those of temporary files."""
COLORS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "hint": "\x1b[36m"}
FOREIGN = "backslashreplace"
"""What becomes of bytes of file names that are no UTF-8: they are written as `\\udcff`."""


def show(text: str) -> None:
    """Print a result, ending in one newline."""
    _write(sys.stdout, text if text.endswith("\n") else text + "\n")


def warn(text: str) -> None:
    """Print advice or an error; nothing where standard error is closed."""
    if sys.stderr is not None:
        _write(sys.stderr, text + "\n")


quiet = False
"""Whether the call wants neither advice nor progress."""


def advise(text: str) -> None:
    """Print advice or progress, unless the call is quiet."""
    if not quiet:
        warn(text)


def width() -> int:
    """Columns to write in: the terminal's, between 60 and 160, or 100 where there is none."""
    if sys.stdout is None:
        return 100
    try:
        columns = os.get_terminal_size(sys.stdout.fileno()).columns
    except (OSError, ValueError):
        return 100
    return min(max(columns, 60), 160)


def write_result(text: str, path: str | None) -> None:
    """Print a result, or write it to a file."""
    if path is None or path == "-":
        show(text)
        return
    data = (text if text.endswith("\n") else text + "\n").encode("utf-8", FOREIGN)
    write_file(path, lambda temporary: _write_bytes(temporary, data))


def write_lines(path: str, lines: Iterable[str]) -> None:
    """Write lines to a file, one after the other."""

    def write(temporary: str) -> None:
        with open(temporary, "w", encoding="utf-8", errors=FOREIGN) as file:
            file.writelines(lines)

    write_file(path, write)


def check_writable(path: str | None) -> None:
    """`ApetError` where a file of this path cannot be made; asked before the work begins."""
    if path is None or path == "-":
        return
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        _refuse(path, "it is a directory", "give the name of a file")
    if not os.path.isdir(folder):
        _refuse(path, f"there is no directory {folder}", f"make it first: mkdir -p {folder}")
    if not os.access(folder, os.W_OK) or (os.path.exists(path) and not os.access(path, os.W_OK)):
        _refuse(path, "permission denied", "")


def write_file(path: str, write: Callable[[str], object]) -> None:
    """Let `write` make a file next to the target, then rename it; a failure leaves the target as it was."""
    check_writable(path)
    if os.path.exists(path) and not os.path.isfile(path):
        _directly(path, write)
        return

    try:
        write_whole(path, write)
    except OSError as error:
        _refuse(path, error.strerror or str(error), "")


def _directly(path: str, write: Callable[[str], object]) -> None:
    """A device or pipe cannot be replaced."""
    try:
        write(path)
    except OSError as error:
        _refuse(path, error.strerror or str(error), "")


def _write_bytes(path: str, data: bytes) -> None:
    with open(path, "wb") as file:
        file.write(data)


def _write(stream: TextIO | None, text: str) -> None:
    if stream is None:
        _refuse("standard output", "it is closed", "")
    for prepare in before_writing:
        prepare()
    for path, name in other_names.items():
        text = text.replace(path, name)

    try:
        stream.write(_for_terminal(text) if stream.isatty() else text)
    except UnicodeEncodeError:
        for fine, plain in PLAIN.items():
            text = text.replace(fine, plain)
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "replace").decode(encoding))
    except BrokenPipeError:
        raise
    except OSError as error:
        _refuse("standard output", error.strerror or str(error), "")


def _for_terminal(text: str) -> str:
    """Nothing that steers a terminal but our colours: of the words `error`, `warning` and `hint`."""
    text = visible(text, "\n\t")
    if os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb":
        return text
    import re

    labels = r"(?m)^((?:[^\s:]+:\d+:\d+: )?|  )(error|warning|hint)(?=: )"
    return re.sub(labels, lambda m: f"{m[1]}{COLORS[m[2]]}{m[2]}\x1b[0m", text)


def _refuse(path: str, reason: str, advice: str) -> NoReturn:
    raise ApetError(CannotWrite(None, None, path, reason, advice))
