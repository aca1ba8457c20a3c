"""Values of any kind as what JSON can hold, without loss where possible."""

from __future__ import annotations

import json
import math
from typing import Any

from apet.ground.interval import Interval, Number


def plain(value: Number | Interval) -> Any:
    """An int as it is, another number as a float, an interval as [lo, hi]; what is not finite as None."""
    if isinstance(value, Interval):
        return [plain(value.lo), plain(value.hi)]
    if isinstance(value, int):
        return value
    try:
        shown = float(value)
    except OverflowError:
        return None
    return shown if math.isfinite(shown) else None


def ends(interval: Interval) -> dict[str, Any]:
    """`{"tmin": …, "tmax": …}` in seconds."""
    return {"tmin": plain(float(interval.lo)), "tmax": plain(float(interval.hi))}


def dumps(document: dict[str, Any]) -> str:
    """Indented JSON in UTF-8; `ValueError` if a NaN or infinity is left in it."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
