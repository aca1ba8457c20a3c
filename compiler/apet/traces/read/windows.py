"""A trace that is read as a replay needs it: some lines at a time, of the rank that has none left.

Merged traces are looked through once for where the lines of each rank are; a compressed one is unpacked on the way,
into memory while it is small, then into a temporary file. A list of files is read from all of them side by side.
"""

from __future__ import annotations

import os
import tempfile
from abc import ABC, abstractmethod
from array import array
from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from typing import IO, Any

from apet.core import library
from apet.traces.lines.actions import MOST_RANKS
from apet.traces.lines.files import DAMAGED, LONGEST, listed, opened, packed

BLOCK = 1 << 20
MOST_RUNS = 100_000
IN_MEMORY = 64 << 20
ALL_WINDOWS = 16 << 20
"""Bytes that the windows of all ranks have together, about."""
LEAST_WINDOW, MOST_WINDOW = 1 << 14, 1 << 18


class Windows(ABC):
    """Lines of a trace by rank; to be closed. `ranks` is their number."""

    def __init__(self) -> None:
        self.ranks = 0
        self.open = ExitStack()

    @abstractmethod
    def more(self, rank: int) -> tuple[bytes, Sequence[int]]:
        """Whole lines, of this rank if there are any, and ranks that have no more; one of `DAMAGED`."""

    def close(self) -> None:
        """Close all files."""
        self.open.close()

    @property
    def window(self) -> int:
        """Bytes to read at once."""
        return max(LEAST_WINDOW, min(MOST_WINDOW, ALL_WINDOWS // max(1, self.ranks)))


def windows(path: str | os.PathLike[str]) -> Windows | None:
    """The windows of a trace; None where it has to be read as a whole, or cannot be read."""
    name = os.fspath(path)
    lines: Windows | None = None
    try:
        files = listed(name)
        lines = _Listed(files) if files else _merged(name)
    except (*DAMAGED, ValueError):
        return None
    return lines


class _Listed(Windows):
    """One file per rank, in order."""

    def __init__(self, files: Sequence[str]) -> None:
        super().__init__()
        self.ranks = len(files)
        try:
            self.files: list[IO[bytes]] = [self.open.enter_context(opened(file)) for file in files]
        except OSError:
            self.close()
            raise

    def more(self, rank: int) -> tuple[bytes, Sequence[int]]:
        text = self.files[rank].read(self.window)
        text += self.files[rank].readline(LONGEST) if text else b""
        return text, () if text else (rank,)


def _merged(name: str) -> Windows | None:
    with ExitStack() as stack:
        file: IO[bytes] = stack.enter_context(opened(name))
        plain: Any = file
        if packed(name):
            plain = stack.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY))
        merged = _Merged(plain)
        if not merged.look_through(file):
            return None
        plain.seek(0)
        merged.open = stack.pop_all()
        return merged

    return None


class _Merged(Windows):
    """One file; by rank where its lines are, from byte to byte, as far as not yet read."""

    def __init__(self, plain: IO[bytes]) -> None:
        super().__init__()
        self.plain, self.core = plain, library()
        self.runs: dict[int, deque[tuple[int, int]]] = {}
        self.at = 0

    def look_through(self, file: IO[bytes]) -> bool:
        """Find the runs of lines of one rank; False where that is not possible."""
        rank = array("q", [-1])
        ranks, starts = (array("q", bytes(8 * MOST_RUNS)) for _ in range(2))
        runs: list[tuple[int, int]] = []
        before, rest = 0, b""
        while block := file.read(BLOCK):
            if self.plain is not file:
                self.plain.write(block)
            text = rest + block
            whole = text.rfind(b"\n") + 1
            rest = text[whole:]
            if len(rest) > LONGEST:
                return False
            if not self._note(text[:whole], before, rank, ranks, starts, runs):
                return False
            before += whole
        if not self._note(rest, before, rank, ranks, starts, runs):
            return False

        for (number, start), (_, stop) in zip(runs, [*runs[1:], (0, before + len(rest))], strict=True):
            self.runs.setdefault(number, deque()).append((start, stop))
        self.ranks = max(self.runs, default=-1) + 1
        return 0 < len(self.runs) == self.ranks < MOST_RANKS

    def _note(self, text: bytes, before: int, rank: Any, ranks: Any, starts: Any, runs: list[tuple[int, int]]) -> bool:
        number = int(self.core.apet_runs(text, len(text), rank, ranks, starts, MOST_RUNS - len(runs)))
        runs += [(ranks[k], before + starts[k]) for k in range(number)]
        return number >= 0

    def more(self, rank: int) -> tuple[bytes, Sequence[int]]:
        runs = self.runs[rank]
        if not runs:
            return b"", (rank,)
        start, stop = runs.popleft()
        if start != self.at:
            self.plain.seek(start)
        text = self.plain.read(min(self.window, stop - start))
        if start + len(text) < stop:
            text += self.plain.readline()
        self.at = start + len(text)
        if self.at < stop:
            runs.appendleft((self.at, stop))

        return text, ()
