"""Cells of tables: a number with its unit, or the least and the greatest of it."""

from __future__ import annotations

from collections.abc import Callable

from apet.ground.interval import Interval
from apet.show.times import percent, single

Figure = float | Interval
NOTHING = "-"


def cell(value: Figure | None, write: Callable[[float], str], unit: str = "") -> str:
    """One number, or both ends in front of their unit; `-` where there is none."""
    if value is None:
        return NOTHING
    if not isinstance(value, Interval):
        return write(value) + unit
    return f"{write(float(value.lo))} … {write(float(value.hi))}{unit}"


def time(value: Figure | None) -> str:
    """Seconds in the unit that suits them."""
    return cell(value, single)


def rate(value: Figure | None) -> str:
    """Per second."""
    return cell(value, lambda v: f"{v:.5g}", " /s")


def share(value: Figure | None) -> str:
    """In per cent."""
    return cell(value, percent)


def number(value: Figure | None) -> str:
    """A plain number."""
    return cell(value, lambda v: f"{v:.4g}")


def counted(number: int, what: str) -> str:
    """`1 task`, `2,000 tasks`."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"
