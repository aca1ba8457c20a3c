"""Access logs of web servers, in the common or combined format, as load over time.

    host - - [10/Oct/2026:13:55:36 +0200] "GET /search?q=a HTTP/1.1" 200 2326 "referer" "agent" 5120

A last whole number is the response time in microseconds (`%D` of Apache), a last decimal is seconds (`$request_time` of
nginx); whole seconds (`%T`) must be asked for.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.queueing import errors

ENTRY = re.compile(
    r"[^\[]*\[(\d\d)/(\w{3})/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)\] "
    r'"((?:[^"\\]|\\.)*)" (?:\d{3}|-) (?:\d+|-)(.*)'
)
QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
NUMBER = re.compile(r"\d{1,15}|\d{1,9}\.\d{1,9}")
NAMES = "JanFebMarAprMayJunJulAugSepOctNovDec"
MONTHS = {NAMES[i : i + 3]: i // 3 + 1 for i in range(0, len(NAMES), 3)}
ONE_CLASS, OTHERS = "requests", "other"
MOST_CLASSES = 12
MOST_INTERVALS = 100_000
WINDOWS = 10
"""Counts per interval that the index of dispersion rests on."""
SHORTEST = 1e-4
"""Seconds that some response takes, unless whole numbers count milliseconds or seconds."""
ADVICE = 'a line is: host - - [10/Oct/2026:13:55:36 +0200] "GET / HTTP/1.1" 200 2326, and a time if you like'


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
    """Intervals of `length` seconds in order, without one that is cut short at the end; the index of dispersion for
    counts within them, with its degrees of freedom; and how many lines are no entries."""

    length: float
    intervals: tuple[LoadInterval, ...]
    dispersion: float
    freedom: int
    skipped: int

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


def read_access_log(source: Source, length: float, by: str = "", unit: str = "") -> AccessLog:
    """Intervals of `length` seconds; classes by "path" (its first part) or "method", or one for all.

    `unit` is what times count: "us", "ms" or "s"; by default as they are written. `ApetError` for other files.
    """
    entries, skipped = list[Request](), 0
    for line in source.text.splitlines():
        request = _request(line, by, unit)
        if request is not None:
            entries.append(request)
        elif line.strip():
            skipped += 1
    if len(entries) <= skipped:
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), "most lines are no entries of an access log", ADVICE))

    longest = max((e.seconds for e in entries if e.seconds is not None), default=1.0)
    if longest == 0 or (not unit and longest < SHORTEST):
        reason = f"no response time is above {longest * 1e6:g} microseconds"
        advice = "log them in finer units (%D of Apache, $request_time of nginx), or name theirs: --time-unit ms, or s"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), reason, advice))
    first = min(e.at for e in entries)
    entries = [e._replace(at=e.at - first) for e in entries]
    if max(e.at for e in entries) > MOST_INTERVALS * length:
        reason = f"more than {MOST_INTERVALS:,} intervals of {length:g} s"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), reason, "give a longer one: --interval 1h"))
    intervals = _intervals(_fewer_classes(entries), length)
    if not intervals:
        reason = f"less than one interval of {length:g} s"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), reason, "give a shorter one: --interval 10s"))
    dispersion, freedom = _dispersion(entries, length, len(intervals))
    return AccessLog(length, intervals, dispersion, freedom, skipped)


def _request(line: str, by: str, unit: str) -> Request | None:
    match = ENTRY.match(line)
    if not match or match[2] not in MONTHS:
        return None
    day, _, year, hour, minute, second, sign, east_hours, east_minutes, request, rest = match.groups()
    try:
        east = timedelta(hours=int(east_hours), minutes=int(east_minutes)) * (-1 if sign == "-" else 1)
        moment = datetime(
            int(year), MONTHS[match[2]], int(day), int(hour), int(minute), int(second), tzinfo=timezone(east)
        )
    except ValueError:
        return None

    words = QUOTED.sub(" ", rest).split()
    last = words[-1] if words and NUMBER.fullmatch(words[-1]) else ""
    scale = {"us": 1e-6, "ms": 1e-3, "s": 1.0}.get(unit, 1.0 if "." in last else 1e-6)
    return Request(_class(request, by), moment.timestamp(), float(last) * scale if last else None)


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


def _intervals(entries: list[Request], length: float) -> tuple[LoadInterval, ...]:
    """All whole intervals, those without requests too."""
    counts: defaultdict[int, Counter[str]] = defaultdict(Counter)
    times: defaultdict[int, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    seconds = [e.seconds for e in entries if e.seconds is not None]
    timed = len(seconds) * 2 > len(entries)
    usual = sum(seconds) / len(seconds) if timed else 0.0
    for e in entries:  # a time that the server did not know, "-", is taken for the mean
        place = int(e.at // length)
        counts[place][e.name] += 1
        times[place][e.name] += usual if e.seconds is None else e.seconds
    number = int((max(e.at for e in entries) + 1) // length)  # moments are cut to seconds
    return tuple(LoadInterval(i * length, counts[i], times[i] if timed else None) for i in range(number))


def _dispersion(entries: list[Request], length: float, number: int) -> tuple[float, int]:
    """Variance over mean of counts in windows, about the mean of their interval: a drift of the load is no burst."""
    window = max(1.0, length / WINDOWS)
    counts = Counter(int(e.at // window) for e in entries)
    per_interval = int(length // window)
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
