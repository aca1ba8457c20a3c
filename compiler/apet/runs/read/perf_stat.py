"""What `perf stat` writes: its text, CSV (`-x,`) and JSON lines (`-j`). Several runs in a file are repetitions.

The run time is the elapsed time. CSV and JSON hold it where `duration_time` was counted; else it is the clock of the
processors over how many of them were utilized, which perf writes next to it.
"""

from __future__ import annotations

import re
import statistics
from typing import NamedTuple

from apet.ground.source import Source, Span
from apet.runs.read.profile import ProfiledRun, broken

_CLOCKS = r"(?:task|cpu)-clock"
_TEXT = re.compile(r"^ *(\d+(?:[.,]\d+)?)(?: +\+- +[\d.,]{1,30})? +seconds time elapsed", re.MULTILINE)
_CSV = re.compile(
    rf"^(?P<value>\d{{1,30}}(?:[.,]\d{{1,30}})?)(?P<to>[,;\t|])(?:msec|ns)?(?P=to)(?P<event>duration_time|{_CLOCKS})(?::\w{{1,5}})?(?P=to)"
    r"(?P<rest>[^\n]{0,300})$",
    re.MULTILINE,
)
_JSON = re.compile(
    r'^\{"counter-value" : "(?P<value>[\d.,]{1,30})", "unit" : "\w{0,5}", '
    rf'"event" : "(?P<event>duration_time|{_CLOCKS})(?::\w{{1,5}})?", (?P<rest>[^\n]{{0,400}})$',
    re.MULTILINE,
)
_UTILIZED = re.compile(r"[,;\t|](\d{1,9}(?:[.,]\d{1,9})?)[,;\t|]CPUs utilized")
_UTILIZED_JSON = re.compile(r'"metric-value" : "?([\d.]{1,30})"?, "metric-unit" : "CPUs utilized"')
_STARTED = re.compile(r"^# started on ", re.MULTILINE)
_TITLE = re.compile(r"^ Performance counter stats for ([^\n]{1,2000}):\s*$", re.MULTILINE)
_COUNT = re.compile(rf"^[^\n#]{{0,100}}[,;\t|](?:msec|ns)[,;\t|](?:duration_time|{_CLOCKS})\b", re.MULTILINE)
NANOSECONDS, MILLISECONDS = 1e-9, 1e-3
LEAST_UTILIZED = 0.05
"""Written with three digits after the point: below, the elapsed time would be off by more than one per cent."""


class _Count(NamedTuple):
    """Seconds of a counted clock, whether they have elapsed, and how many processors were utilized."""

    seconds: float
    elapsed: bool
    utilized: float


def recognises(text: str) -> bool:
    """Whether a text is what perf stat writes."""
    return any(p.search(text) is not None for p in (_TITLE, _JSON, _COUNT))


def read(source: Source) -> ProfiledRun:
    """The elapsed seconds, the median where there are several runs."""
    commands = {_command(title[1]): title for title in _TITLE.finditer(source.text)}
    if len(commands) > 1:
        other = list(commands.values())[1]
        problem = "it holds runs of several commands: write one file for each, with n in its name"
        raise broken(source, "perf stat", problem, Span(other.start(1), other.end(1)))

    starts = [m.start() for m in _STARTED.finditer(source.text)] or [0]
    ends = [*starts[1:], len(source.text)]
    times = [_elapsed(source, start, end) for start, end in zip(starts, ends, strict=True)]
    return ProfiledRun(statistics.median(times), {})


def _command(title: str) -> str:
    return re.sub(r" \(\d+ runs\)$", "", title)


def _elapsed(source: Source, start: int, end: int) -> float:
    """Of one report."""
    text = source.text[start:end]
    written = _TEXT.search(text)
    if written:
        return _number(written[1])
    counts = [count for m in (*_CSV.finditer(text), *_JSON.finditer(text)) if (count := _count(m)) is not None]
    if not counts:
        place = _COUNT.search(text)
        problem = "it gives no time of the whole run: leave out -I, -A and --per-…"
        raise broken(source, "perf stat", problem, _span(start, place))

    elapsed = next((c.seconds for c in counts if c.elapsed), None)
    if elapsed is not None:
        return elapsed
    clock = counts[0]
    if clock.utilized < LEAST_UTILIZED:
        problem = "it does not give the elapsed time: add -e duration_time"
        raise broken(source, "perf stat", problem, _span(start, _CSV.search(text) or _JSON.search(text)))
    return clock.seconds / clock.utilized


def _count(match: re.Match[str]) -> _Count | None:
    elapsed = match["event"] == "duration_time"
    try:
        value = _number(match["value"])
        utilized = _UTILIZED.search(match["rest"]) or _UTILIZED_JSON.search(match["rest"])
        busy = _number(utilized[1]) if utilized else 0.0
    except ValueError:
        return None
    return _Count(value * (NANOSECONDS if elapsed else MILLISECONDS), elapsed, busy)


def _number(text: str) -> float:
    """With a point or, in some languages, a comma."""
    return float(text.replace(",", "."))


def _span(start: int, match: re.Match[str] | None) -> Span:
    return Span(start, start + 1) if match is None else Span(start + match.start(), start + match.end())
