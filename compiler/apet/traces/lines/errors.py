"""What can be wrong with a trace."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Advisory, Diagnostic


class UnreadableTrace(Diagnostic):
    """A file that cannot be opened."""

    message: ClassVar[str] = "cannot read {file}: {reason}"
    file: str
    reason: str


class Truncated(Diagnostic):
    """A compressed file that ends early or is damaged."""

    message: ClassVar[str] = "{file} is damaged or cut off: {reason}"
    hint: ClassVar[str] = "copy it again; gzip -t tests a file"
    file: str
    reason: str


class BadLine(Diagnostic):
    """A line that is no action."""

    message: ClassVar[str] = "{problem}"
    hint: ClassVar[str] = "{advised}"
    problem: str
    advised: str


class MissingRank(Diagnostic):
    """A number between 0 and the greatest rank without a single line."""

    message: ClassVar[str] = "{file} has nothing of rank {rank}, though ranks go up to {most}"
    hint: ClassVar[str] = "one part of the trace may be missing"
    file: str
    rank: int
    most: int


class EmptyTrace(Diagnostic):
    """A trace without an action."""

    message: ClassVar[str] = "{file} holds no action"
    hint: ClassVar[str] = "lines read: RANK ACTION ARGUMENTS, for example: 0 send 1 0 1024"
    file: str


class UnfoldsTooLong(Diagnostic):
    """A folded trace that unfolds to more than fits into memory."""

    message: ClassVar[str] = "{file} unfolds to {actions:,} actions, too many to be read at once (at most {most:,})"
    hint: ClassVar[str] = "'apet trace replay' and 'apet trace fold' do not unfold it in memory"
    file: str
    actions: int
    most: int


class LacksSomething(Advisory):
    """A trace whose header names what is not in it."""

    message: ClassVar[str] = "{file} lacks part of what the program did: {gap}"
    file: str
    gap: str
