"""What can be wrong with a trace."""

from __future__ import annotations

from apet.ground.diagnostics import Advisory, Diagnostic


class UnreadableTrace(Diagnostic):
    """A file that cannot be opened."""

    message = "cannot read {file}: {reason}"


class Truncated(Diagnostic):
    """A compressed file that ends early or is damaged."""

    message = "{file} is damaged or cut off: {reason}"
    hint = "copy it again; gzip -t and xz -t test files"


class BadLine(Diagnostic):
    """A line that is no action."""

    message = "{problem}"
    hint = "{advised}"


class MissingRank(Diagnostic):
    """A number between 0 and the greatest rank without a single line."""

    message = "{file} has nothing of rank {rank}, though ranks go up to {most}"
    hint = "one part of the trace may be missing"


class EmptyTrace(Diagnostic):
    """A trace without an action."""

    message = "{file} holds no action"
    hint = "lines read: RANK ACTION ARGUMENTS, for example: 0 send 1 0 1024"


class LacksSomething(Advisory):
    """A trace whose header names what is not in it."""

    message = "{file} lacks part of what the program did: {gap}"


class TakesForGranted(Advisory):
    """A trace that is not only what was recorded."""

    message = "{file} is not all recorded: {gap}"


class ForeignTrace(Diagnostic):
    """A file of another tool."""

    message = "{file} is {what}, no time-independent trace"
    hint = "{advised}"
