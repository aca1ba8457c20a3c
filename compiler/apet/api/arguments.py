"""What users give in a call: numbers, choices, paths."""

from __future__ import annotations

import os
from collections.abc import Iterable

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number

BRANCHES = ("probability", "average", "best", "worst")
TOPOLOGIES = ("bus", "switch", "none")
SCHEDULES = ("static", "join")

Value = Number | Interval | tuple[Number, Number] | str
"""A parameter's value: a number, an interval as a pair, or either as text (`"1e9"`, `"0.1..0.3"`)."""


def values(pairs: Iterable[tuple[str, Value]]) -> dict[str, Number | Interval]:
    """Parameter values from what a user gives; `ApetError` naming what is no number."""
    from apet.ground.values import interval

    found: dict[str, Number | Interval] = {}
    for name, value in pairs:
        if isinstance(value, str):
            found[name] = parse_value(name, value)
        elif isinstance(value, tuple):
            found[name] = interval(name, *value)
        else:
            found[name] = value
    return found


def parse_value(name: str, text: str) -> Number | Interval:
    """A value as written on the command line: `1e9`, `3/4`, `8 kB`, or a range `low..high`."""
    from apet.ground.values import OpenRange, interval, number

    low, dots, high = text.partition("..")
    if not dots:
        return number(name, text)
    if not (low.strip() and high.strip()):
        raise ApetError(OpenRange(None, None, name, text, "upper" if low.strip() else "lower"))
    return interval(name, number(name, low), number(name, high))


def located(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """A path as given, or that of a shipped sample of this name."""
    if os.path.exists(path):
        return path
    from apet.ground.resources import data_path

    name = os.fspath(path).replace("\\", "/").removeprefix("samples/")
    shipped = data_path("samples", name)
    return shipped if not os.path.isabs(name) and os.path.isfile(shipped) else path


def one_of(what: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        from apet.ground.values import NotAllowed

        raise ApetError(NotAllowed(None, None, what, value, ", ".join(allowed)))
    return value
