"""Values of parameters as people read them."""

from __future__ import annotations

from apet.ground.interval import Interval, Number


def value_text(value: Number | Interval) -> str:
    """A parameter's value: whole numbers in full with separators, others to ten digits, intervals as `low..high`."""
    if isinstance(value, Interval):
        return f"{value_text(value.lo)}..{value_text(value.hi)}"
    if isinstance(value, int):
        return f"{value:,}" if abs(value) < 10**15 else _large(value)
    return f"{float(value):.10g}"


def _large(value: int) -> str:
    try:
        return f"{float(value):.10g}"
    except OverflowError:
        return f"about 10^{value.bit_length() * 30103 // 100000}"
