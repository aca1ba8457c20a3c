"""The lines of a text, one after the other, with the place of the last one for errors."""

from __future__ import annotations

from collections.abc import Iterator

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.traces.event_traces import errors

MOST_DIGITS = 20


class SourceLines:
    """The lines of a text that a program wrote; `span` is the place of the last one."""

    def __init__(self, source: Source, writer: str) -> None:
        self.source, self.writer = source, writer
        self.span = Span(0, 0)

    def __iter__(self) -> Iterator[str]:
        at = 0
        for line in self.source.text.splitlines(keepends=True):
            self.span = Span(at, at + len(line.rstrip()))
            yield line
            at += len(line)

    def wrong(self, problem: str) -> ApetError:
        """An error in the line that was taken last."""
        return ApetError(errors.BadEvent(self.source, self.span, problem, self.writer))


def whole(text: str) -> int:
    """A number as archives have them, of 64 bits at most; `ValueError`."""
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise ValueError("no such number")
    return int(text)
