"""Reading a trace: one merged file, a file that lists one file per rank, or either compressed by gzip.

Lines read `RANK ACTION ARGUMENTS`; `#` begins a comment. Counts by rank need the number of ranks, so that such lines
are understood when the whole trace has been read.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from typing import Any, NoReturn

from apet.analysis.traces import Trace
from apet.diagnostics import ApetError, Diagnostic, nearest
from apet.frontends.trace import errors
from apet.frontends.trace.actions import FORMS, Reader, UnknownAction
from apet.source import Source, Span

MOST_RANKS = 1_000_000
MOST_MISTAKES = 20
BY_RANK = frozenset(("gatherv", "allgatherv", "scatterv", "alltoallv", "reducescatter"))


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """The trace in a file; `ApetError` with the first mistakes found, at their lines."""
    name = os.fspath(path)
    listed = _listed(name)
    collected = _Collected(name)
    for file in listed or (name,):
        collected.read(file)
    return collected.trace()


def _listed(name: str) -> list[str]:
    """The files that a list names; nothing if the file is a trace itself."""
    found = list[str]()
    for _, line in _lines(name):
        words = line.split()
        if len(words) != 1:
            return []
        found.append(words[0])
        if len(found) > MOST_RANKS:
            return []
    folder = os.path.dirname(name)
    return [f if os.path.isabs(f) else os.path.join(folder, f) for f in found]


def _lines(name: str) -> Iterator[tuple[int, str]]:
    """Number and text of all lines that are not empty, without comments."""
    try:
        with open(name, "rb") as probe:
            packed = probe.read(2) == b"\x1f\x8b"
        with gzip.open(name, "rt", encoding="utf-8") if packed else open(name, encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                text = line.partition("#")[0] if "#" in line else line
                if not text.isspace() and text:
                    yield number, text
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        _refuse(errors.Truncated(None, None, name, str(error)))
    except UnicodeDecodeError as error:
        _refuse(errors.Unreadable(None, None, name, f"byte {error.start + 1} is not UTF-8"))
    except OSError as error:
        _refuse(errors.Unreadable(None, None, name, error.strerror or str(error)))


class _Collected:
    """The actions of all ranks as far as they were read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.file = name
        self.actions: list[list[Any]] = []
        self.lines: list[list[int]] = []
        self.readers: list[Reader] = []
        self.seen: list[bool] = []
        self.later: list[tuple[int, int, str, int, str]] = []
        self.mistakes: list[Diagnostic] = []

    def read(self, file: str) -> None:
        """Take in one file."""
        self.file = file
        for number, line in _lines(file):
            words = line.split()
            try:
                rank = int(words[0])
            except ValueError:
                self.wrong(number, line, 0, f"'{words[0]}' is no rank", "lines read: RANK ACTION ARGUMENTS")
                continue
            if not 0 <= rank < MOST_RANKS:
                self.wrong(number, line, 0, f"rank {rank} is not between 0 and {MOST_RANKS:,}", "ranks count from 0")
                continue
            while rank >= len(self.actions):
                self.grow()
            self.seen[rank] = True
            if len(words) < 2:
                self.wrong(number, line, 0, "an action is missing", "lines read: RANK ACTION ARGUMENTS")
                continue
            self.take(rank, number, words, line)

    def grow(self) -> None:
        self.actions.append([])
        self.lines.append([])
        self.seen.append(False)
        self.readers.append(Reader(lambda: len(self.actions)))

    def take(self, rank: int, number: int, words: list[str], line: str) -> None:
        name = words[1]
        if name in BY_RANK or name.lower() in BY_RANK:
            self.later.append((rank, len(self.actions[rank]), self.file, number, line))
            self.actions[rank].append(None)
            self.lines[rank].append(number)
            return
        try:
            action = self.readers[rank].action(name, words[2:])
        except ValueError as problem:
            self.explain(number, line, name, problem)
            return
        if action is not None:
            self.actions[rank].append(action)
            self.lines[rank].append(number)

    def explain(self, number: int, line: str, name: str, problem: ValueError) -> None:
        if isinstance(problem, UnknownAction):
            known = ", ".join(sorted(FORMS))
            self.wrong(number, line, 1, f"there is no action '{name}'{nearest(name, FORMS)}", f"actions: {known}")
        else:
            self.wrong(number, line, 1, f"{name}: {problem}", "docs/reference/trace-files.md lists all arguments")

    def wrong(self, number: int, line: str, word: int, problem: str, advice: str) -> None:
        """Note a mistake at a word of a line; after the first twenty, stop."""
        text = line.rstrip("\r\n")
        at = 0
        for _ in range(word):
            at += len(text[at:]) - len(text[at:].lstrip())
            at += len(text[at:].split(None, 1)[0])
        at += len(text[at:]) - len(text[at:].lstrip())
        length = len(text[at:].split(None, 1)[0]) if text[at:].split() else 1
        source = Source(self.file, "\n" * (number - 1) + text)
        self.mistakes.append(errors.BadLine(source, Span(number - 1 + at, number - 1 + at + length), problem, advice))
        if len(self.mistakes) >= MOST_MISTAKES:
            raise ApetError(self.mistakes)

    def trace(self) -> Trace:
        """What was read, if nothing is wrong with it."""
        for rank, at, file, number, line in self.later:
            words, self.file = line.split(), file
            try:
                self.actions[rank][at] = self.readers[rank].action(words[1], words[2:])
            except ValueError as problem:
                self.explain(number, line, words[1], problem)
        self.partners()
        for rank, seen in enumerate(self.seen):
            if not seen:
                most = len(self.seen) - 1
                self.mistakes.append(errors.MissingRank(None, None, self.name, rank, most))
                break
        if not self.actions and not self.mistakes:
            self.mistakes.append(errors.Empty(None, None, self.name))
        if self.mistakes:
            raise ApetError(self.mistakes)
        return Trace(os.path.basename(self.name), tuple(self.actions), tuple(self.lines))

    def partners(self) -> None:
        """Note messages to or from ranks that there are not."""
        most = len(self.actions)
        for rank, actions in enumerate(self.actions):
            for at, action in enumerate(actions):
                if action is not None and action[0] in ("send", "isend", "recv", "irecv") and action[1] >= most:
                    problem = f"{action[0]} names rank {action[1]}, but ranks go up to {most - 1}"
                    self.wrong(
                        self.lines[rank][at], f"{rank} {action[0]} {action[1]}", 2, problem, "is a part missing?"
                    )


def _refuse(mistake: Diagnostic) -> NoReturn:
    raise ApetError(mistake)
