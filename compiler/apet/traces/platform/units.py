"""Quantities as platform files write them: a number and a unit without blank (`1.25GBps`, `2us`, `1Gf`)."""

from __future__ import annotations

import math
import re

MOST_DIGITS = 18
_NUMBER = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([A-Za-z]*)\s*")
_DECIMAL = {"": 1.0, "k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15, "E": 1e18}
_BINARY = {"Ki": 2.0**10, "Mi": 2.0**20, "Gi": 2.0**30, "Ti": 2.0**40, "Pi": 2.0**50, "Ei": 2.0**60}
TIMES = {
    "": 1.0,
    "s": 1.0,
    "ps": 1e-12,
    "ns": 1e-9,
    "us": 1e-6,
    "ms": 1e-3,
    "m": 60.0,
    "h": 3600.0,
    "d": 86400.0,
    "w": 604800.0,
}
SPEEDS = {"": 1.0} | {prefix + "f": scale for prefix, scale in _DECIMAL.items()} | {"kf": 1e3}
BANDWIDTHS = (
    {"": 1.0}
    | {prefix + "Bps": scale for prefix, scale in (_DECIMAL | _BINARY).items()}
    | {prefix + "bps": scale / 8 for prefix, scale in (_DECIMAL | _BINARY).items()}
)
EXAMPLES = {"time": "2us", "speed": "1Gf", "bandwidth": "1.25GBps"}
_TABLES = {"time": TIMES, "speed": SPEEDS, "bandwidth": BANDWIDTHS}


def whole(text: str) -> int:
    """A whole number of at most 18 digits; `ValueError` for anything else."""
    if not text.strip().isdecimal() or len(text.strip()) > MOST_DIGITS:
        raise ValueError(f"'{text[:40]}' is no whole number of at most {MOST_DIGITS} digits")
    return int(text)


def quantity(text: str, kind: str) -> float:
    """Seconds, flops per second or bytes per second; `ValueError` says what is wrong. `kind` is "time", "speed" or
    "bandwidth"."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise ValueError("not a number with a unit")
    table = _TABLES[kind]
    if match[2] not in table:
        raise ValueError(f"'{match[2]}' is no unit of {kind}")
    value = float(match[1]) * table[match[2]]
    if not math.isfinite(value) or value < 0:
        raise ValueError("should be finite and not negative")
    return value
