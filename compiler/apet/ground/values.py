"""Numbers as users write them in a call: exact, with units, never evaluated as code."""

from __future__ import annotations

import re
from fractions import Fraction

from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Interval, Number, in_short
from apet.ground.units import ADVICE, UNITS, like

PATTERN = re.compile(
    r"\s*([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE]([+-]?\d+))?)(?:/(\d+))?\s*([a-zA-Zµμ]*(?:/s)?|%)\s*", re.ASCII
)
MULTIPLES = {"k": 3, "M": 6, "G": 9, "T": 12, "%": -2}
"""Powers of ten behind a plain number: `64k` counts 64,000, and `5 %` is 0.05."""
MOST_DIGITS = 300
MOST_SHOWN = 60


class NotANumber(Diagnostic):
    """A value that is no number."""

    message = "{name} = {value!r}: not a number"
    hint = "write 1000, 1e9, 64k, 0.25, 3/4, 5 %, 8 kB, 2 ms, or a range low..high"


class OpenRange(Diagnostic):
    """A range that lacks an end."""

    message = "{name} = {value}: the {end} end of the range is missing"
    hint = "write both: {name}=0.1..0.3"


class SteppedRange(Diagnostic):
    """A range with a step where an interval is needed."""

    message = "{name} = {value}: an interval has no step"
    hint = "write {name}=low..high; for several values: apet sweep --vary '{name}={value}'"


class NoRange(Diagnostic):
    """Two ends between which no number lies."""

    message = "{name} = {value}: {reason}"
    hint = "{remedy}"


class TooLong(Diagnostic):
    """A value with so many digits that nobody measured it."""

    message = "{name} = {value}: more than {most} digits"
    hint = "write it shorter, or with a smaller exponent"


class UnknownUnit(Diagnostic):
    """A number followed by something that is no unit."""

    message = "{name} = {value!r}: there is no unit '{unit}'{near}"
    hint = ADVICE


class NotAllowed(Diagnostic):
    """A choice that does not exist."""

    message = "{what} cannot be {value!r}"
    hint = "choose one of: {allowed}"


def number(name: str, text: str) -> Number:
    """The exact value of a number with an optional unit; `ApetError` naming what it was for."""
    m = PATTERN.fullmatch(text)
    if m is None or (m[3] and not m[3].strip("0")):
        raise ApetError(NotANumber(None, None, name, text if len(text) < MOST_SHOWN else text[:MOST_SHOWN] + "…"))
    digits, exponent, below, unit = m[1], m[2] or "0", m[3] or "1", m[4]
    if max(map(len, (digits, exponent, below))) > MOST_DIGITS or abs(int(exponent)) > MOST_DIGITS:
        raise ApetError(TooLong(None, None, name, text[:MOST_SHOWN], MOST_DIGITS))
    if unit and unit not in UNITS and unit not in MULTIPLES:
        raise ApetError(UnknownUnit(None, None, name, text, unit, like(unit)))
    scale = Fraction(10) ** MULTIPLES[unit] if unit in MULTIPLES else UNITS[unit].scale if unit else 1
    value = Fraction(digits.replace("_", "")) / int(below) * scale
    return value.numerator if value.denominator == 1 else value


def unit_of(text: str) -> str | None:
    """The unit of a number, "" where it has none; None in what is no number with a unit that there is."""
    m = PATTERN.fullmatch(text)
    if m is None:
        return None
    return "" if m[4] in MULTIPLES else m[4] if not m[4] or m[4] in UNITS else None


def in_digits(text: str) -> str:
    """A number as models write it: with a unit of theirs, and an exponent in place of `k` or `%`."""
    m = PATTERN.fullmatch(text)
    if m is None or m[4] not in MULTIPLES or m[3]:
        return text
    mantissa = re.split("[eE]", m[1])[0].replace("_", "")
    return f"{mantissa}e{int(m[2] or 0) + MULTIPLES[m[4]]}"


def ends(text: str) -> tuple[str, str, str]:
    """The two ends of a range `low..high` or `low:high`, and the mark between them; no mark in what is no range."""
    return text.partition(".." if ".." in text else ":")


def range_parts(text: str) -> list[str]:
    """The parts of `low..high` or `low:high`, and after another colon a step or factor; one for what is no range."""
    low, mark, rest = ends(text)
    return [part.strip() for part in ((low, *rest.split(":")) if mark else (low,))]


def interval(name: str, low: Number, high: Number) -> Interval:
    """The interval between two ends; `ApetError` naming what it was for where they are not in order."""
    if low <= high:
        return Interval(low, high)
    reason, remedy = "the lower end is above the upper one", "write low..high"
    if not low > high:  # one of them is not-a-number
        reason, remedy = "not a finite number", "give a finite number"
    raise ApetError(NoRange(None, None, name, f"{in_short(low)}..{in_short(high)}", reason, remedy))
