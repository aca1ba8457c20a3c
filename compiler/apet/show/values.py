"""Values of parameters as people read them."""

from __future__ import annotations

from fractions import Fraction

from apet.cost import CostModel
from apet.ground.interval import Interval, Number
from apet.ground.units import UNITS


def value_text(value: Number | Interval) -> str:
    """A parameter's value: whole numbers in full with separators, others to ten digits, intervals as `low..high`."""
    if isinstance(value, Interval):
        return f"{value_text(value.lo)}..{value_text(value.hi)}"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**15 else _large(value)
    return f"{float(value):.10g}"


def parameter_text(app: CostModel | None, name: str, value: Number | Interval) -> str:
    """A parameter's value in the unit that the model writes it with: `100 h`; what is long there, or of a model that is
    not known, in the basic unit."""
    unit = app.written_unit(name) if app is not None else ""
    if not unit:
        return value_text(value)
    if isinstance(value, Interval):
        return f"{parameter_text(app, name, value.lo)}..{parameter_text(app, name, value.hi)}"
    scale, basic = UNITS[unit]
    scaled = Fraction(value) / scale
    if (scaled * 1000).denominator > 1:
        return f"{value_text(value)} {basic}"
    return f"{value_text(int(scaled) if scaled.denominator == 1 else scaled)} {unit}"


def _large(value: int) -> str:
    try:
        return f"{float(value):.10g}"
    except OverflowError:
        return f"about 10^{value.bit_length() * 30103 // 100000}"
