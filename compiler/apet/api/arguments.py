"""What users give in a call: numbers, intervals, choices."""

from __future__ import annotations

from collections.abc import Mapping

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number

BRANCHES = ("probability", "average", "best", "worst")
TOPOLOGIES = ("bus", "switch", "none")
SCHEDULES = ("static", "join")

Value = Number | Interval | tuple[Number, Number] | str
"""A parameter's value: a number, an interval as a pair, or either as text (`"1e9"`, `"0.1..0.3"`)."""


def parsed_values(values: Mapping[str, Value] | None) -> dict[str, Number | Interval]:
    """Parameter values from what a user gives; `ApetError` naming the value that is not a number."""
    from apet.ground.values import interval

    parsed: dict[str, Number | Interval] = {}
    for name, value in (values or {}).items():
        if isinstance(value, str):
            parsed[name] = parse_value(name, value)
        elif isinstance(value, tuple):
            parsed[name] = interval(name, *value)
        else:
            parsed[name] = value
    return parsed


def parse_value(name: str, text: str) -> Number | Interval:
    """A value as written on the command line: `1e9`, `3/4`, `8 kB`, or a range `low..high` or `low:high`."""
    from apet.ground.values import OpenRange, SteppedRange, ends, interval, number

    low, dots, high = ends(text)
    if not dots:
        return number(name, text)
    if not (low.strip() and high.strip()):
        raise ApetError(OpenRange(None, None, name, text, "upper" if low.strip() else "lower"))
    if ":" in high:
        raise ApetError(SteppedRange(None, None, name, text))
    return interval(name, number(name, low), number(name, high))


def one_of(what: str, value: str, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        from apet.ground.values import NotAllowed

        raise ApetError(NotAllowed(None, None, what, value, ", ".join(allowed)))
    return value
