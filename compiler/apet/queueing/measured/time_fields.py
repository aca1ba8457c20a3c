"""Which field of an access log is the response time, and what it counts.

By its name, if servers are known to write such a one; else by what it holds: a number with a unit, decimals (seconds),
whole numbers. Of several decimals it is the longest in the mean, since a response includes what it waits for. Whole
numbers without a unit are microseconds if most of them are as long as a millisecond; else nobody can tell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from apet.ground.diagnostics import ApetError, nearest
from apet.ground.source import Source, Span
from apet.queueing import errors
from apet.queueing.measured.log_lines import LogLine

UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
NUMBER = re.compile(r"(\d{1,15}|\d{1,9}\.\d{1,12})(ns|us|µs|ms|s)?")
NAMES = {
    "request_time": "s",
    "rt": "s",
    "reqtime": "s",
    "response_time": "",
    "responsetime": "",
    "Ta_ms": "ms",
    "Duration": "ns",
    "duration": "",
    "latency": "",
    "elapsed": "",
    "took": "",
    "time_taken": "",
    "apptime": "s",
    "upstream_response_time": "s",
    "urt": "s",
}
"""Names that servers write by default or by custom, those of the whole response first, and what they count ("": as they
are written)."""
ENDINGS = {
    "_ns": "ns",
    "_us": "us",
    "_usec": "us",
    "_microsec": "us",
    "_ms": "ms",
    "_msec": "ms",
    "_s": "s",
    "_sec": "s",
}
SPELLED = {"ns": "nanoseconds", "us": "microseconds", "µs": "microseconds", "ms": "milliseconds", "s": "seconds"}
SHARE = 0.5
"""Of all lines in which a field is a number."""
MILLISECOND = 1000


class TimeField(NamedTuple):
    """A field, what its numbers count ("" where each says it), and how that is known."""

    name: str
    unit: str
    reason: str

    def seconds(self, line: LogLine) -> float | None:
        """The response time of a line; None where it has none."""
        match = NUMBER.fullmatch(line.fields.get(self.name, ""))
        return float(match[1]) * UNITS[match[2] or self.unit] if match else None

    def told(self) -> str:
        """The field and its unit, for a comment."""
        what = f"the field {self.name}" if not self.name.startswith("#") else f"field {self.name} after the size"
        return f"Response times: {what}, in {SPELLED.get(self.unit, 'units of their own')} ({self.reason})"


def time_field(lines: Sequence[LogLine], source: Source, name: str = "", unit: str = "") -> TimeField | None:
    """The field of response times; None for a log without. `name` and `unit` are what the user says.

    `ApetError` where there is no such field, or nobody can tell what it counts.
    """
    columns = _columns(lines)
    if name:
        if name not in columns:
            reason = f"no field '{name}' holds numbers{nearest(name, columns)}"
            advice = f"fields with numbers: {', '.join(columns) or 'none'}"
            raise ApetError(errors.NoMeasurements(source, Span(0, 1), reason, advice))
        return _with_unit(name, columns[name], source, unit)
    known = [field for field in (*NAMES, *(n for n in columns if _ending(n))) if field in columns]
    if known:
        return _with_unit(known[0], columns[known[0]], source, unit)

    timed = [n for n, row in columns.items() if row[0].units]
    decimal = [n for n, row in columns.items() if any("." in one.text for one in row)]
    places = [n for n in columns if n.startswith("#")]
    for some in (timed, decimal):
        if some:
            longest = max(some, key=lambda n: sum(one.seconds for one in columns[n]) / len(columns[n]))
            return _with_unit(longest, columns[longest], source, unit)
    return _with_unit(places[-1], columns[places[-1]], source, unit) if places else None


class _Cell(NamedTuple):
    text: str
    units: str

    @property
    def seconds(self) -> float:
        return float(self.text) * UNITS[self.units or "s"]


def _columns(lines: Sequence[LogLine]) -> dict[str, list[_Cell]]:
    """Fields that are numbers in most lines, in their order."""
    columns: dict[str, list[_Cell]] = {}
    for line in lines:
        for name, value in line.fields.items():
            match = NUMBER.fullmatch(value)
            if match:
                columns.setdefault(name, []).append(_Cell(match[1], match[2] or ""))
    return {name: row for name, row in columns.items() if len(row) > SHARE * len(lines)}


def _ending(name: str) -> str:
    return next((unit for end, unit in ENDINGS.items() if name.lower().endswith(end)), "")


def _with_unit(name: str, row: Sequence[_Cell], source: Source, asked: str) -> TimeField:
    if asked:
        return TimeField(name, asked, "as --time-unit says")
    if row[0].units:
        return TimeField(name, row[0].units, "as written")
    by_name = NAMES.get(name) or _ending(name)
    if by_name:
        return TimeField(name, by_name, "by its name")
    if any("." in one.text for one in row):
        return TimeField(name, "s", "decimals")

    middle = median(float(one.text) for one in row)
    if middle < MILLISECOND:
        reason = f"half of the response times are {middle:g} or less, and nothing says of what"
        advice = "name their unit: --time-unit us (%D of Apache), ms (%D of Tomcat 9), or s (%T)"
        raise ApetError(errors.NoMeasurements(source, Span(0, 1), reason, advice))
    return TimeField(name, "us", "whole numbers; else say --time-unit ms, or s")
