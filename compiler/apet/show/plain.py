"""Values of any kind as what JSON can hold, without loss where possible."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from apet.formula.formula import Formula
from apet.ground.interval import Interval, Number
from apet.show.formula_lines import text_of


def plain(value: Number | Interval) -> Any:
    """An int as it is, another number as a float, an interval as [lo, hi]; what is not finite as None."""
    if isinstance(value, Interval):
        return [plain(value.lo), plain(value.hi)]
    if isinstance(value, int):
        return value
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def record(value: Any, *without: str) -> dict[str, Any]:
    """The fields of a record by name, as JSON can hold them: the one writer of results whose keys are their fields.

    Records become objects, tuples arrays, and numbers what `plain` makes of them.
    """
    names = getattr(value, "_fields", None) or value.__dataclass_fields__
    return {name: as_json(getattr(value, name)) for name in names if name not in without}


def as_json(value: Any) -> Any:
    """A value of any kind that a field of a record may have."""
    match value:
        case None | str() | bool():
            return value
        case Interval() | int() | float() | Fraction():
            return plain(value)
        case Formula():
            return text_of(value)
        case Mapping():
            return {str(key): as_json(item) for key, item in value.items()}
        case _ if hasattr(value, "_fields") or hasattr(value, "__dataclass_fields__"):
            return record(value)
        case _:
            return [as_json(item) for item in value]


def ends(interval: Interval) -> dict[str, Any]:
    """`{"tmin": …, "tmax": …}` in seconds."""
    return {"tmin": plain(float(interval.lo)), "tmax": plain(float(interval.hi))}


def dumps(document: dict[str, Any] | list[Any]) -> str:
    """Indented JSON in UTF-8; `ValueError` if a NaN or infinity is left in it."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
