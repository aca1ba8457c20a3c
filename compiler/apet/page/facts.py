"""Texts of machine models that pages and notebooks share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apet.ground.interval import Interval
from apet.show.times import single


def seconds(interval: Interval | None) -> str:
    """A time from its least to its greatest; nothing where there is none."""
    if interval is None:
        return ""
    low, high = single(float(interval.lo)), single(float(interval.hi))
    return low if low == high else f"{low} … {high}"


def flat(table: Mapping[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """The entries of a nested table by dotted keys."""
    pairs: list[tuple[str, Any]] = []
    for key, value in table.items():
        name = f"{before}{key}"
        pairs += flat(value, f"{name}.") if isinstance(value, Mapping) else [(name, value)]
    return pairs
