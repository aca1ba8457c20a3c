"""Reading a trace: one merged file, a file that lists one file per rank, or either compressed by gzip or xz.

Lines read `RANK ACTION ARGUMENTS`; `#` begins a comment. Counts by rank need the number of ranks, so that such lines
are understood when the whole trace has been read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from apet.ground.activity import over
from apet.ground.diagnostics import ApetError, Diagnostic, nearest
from apet.ground.source import Source, Span
from apet.traces.lines import errors
from apet.traces.lines.actions import FORMS, MOST_RANKS, PARTNERS, Reader, UnknownAction
from apet.traces.lines.communicators import Communicator, inferred, parse_communicator
from apet.traces.lines.files import listed, plain_lines, refuse_foreign
from apet.traces.trace import COLLECTIVES, Trace

MOST_ERRORS = 20
BY_RANK = frozenset(("gatherv", "allgatherv", "scatterv", "alltoallv", "reducescatter"))
BY_RANK |= {f"i{name}" for name in BY_RANK}


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """The trace in a file; `ApetError` with the first errors, at their lines."""
    name = os.fspath(path)
    refuse_foreign(name)
    collected = _Collected(name)
    for file in over(listed(name) or (name,), "reading the trace", "files"):
        collected.read(file)
    return collected.trace()


class _RankLines:
    """What was read of one rank."""

    def __init__(self, file: str, reader: Reader) -> None:
        self.file, self.reader = file, reader
        self.actions: list[Any] = []
        self.lines: list[int] = []
        self.communicators: dict[int, Communicator] = {}


class _Collected:
    """The actions of all ranks as far as they were read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.file = name
        self.by_rank: dict[int, _RankLines] = {}
        self.most = -1
        self.later: list[tuple[_RankLines, int, str, int, str]] = []
        self.diagnostics: list[Diagnostic] = []

    @property
    def number(self) -> int:
        """How many ranks there are, as far as is known."""
        return self.most + 1

    def read(self, file: str) -> None:
        """Take in one file."""
        self.file = file

        for number, line in plain_lines(file):
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
            own = self.by_rank.get(rank) or self.begin(rank)
            if len(words) < 2:
                self.wrong(number, line, 0, "an action is missing", "lines read: RANK ACTION ARGUMENTS")
                continue
            if comment and comment.lstrip().startswith("comm"):
                self.among(rank, number, line, comment)
            self.take(own, number, words, line)
            if comment and comment.lstrip().startswith("request"):
                self.named(own, number, line, comment)

    def begin(self, rank: int) -> _RankLines:
        """The first line of a rank."""
        self.most = max(self.most, rank)
        own = self.by_rank[rank] = _RankLines(self.file, Reader(lambda: self.number))
        return own

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
            own = self.by_rank[rank]
            own.communicators[len(own.actions)] = group

    def named(self, own: _RankLines, number: int, line: str, comment: str) -> None:
        """Note which of equal requests the line waits for."""
        words = comment.split()
        if len(words) != 2 or not words[1].isdecimal() or len(words[1]) > 9:
            self.wrong(number, line, 1, "which request is not said", "lines may end in: # request 1")
        elif own.actions and own.actions[-1] is not None and own.actions[-1][0] == "wait":
            own.actions[-1] = (*own.actions[-1], int(words[1]))

    def take(self, own: _RankLines, number: int, words: list[str], line: str) -> None:
        name = words[1]
        if name in BY_RANK or name.lower() in BY_RANK:
            self.later.append((own, len(own.actions), self.file, number, line))
            own.actions.append(None)
            own.lines.append(number)
            return
        try:
            action = own.reader.action(name, words[2:])
        except ValueError as problem:
            self.explain(number, line, name, problem)
            return

        if action is not None:
            own.actions.append(action)
            own.lines.append(number)

    def explain(self, number: int, line: str, name: str, problem: ValueError) -> None:
        if isinstance(problem, UnknownAction):
            names = ", ".join(sorted(FORMS))
            self.wrong(number, line, 1, f"there is no action '{name}'{nearest(name, FORMS)}", f"actions: {names}")
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
        self.counts_by_rank()
        self.partners({rank: own.communicators for rank, own in self.by_rank.items()})
        self.members()
        missing = next((rank for rank in range(self.number) if rank not in self.by_rank), None)
        if missing is not None:
            self.diagnostics.append(errors.MissingRank(None, None, self.name, missing, self.most))
        if not self.by_rank and not self.diagnostics:
            self.diagnostics.append(errors.EmptyTrace(None, None, self.name))
        self.refuse()

        ranks = [self.by_rank[rank] for rank in range(self.number)]
        actions, named = [own.actions for own in ranks], [own.communicators for own in ranks]
        groups = inferred(actions, named)
        if groups != tuple(named):
            self.partners(dict(enumerate(groups)))
            self.refuse()
        files = tuple(os.path.basename(own.file) for own in ranks)
        return Trace(os.path.basename(self.name), tuple(actions), tuple(own.lines for own in ranks), groups, files)

    def refuse(self) -> None:
        """Stop if something is wrong."""
        if self.diagnostics:
            raise ApetError(self.diagnostics)

    def counts_by_rank(self) -> None:
        """Read the actions for which the number of ranks had to be known."""
        for own, at, file, number, line in self.later:
            words, self.file = line.split(), file
            reader = own.reader
            if at in own.communicators:
                reader = Reader(own.communicators[at].__len__, reader.default)
            try:
                own.actions[at] = reader.action(words[1], words[2:])
            except ValueError as problem:
                self.explain(number, line, words[1], problem)

    def partners(self, groups: Mapping[int, Mapping[int, Communicator]]) -> None:
        """Note messages to or from ranks that there are not, and roots that are in no communicator."""
        for rank, own in sorted(self.by_rank.items()):
            self.file = own.file
            for at, action in enumerate(own.actions):
                if action is None or action[0] not in PARTNERS:
                    continue
                partner = max(action[k] for k in PARTNERS[action[0]])
                group = groups[rank].get(at) if action[0] in COLLECTIVES else None
                if group is not None and partner >= len(group):
                    problem = f"{action[0]} names rank {partner}, but its communicator has {len(group)} ranks"
                    self.wrong(own.lines[at], f"{rank} {action[0]} …", 1, problem, "its ranks count from 0")
                elif partner >= self.number:
                    problem = f"{action[0]} names rank {partner}, but ranks go up to {self.most}"
                    self.wrong(own.lines[at], f"{rank} {action[0]} …", 1, problem, "is a part missing?")

    def members(self) -> None:
        """Note communicators of ranks that there are not, and those of actions that are no collectives."""
        for rank, own in sorted(self.by_rank.items()):
            self.file = own.file
            for at, group in own.communicators.items():
                action = own.actions[at] if at < len(own.actions) else None
                line = own.lines[at] if at < len(own.lines) else 0
                if max(group) > self.most and line:
                    self.wrong(line, f"{rank}", 0, f"its communicator names rank {max(group)}", "is a part missing?")
                if action is not None and action[0] not in COLLECTIVES:
                    text = f"{action[0]} is no collective: it has no communicator"
                    self.wrong(line, f"{rank} {action[0]}", 1, text, "leave out the comment")
