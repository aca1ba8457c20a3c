"""Times as users write them in a call: `90 s`, `2 min`, `1.5 h`."""

from __future__ import annotations

import re
from fractions import Fraction

from apet.cli.errors import BadOption
from apet.ground.diagnostics import ApetError, nearest
from apet.ground.interval import Number
from apet.ground.units import TIME, of_basic
from apet.ground.values import number

SECONDS = {"": 1, **of_basic(TIME)}


def seconds(name: str, text: str) -> Number:
    """The exact number of seconds; a number alone is seconds. `ApetError` naming the option where it is no time."""
    parts = re.fullmatch(r"(.*?)\s*([a-zA-Zµμ]*)\s*", text, re.DOTALL)
    assert parts is not None
    if parts[2] not in SECONDS:
        _refuse(name, text, parts[2])
    value = Fraction(number(name, parts[1])) * SECONDS[parts[2]]
    return value.numerator if value.denominator == 1 else value


def _refuse(name: str, text: str, unit: str) -> None:
    raise ApetError(
        BadOption(
            None,
            None,
            name,
            text,
            f"there is no unit of time '{unit}'{nearest(unit, SECONDS)}",
            f"times: {' '.join(filter(None, SECONDS))}",
        )
    )
