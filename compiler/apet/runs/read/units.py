"""Units of what was measured, in headings, cells and names of metrics: `t [ms]`, `time_us`, `1.5 ms`, `12 ops/s`."""

from __future__ import annotations

import re
from typing import NamedTuple

TIME = "s"
SECONDS = {
    "ps": 1e-12, "ns": 1e-9, "nsec": 1e-9, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "usec": 1e-6, "ms": 1e-3, "msec": 1e-3,
    "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "min": 60.0, "m": 60.0, "h": 3600.0,
}  # fmt: skip
BASES = {"b": "B", "byte": "B", "bytes": "B", "flop": "flop", "flops": "flop", "j": "J", "joule": "J", "joules": "J",
         "w": "W", "watt": "W", "watts": "W", "wh": "Wh"}  # fmt: skip
"""Units of other metrics, in lower case; they have prefixes."""
PREFIXES = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "m": 1e-3, "u": 1e-6,
            "Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30}  # fmt: skip
KINDS = (
    (TIME, {"time", "times", "seconds", "second", "sec", "secs", "duration", "elapsed", "wall", "wallclock", "walltime",
            "runtime", "latency", "nanoseconds", "microseconds", "milliseconds"}),
    ("B", {"bytes", "byte", "memory", "rss", "footprint"}),
    ("J", {"energy", "joules", "joule"}),
    ("W", {"power", "watts", "watt"}),
    ("flop", {"flop", "flops"}),
)  # fmt: skip
"""Units by words in the name of a metric."""
NO_QUANTITY = frozenset(
    ("steps", "step", "stamp", "stamps", "variance", "ratio", "percent", "share", "count", "counts", "calls", "visits")
)
"""Words after which a name is that of a plain number, whatever else it says: `time_steps`, `runtime_variance`."""
_RATE = re.compile(r"(?:ops|op|iterations|items|iter)/(\w+)")
_PER = re.compile(r"(.+?)/(?:op|iter|iteration|call|ops|itr)")
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_WITH_UNIT = re.compile(rf"\s*({_NUMBER})\s*([a-zA-Zµμ]*)\s*")
_HEADING = re.compile(r"(.*?)\s*(?:\[\s*([^\]]*?)\s*\]|\(\s*([^)]*?)\s*\)|_(ns|us|ms|s|sec|min|h))?\s*")
_CLOCK = re.compile(
    r"(?:(?P<days>\d{1,6})-)?(?:(?P<hours>\d{1,3}):)?(?P<minutes>\d{1,3}):(?P<seconds>\d{1,2}(?:\.\d{1,9})?)"
)
_PARTS = re.compile(
    r"(?:(?P<days>\d{1,6})d)?\s*(?:(?P<hours>\d{1,4})h)?\s*(?:(?P<minutes>\d{1,4})m(?:in)?)?\s*"
    r"(?:(?P<seconds>\d{1,6}(?:\.\d{1,9})?)s)?"
)
_COMMA = re.compile(r"\s*([-+]?\d+),(\d+)((?:[eE][-+]?\d+)?\s*[a-zA-Zµμ]*\s*)")
_THOUSANDS = re.compile(r"(?<![\d.])(\d{1,3}(?:,\d{3})+)(?![\d,])")
DAY, HOUR, MINUTE = 86_400, 3_600, 60


class Measure(NamedTuple):
    """What a unit says: by how much values are multiplied, the unit that they then have (`s`, `B`, …, empty for plain
    numbers), and whether values are so many runs in it."""

    factor: float
    unit: str
    is_rate: bool = False

    def of(self, value: float) -> float:
        """A value in the unit; that of a rate, which is above 0, is the time of one run."""
        return self.factor / value if self.is_rate else self.factor * value


SECOND = Measure(1.0, TIME)


def measure(text: str) -> Measure | None:
    """What a unit means, as runners of benchmarks and tables write it: `ns`, `us/op`, `ops/s`, `KiB`, `allocs/op`;
    None where it is none that is known."""
    unit = text.strip()
    if rate := _RATE.fullmatch(unit):
        seconds = SECONDS.get(rate[1])
        return None if seconds is None else Measure(seconds, TIME, True)
    unit = per[1] if (per := _PER.fullmatch(unit)) else unit
    if unit in SECONDS:
        return Measure(SECONDS[unit], TIME)
    if unit.lower() in ("", "#", "allocs", "count", "counts", "calls", "1"):
        return Measure(1.0, "")
    for base, name in BASES.items():
        prefix = unit[: -len(base)]
        if unit.lower().endswith(base) and prefix in PREFIXES:
            return Measure(PREFIXES[prefix], name)
    return None


def of_metric(name: str) -> Measure:
    """The unit that the name of a metric shows: `time`, `wall_ms`, `bytes_sent`; a plain number where it shows none."""
    words = [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[µμ]s", split_heading(name)[0])]
    written = measure(split_heading(name)[1]) if split_heading(name)[1] else None
    if written is not None and written.unit:
        return written
    if not NO_QUANTITY & set(words):
        for unit, own in KINDS:
            if own & set(words):
                return Measure(1.0, unit)
    return Measure(1.0, "")


def split_heading(heading: str) -> tuple[str, str]:
    """Name and unit of a column: `t [ms]`, `time (ms)` and `time_ms` give the same; the unit may be empty."""
    heading = " ".join(heading.split())  # blanks in a row would be tried in all ways
    match = _HEADING.fullmatch(heading)
    if match is None:
        return heading.strip(), ""
    return match[1], match[2] or match[3] or match[4] or ""


def number_and_unit(text: str) -> tuple[float, str] | None:
    """The number and the unit of a cell, None if it is neither; a time of several parts (`1m10s`, `0:01:10`) is in
    seconds."""
    match = _WITH_UNIT.fullmatch(text)
    if match:
        return float(match[1]), match[2]
    seconds = of_parts(text)
    return None if seconds is None else (seconds, TIME)


def of_parts(text: str) -> float | None:
    """Seconds of `1h2m3.5s`, `1-02:03:04` or `2:03.5`; None for anything else."""
    text = text.strip()
    match = (_CLOCK.fullmatch(text) or _PARTS.fullmatch(text)) if text else None
    if match is None:
        return None
    days, hours, minutes = (float(match[part] or 0) for part in ("days", "hours", "minutes"))
    return days * DAY + hours * HOUR + minutes * MINUTE + float(match["seconds"] or 0)


def without_thousands(text: str) -> str:
    """A number as benchmark tools print it for people, without its commas: `1,234.5` is 1234.5."""
    return _THOUSANDS.sub(lambda match: match[1].replace(",", ""), text)


def with_point(cell: str) -> str:
    """A number of a decimal comma with a point instead, as long as it was; any other text as it is."""
    match = _COMMA.fullmatch(cell)
    return cell if match is None else cell.replace(",", ".", 1)


def of_curve(unit: str) -> float | None:
    """Seconds in the unit of a curve, `s`, `ms` or `threads/ms`; 1 where none is named; None where it is no time.

    What follows the unit (`s per step`) says what is timed, and does not matter.
    """
    if not unit.strip():
        return 1.0
    last = unit.rpartition("/")[2].split()
    return SECONDS.get(last[0]) if last else 1.0
