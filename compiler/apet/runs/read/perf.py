"""The text of `perf report --stdio`: shares of an event by symbol, and the count of the event.

Times are known where the event is a clock (task-clock, cpu-clock), which counts nanoseconds.
"""

from __future__ import annotations

import re
from collections import defaultdict

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.runs.errors import OnlyShares
from apet.runs.read.profile import ProfiledRun, broken

_EVENT = re.compile(r"^#\s*Samples:.*?of events? '([^']*)'", re.MULTILINE)
_COUNT = re.compile(r"^#\s*Event count \(approx\.\):\s*(\d{1,18})\s*$", re.MULTILINE)
_CLOCK = re.compile(r"(?:task|cpu)-clock\b")
_ROW = re.compile(r"\s*(?:\d+(?:\.\d*)?%\s+)?(\d{1,3}(?:\.\d*)?)%\s+(.*\S)\s*")
NANOSECONDS = 1e-9


def recognises(text: str) -> bool:
    """Whether a text is a report of perf."""
    return _EVENT.search(text[:20_000]) is not None


def read(source: Source) -> ProfiledRun:
    """Seconds by symbol; of a report on several events, those of the first clock."""
    events = list(_EVENT.finditer(source.text))
    clock = next((k for k, event in enumerate(events) if _CLOCK.match(event[1])), None)
    if clock is None and events:
        raise ApetError(OnlyShares(source, Span(events[0].start(1), events[0].end(1)), events[0][1]))
    ends = [*(event.start() for event in events[1:]), len(source.text)]
    text = "" if clock is None else source.text[events[clock].start() : ends[clock]]
    count = _COUNT.search(text)
    if count is None or int(count[1]) == 0:
        raise broken(source, "perf", "it does not give the count of its event")

    total = int(count[1]) * NANOSECONDS
    functions = defaultdict[str, float](float)
    for line in text.splitlines():
        row = None if line.startswith("#") else _ROW.fullmatch(line)
        if row:
            name = " ".join(row[2].partition("[.]")[2].split() or row[2].partition("[k]")[2].split() or row[2].split())
            functions[name] += float(row[1]) / 100 * total
    if not functions:
        raise broken(source, "perf", "it lists no symbol with its share")
    return ProfiledRun(total, functions)
