"""Events of a log, one JSON object a line: what cannot be read is counted, and too much of it refused."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.read.containers import lines_of

MOST_BROKEN = 0.01
LATEST_MS = 1 << 43
"""Milliseconds since 1970 up to which a time is one: the year 2248."""
_NAME = re.compile(rb'\s*\{\s*"[Ee]vent"\s*:\s*"(?:[\w.$]*[.$])?(\w+)"')
Event = dict[str, Any]


class EventLines:
    """The events of files in turn that a reader wants, by name; iterate once, then ask for `notes`."""

    def __init__(self, path: str, files: Sequence[str], wanted: frozenset[str]) -> None:
        self.path, self.files, self.wanted = path, files, wanted
        self.lines, self.broken, self.first = 0, 0, 0
        self.half = False  # the last line is no event
        self.cut = list[str]()

    def events(self, take: Callable[[str, Event], None]) -> None:
        """Hand over all events; what `take` cannot use is a broken line. `ApetError` if that are too many."""
        for line in self._all_lines():
            self.lines += 1
            self.half = False
            if self.lines == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            name = _NAME.match(line)
            if name is not None and name[1].decode() not in self.wanted and line.rstrip().endswith(b"}"):
                continue

            try:
                event = json.loads(line)
                kind = str(event.get("Event") or event.get("event")).rpartition(".")[2].rpartition("$")[2]
                if kind in self.wanted:
                    take(kind, event)
            except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
                self._count()

        broken = self.broken - self.half
        if broken > max(1, MOST_BROKEN * self.lines) or self.broken == self.lines > 0:
            raise ApetError(errors.BrokenLog(None, None, self.path, self.broken, self.lines, self.first))

    def _all_lines(self) -> Iterator[bytes]:
        for file in self.files:
            yield from (line for line in lines_of(file, self.cut) if not line.isspace())

    def _count(self) -> None:
        self.broken += 1
        self.first = self.first or self.lines
        self.half = True

    @property
    def notes(self) -> list[str]:
        """What a reader should know of the lines."""
        notes = []
        if broken := self.broken - self.half:
            notes.append(f"{broken} of {self.lines} lines are no events; they were left out")
        if self.half or self.cut:
            notes.append("the log ends in the middle of an event")
        return notes


def whole_ms(value: object) -> int:
    """A time or duration in milliseconds; `ValueError` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < LATEST_MS:
        raise ValueError("no time")
    return value
