"""The lines of a text, one after the other, with the place of the last one for errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.ground.source_files import read_stream
from apet.traces.event_traces import errors
from apet.traces.lines.files import opened

MOST_DIGITS = 20
MOST_UNPACKED = 1 << 30
"""Bytes of a recording: with Python's objects of its events they take ten times that."""
GREATEST = 10**18
MISFITS = (ValueError, KeyError, TypeError, IndexError, AttributeError, OverflowError, RecursionError)
"""What is raised where content is not as it should be."""


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


def unpacked(name: str) -> bytes:
    """A recording as a whole, unpacked; `ApetError` where it has more bytes than can be held, `files.DAMAGED`."""
    with opened(name) as source:
        return read_stream(name, source, MOST_UNPACKED)


def date(value: Any) -> float:
    """A number of seconds or microseconds; `ValueError`."""
    number = float(value)
    if not abs(number) <= GREATEST:
        raise ValueError(f"there is no date {value}")
    return number


def duration(value: Any) -> float:
    """A number of microseconds that something takes; `ValueError`."""
    number = date(value)
    if number < 0:
        raise ValueError(f"nothing takes {value}")
    return number


def size(value: Any) -> int:
    """Bytes; `ValueError`."""
    number = int(value)
    if not 0 <= number <= GREATEST:
        raise ValueError(f"there is no size {value}")
    return number


def whole(text: str) -> int:
    """A number as archives have them, of 64 bits at most; `ValueError`."""
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise ValueError("no such number")
    return int(text)
