"""Numbers as users write them in a call: exact, with units, never evaluated as code."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import ClassVar

from apet.diagnostics import ApetError, Diagnostic
from apet.interval import Number

SCALES: dict[str, int | Fraction] = {
    "": 1,
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": 1,
    "B": 1,
    "kB": 10**3,
    "KiB": 2**10,
    "MB": 10**6,
    "MiB": 2**20,
    "GB": 10**9,
    "GiB": 2**30,
}
PATTERN = re.compile(r"\s*([+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d{1,4})?)(?:/(\d+))?\s*([a-zA-Z]*)\s*")
MOST_DIGITS = 400


class NotANumber(Diagnostic):
    """A value that is no number."""

    message: ClassVar[str] = "{name} = {value!r}: not a number"
    hint: ClassVar[str] = "write 1000, 1e9, 0.25, 3/4, 8 kB, 2 ms, or a range low..high"
    name: str
    value: str


class NotAllowed(Diagnostic):
    """A choice that does not exist."""

    message: ClassVar[str] = "{what} cannot be {value!r}"
    hint: ClassVar[str] = "choose one of: {allowed}"
    what: str
    value: str
    allowed: str


def number(name: str, text: str) -> Number:
    """The exact value of a number with an optional unit; `ApetError` naming what it was for."""
    m = PATTERN.fullmatch(text)
    if m is None or m[3] not in SCALES or len(m[1]) > MOST_DIGITS or (m[2] and not int(m[2])):
        raise ApetError(NotANumber(None, None, name, text))
    value = Fraction(m[1].replace("_", "")) / int(m[2] or 1) * SCALES[m[3]]
    return value.numerator if value.denominator == 1 else value
