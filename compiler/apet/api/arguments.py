"""What users give in a call: numbers, intervals, choices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from apet.api.errors import OtherUnit
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number

if TYPE_CHECKING:
    from apet.cost import CostModel

BRANCHES = ("probability", "average", "best", "worst")
TOPOLOGIES = ("bus", "switch", "none")
SCHEDULES = ("static", "join")

Value = Number | Interval | tuple[Number, Number] | str
"""A parameter's value: a number, an interval as a pair, or either as text (`"1e9"`, `"0.1..0.3"`)."""


def parsed_values(values: Mapping[str, Value] | None, *apps: CostModel) -> dict[str, Number | Interval]:
    """Parameter values from what a user gives; `ApetError` naming the value that is not a number, or whose unit is not
    that of the parameter in one of the cost models."""
    from apet.ground.values import interval

    texts = [(name, value) for name, value in (values or {}).items() if isinstance(value, str)]
    reasons = {(n, text): reason for app in apps for n, text in texts for reason in other_units(app, n, text)}
    if reasons:
        raise ApetError([OtherUnit(None, None, *named, reason) for named, reason in reasons.items()])
    parsed: dict[str, Number | Interval] = {}
    for name, value in (values or {}).items():
        if isinstance(value, str):
            parsed[name] = parse_value(name, value)
        elif isinstance(value, tuple):
            parsed[name] = interval(name, *value)
        else:
            parsed[name] = value
    return parsed


def other_units(app: CostModel, name: str, text: str) -> list[str]:
    """What is wrong with a value's unit: a parameter whose value in the model is a time has a size, and the like."""
    from apet.ground.units import QUANTITIES, UNITS
    from apet.ground.values import range_parts, unit_of
    from apet.model.literals import literal_unit

    own = literal_unit(app.declared[name].value) if name in app.declared else ""
    meant = QUANTITIES.get(own, "plain number, which counts something" if name in app.whole else "")
    units = {UNITS[unit].basic for end in range_parts(text) if (unit := unit_of(end))}
    return [f"a {QUANTITIES[unit]}, and {name} is a {meant}" for unit in sorted(units) if meant and unit != own]


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
