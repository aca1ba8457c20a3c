"""Reading a trace: one merged file, a file that lists one file per rank, or either compressed by gzip.

Lines read `RANK ACTION ARGUMENTS`; `#` begins a comment. Counts by rank need the number of ranks, so that such lines
are understood when the whole trace has been read.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from apet.ground.diagnostics import ApetError, Diagnostic, nearest
from apet.ground.source import Source, Span
from apet.traces.fold.folded_reader import read_folded
from apet.traces.fold.unfolding import numbered_lines
from apet.traces.lines import errors
from apet.traces.lines.actions import FORMS, MOST_RANKS, PARTNERS, Reader, UnknownAction
from apet.traces.lines.communicators import inferred, parse_communicator
from apet.traces.lines.files import is_folded, listed, plain_lines
from apet.traces.trace import COLLECTIVES, Trace

MOST_ERRORS = 20
BY_RANK = frozenset(("gatherv", "allgatherv", "scatterv", "alltoallv", "reducescatter"))
BY_RANK |= {f"i{name}" for name in BY_RANK}


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """The trace in a file; `ApetError` with the first errors, at their lines."""
    name = os.fspath(path)
    collected = _Collected(name)
    for file in listed(name) or (name,):
        collected.read(file)
    return collected.trace()


def _lines(name: str) -> Iterator[tuple[int, str]]:
    """Number and text of all lines that are neither empty nor a comment; those that a folded trace stands for."""
    return numbered_lines(read_folded(name)) if is_folded(name) else plain_lines(name)


class _Collected:
    """The actions of all ranks as far as they were read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.file = name
        self.actions: list[list[Any]] = []
        self.lines: list[list[int]] = []
        self.readers: list[Reader] = []
        self.communicators: list[dict[int, tuple[int, ...]]] = []
        self.files: list[str] = []
        self.seen: list[bool] = []
        self.later: list[tuple[int, int, str, int, str]] = []
        self.diagnostics: list[Diagnostic] = []

    def read(self, file: str) -> None:
        """Take in one file."""
        self.file = file

        for number, line in _lines(file):
            comment = ""
            if "#" in line:
                line, _, comment = line.partition("#")
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
            if comment and comment.lstrip().startswith("comm"):
                self.among(rank, number, line, comment)
            self.take(rank, number, words, line)
            if comment and comment.lstrip().startswith("request"):
                self.named(rank, number, line, comment)

    def among(self, rank: int, number: int, line: str, comment: str) -> None:
        """Note the communicator of the line's collective."""
        try:
            group = parse_communicator(comment)
        except ValueError as problem:
            self.wrong(number, line, 1, str(problem), "lines may end in: # comm 0,3,12-15")
            return
        if group is not None and rank not in group:
            self.wrong(number, line, 0, f"rank {rank} is not in its own communicator", "# comm lists all its ranks")
        elif group is not None:
            self.communicators[rank][len(self.actions[rank])] = group

    def named(self, rank: int, number: int, line: str, comment: str) -> None:
        """Note which of equal requests the line waits for."""
        words = comment.split()
        if len(words) != 2 or not words[1].isdecimal() or len(words[1]) > 9:
            self.wrong(number, line, 1, "which request is not said", "lines may end in: # request 1")
        elif self.actions[rank] and self.actions[rank][-1] is not None and self.actions[rank][-1][0] == "wait":
            self.actions[rank][-1] = (*self.actions[rank][-1], int(words[1]))

    def grow(self) -> None:
        self.actions.append([])
        self.lines.append([])
        self.seen.append(False)
        self.communicators.append({})
        self.files.append(self.file)
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
        """Note an error at a word of a line; after the first twenty, stop."""
        text = line.rstrip("\r\n")
        at = 0
        for _ in range(word):
            at += len(text[at:]) - len(text[at:].lstrip())
            at += len(text[at:].split(None, 1)[0])

        at += len(text[at:]) - len(text[at:].lstrip())
        length = len(text[at:].split(None, 1)[0]) if text[at:].split() else 1
        source = Source(self.file, "\n" * (number - 1) + text)
        self.diagnostics.append(
            errors.BadLine(source, Span(number - 1 + at, number - 1 + at + length), problem, advice)
        )
        if len(self.diagnostics) >= MOST_ERRORS:
            raise ApetError(self.diagnostics)

    def trace(self) -> Trace:
        """What was read, if nothing is wrong with it."""
        for rank, at, file, number, line in self.later:
            words, self.file = line.split(), file
            try:
                reader = self.readers[rank]
                if at in self.communicators[rank]:
                    reader = Reader(self.communicators[rank][at].__len__, reader.default)
                self.actions[rank][at] = reader.action(words[1], words[2:])
            except ValueError as problem:
                self.explain(number, line, words[1], problem)
        self.partners()
        self.members()
        for rank, seen in enumerate(self.seen):
            if not seen:
                most = len(self.seen) - 1
                self.diagnostics.append(errors.MissingRank(None, None, self.name, rank, most))
                break

        if not self.actions and not self.diagnostics:
            self.diagnostics.append(errors.EmptyTrace(None, None, self.name))
        if self.diagnostics:
            raise ApetError(self.diagnostics)

        groups = inferred(self.actions, self.communicators)
        named = tuple(map(os.path.basename, self.files))
        return Trace(os.path.basename(self.name), tuple(self.actions), tuple(self.lines), groups, named)

    def partners(self) -> None:
        """Note messages to or from ranks that there are not."""
        most = len(self.actions)
        for rank, actions in enumerate(self.actions):
            for at, action in enumerate(actions):
                if action is None or action[0] not in PARTNERS:
                    continue
                partner = max(action[k] for k in PARTNERS[action[0]])
                if partner >= most:
                    problem = f"{action[0]} names rank {partner}, but ranks go up to {most - 1}"
                    self.wrong(self.lines[rank][at], f"{rank} {action[0]} …", 1, problem, "is a part missing?")

    def members(self) -> None:
        """Note communicators of ranks that there are not, and those of actions that are no collectives."""
        most = len(self.actions)
        for rank, groups in enumerate(self.communicators):
            for at, group in groups.items():
                action = self.actions[rank][at] if at < len(self.actions[rank]) else None
                line = self.lines[rank][at] if at < len(self.lines[rank]) else 0
                if max(group) >= most and line:
                    self.wrong(line, f"{rank}", 0, f"its communicator names rank {max(group)}", "is a part missing?")
                if action is not None and action[0] not in COLLECTIVES:
                    text = f"{action[0]} is no collective: it has no communicator"
                    self.wrong(line, f"{rank} {action[0]}", 1, text, "leave out the comment")
