"""Access logs of web servers as load over time: requests and response times by class and interval."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.queueing import errors
from apet.queueing.measured.load_tests import requests_of
from apet.queueing.measured.log_lines import LogLine, log_line
from apet.queueing.measured.time_fields import TimeField, time_field

ONE_CLASS, OTHERS = "requests", "other"
MOST_CLASSES = 12
MOST_INTERVALS = 100_000
WINDOWS = 10
"""Counts per interval that the index of dispersion rests on."""
ADVICE = 'a line is: host - - [10/Oct/2026:13:55:36 +0200] "GET / HTTP/1.1" 200 2326, and a time if you like; or JSON'


class Request(NamedTuple):
    """A line: its class, seconds since the first line, response time in seconds (None where there is none)."""

    name: str
    at: float
    seconds: float | None


@dataclass(frozen=True, slots=True)
class LoadInterval:
    """`begin` seconds after the first line: requests by class, and the sum of their response times in seconds (None
    where the log has none)."""

    begin: float
    requests: Mapping[str, int]
    seconds: Mapping[str, float] | None


@dataclass(frozen=True, slots=True)
class AccessLog:
    """Intervals of `length` seconds in order, which together are the whole log; the index of dispersion for counts
    within them, with its degrees of freedom; the field of response times, how many lines are no entries, and how many
    lack a time that others have."""

    length: float
    intervals: tuple[LoadInterval, ...]
    dispersion: float
    freedom: int
    skipped: int
    field: TimeField | None = None
    untimed: int = 0

    @property
    def is_bursty(self) -> bool:
        """Whether arrivals vary more or less than Poisson ones, for which the index is 1 +- sqrt(2 / freedom)."""
        return abs(self.dispersion - 1) > 3 * math.sqrt(2 / max(1, self.freedom))

    @property
    def classes(self) -> list[str]:
        """The names of classes, those with most requests first."""
        total: Counter[str] = Counter()
        for interval in self.intervals:
            total.update(interval.requests)
        return [name for name, _ in total.most_common()]


def read_access_log(
    sources: Sequence[Source], length: float, by: str = "", unit: str = "", field: str = ""
) -> AccessLog:
    """Intervals of about `length` seconds; classes by "path" (its first part) or "method", or one for all.

    `unit` is what times count: "us", "ms" or "s", and `field` names them; by default both are found. `ApetError` for
    other files.
    """
    lines, skipped = list[LogLine](), 0
    for source in sources:
        requests = requests_of(source)
        lines += requests or ()
        for text in source.text.splitlines() if requests is None else ():
            line = log_line(text)
            if line is not None:
                lines.append(line)
            elif text.strip().lstrip("\ufeff"):
                skipped += 1
    first_file, place = sources[0], Span(0, 1)
    if len(lines) <= skipped:
        reason = "most lines are no entries of an access log"
        raise ApetError(errors.NoMeasurements(first_file, place, reason, ADVICE))

    timed = time_field(lines, first_file, field, unit)
    start = min(line.at for line in lines)
    entries = [
        Request(_class(line.request, by), line.at - start, timed.seconds(line) if timed else None) for line in lines
    ]
    # Moments that are cut to seconds: the last one lasts until the next.
    whole = max(e.at for e in entries) + all(line.at.is_integer() for line in lines)
    number = round(whole / length)
    if number > MOST_INTERVALS:
        reason = f"more than {MOST_INTERVALS:,} intervals of {length:g} s"
        raise ApetError(errors.NoMeasurements(first_file, place, reason, "give a longer one: --interval 1h"))
    if not number:
        reason = f"less than one interval of {length:g} s"
        raise ApetError(errors.NoMeasurements(first_file, place, reason, "give a shorter one: --interval 10s"))

    intervals = _intervals(_fewer_classes(entries), whole / number, number)
    dispersion, freedom = _dispersion(entries, whole, length)
    untimed = sum(e.seconds is None for e in entries) if timed else 0
    return AccessLog(whole / number, intervals, dispersion, freedom, skipped, timed, untimed)


def _class(request: str, by: str) -> str:
    """The class of a request, as "GET /search/all?q=a HTTP/1.1"."""
    method, _, target = request.partition(" ")
    if by == "method":
        return method or ONE_CLASS
    if by != "path":
        return ONE_CLASS
    path = target.split(" ")[0].split("?")[0]
    return "/" + path.lstrip("/").split("/")[0]


def _fewer_classes(entries: list[Request]) -> list[Request]:
    """The most frequent classes, all others together."""
    frequent = {name for name, _ in Counter(e.name for e in entries).most_common(MOST_CLASSES)}
    return [e if e.name in frequent else e._replace(name=OTHERS) for e in entries]


def _intervals(entries: list[Request], length: float, number: int) -> tuple[LoadInterval, ...]:
    """All intervals, those without requests too."""
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    times: defaultdict[int, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    seconds = [e.seconds for e in entries if e.seconds is not None]
    usual = sum(seconds) / len(seconds) if seconds else 0.0
    for e in entries:  # a time that the server did not know, "-", is taken for the mean
        place = min(int(e.at // length), number - 1)
        counts[place][e.name] += 1
        times[place][e.name] += usual if e.seconds is None else e.seconds
    return tuple(LoadInterval(i * length, counts[i], times[i] if seconds else None) for i in range(number))


def _dispersion(entries: list[Request], whole: float, length: float) -> tuple[float, int]:
    """Variance over mean of counts in windows of whole seconds, about the mean of as many as an interval has: a drift
    of the load is no burst."""
    window = max(1, int(length / WINDOWS))
    counts = Counter(int(e.at // window) for e in entries)
    per_interval = max(1, int(length // window))
    number = int(whole // (window * per_interval))
    squares = mean = 0.0
    for rows in _rows(counts, per_interval, number):
        middle = sum(rows) / per_interval
        squares += sum((n - middle) ** 2 for n in rows)
        mean += middle / number
    freedom = number * (per_interval - 1)
    return (squares / freedom / mean if freedom and mean else 1.0), freedom


def _rows(counts: Mapping[int, int], per_interval: int, number: int) -> Iterator[list[int]]:
    for i in range(number):
        yield [counts.get(i * per_interval + j, 0) for j in range(per_interval)]
