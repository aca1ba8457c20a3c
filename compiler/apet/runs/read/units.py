"""Units of time in headings and cells: `t [ms]`, `time_us`, `1.5 ms`."""

from __future__ import annotations

import re

SECONDS = {
    "ns": 1e-9,
    "nsec": 1e-9,
    "us": 1e-6,
    "µs": 1e-6,
    "μs": 1e-6,
    "usec": 1e-6,
    "ms": 1e-3,
    "msec": 1e-3,
    "s": 1.0,
    "sec": 1.0,
    "secs": 1.0,
    "second": 1.0,
    "seconds": 1.0,
    "min": 60.0,
    "m": 60.0,
    "h": 3600.0,
}
_WITH_UNIT = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([a-zA-Zµμ]*)\s*")
_HEADING = re.compile(r"(.*?)\s*(?:\[\s*([^\]]*?)\s*\]|\(\s*([^)]*?)\s*\)|_(ns|us|ms|s|sec|min|h))?\s*")


def split_heading(heading: str) -> tuple[str, str]:
    """Name and unit of a column: `t [ms]`, `time (ms)` and `time_ms` give the same; the unit may be empty."""
    heading = " ".join(heading.split())  # blanks in a row would be tried in all ways
    match = _HEADING.fullmatch(heading)
    if match is None:
        return heading.strip(), ""
    return match[1], match[2] or match[3] or match[4] or ""


def number_and_unit(text: str) -> tuple[float, str] | None:
    """The number and the unit of a cell, None if it is neither."""
    match = _WITH_UNIT.fullmatch(text)
    return (float(match[1]), match[2]) if match else None


def of_curve(unit: str) -> float | None:
    """Seconds in the unit of a curve, `s`, `ms` or `threads/ms`; 1 where none is named; None where it is no time.

    What follows the unit (`s per step`) says what is timed, and does not matter.
    """
    if not unit.strip():
        return 1.0
    last = unit.rpartition("/")[2].split()
    return SECONDS.get(last[0]) if last else 1.0
