"""Values as users write them in a call: counts, times, shares, ranges, lists and assignments, all in one notation.

A number is `1e4`, `64k`, `3/4`, `5 %`, `90 s` or `8 kB`; a range `A..B` or `A:B`; in steps `A..B:step`, by a factor
`A..B:2x`; a list `1,2,4`, each of them a number or a range. Every refusal names the option and the form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NoReturn

from apet.ground.diagnostics import ApetError, Diagnostic, nearest
from apet.ground.interval import Number, in_short
from apet.ground.records import NamedTuple
from apet.ground.units import TIME, of_basic
from apet.ground.values import NotANumber, number, range_parts

MOST_VALUES = 10_000
"""Values of one list, each of which is an answer of its own."""
MOST_COUNTED = 10**18
GREATEST_TARGET = 10**18
SECONDS = {"": 1, **of_basic(TIME)}
COUNTS = "whole numbers from {least} and ranges: {option} 2,4,8 or {option} 2..32:2 or {option} 2..32:2x (doubling)"
NUMBERS = "numbers and ranges with a step or a factor: {option} 2000,4000 or {option} 1000..16000:2x"


class BadOption(Diagnostic):
    """An option whose value cannot be what it says."""

    message = "{option} {value}: {reason}"
    hint = "{advice_text}"


class Steps(NamedTuple):
    """`low`, then by `step` (or, by a factor, times it) up to `high`; a step of 0 where it is one number."""

    low: Number
    high: Number
    step: Number = 0
    by_factor: bool = False

    @property
    def size(self) -> int:
        """How many there are, at most: of a factor, as many doublings or more as would fit."""
        if not self.step:
            return 1
        if not self.by_factor:
            return int(Fraction(self.high - self.low) / Fraction(self.step)) + 1
        return sum(1 for _ in zip(self, range(MOST_VALUES + 1), strict=False))

    def __iter__(self) -> Iterator[Number]:
        """The numbers in order, exact."""
        value = self.low
        while value <= self.high:
            yield value
            if not self.step:
                return
            following = Fraction(value) * Fraction(self.step) if self.by_factor else Fraction(value + self.step)
            value = following.numerator if following.denominator == 1 else following


def refuse(option: str, text: str, reason: str, advice: str) -> NoReturn:
    """`ApetError` of an option's value."""
    raise ApetError(BadOption(None, None, option, text, reason, advice))


def steps(option: str, text: str, advice: str = NUMBERS, name: str = "") -> list[Steps]:
    """The parts of a list, each a number or a range of numbers; of `name`, where it says of what. `ApetError`."""
    hint = advice.format(option=option, least=1)
    parts = [part.strip() for part in text.split(",")]
    if len(parts) > MOST_VALUES:
        refuse(option, text, f"more than {MOST_VALUES:,} values", hint)
    shown = f"{name}={text}" if name else text
    return [_steps(name or option, Call(option, shown, hint), part) for part in parts]


class Call(NamedTuple):
    """What a refusal shows: the option, its value, and how it is written."""

    option: str
    text: str
    advice: str

    def refuse(self, reason: str) -> NoReturn:
        """`ApetError`."""
        refuse(self.option, self.text, reason, self.advice)


def _steps(name: str, call: Call, part: str) -> Steps:
    """One part of a list. Between whole numbers a range without a step goes by one."""
    members = range_parts(part)
    if len(members) > 3 or not all(members):
        call.refuse(f"'{part}' is neither a number nor a range")
    low = _member(name, call, members[0])
    if len(members) == 1:
        return Steps(low, low)
    high = _member(name, call, members[1])
    if high < low:
        call.refuse(f"the range {part} ends before it begins")
    if len(members) == 2:
        if not (isinstance(low, int) and isinstance(high, int)):
            call.refuse(f"the range {part} needs a step or a factor: {part}:0.1 or {part}:2x")
        return Steps(low, high, 1)

    by_factor = members[2].endswith("x")
    step = _member(name, call, members[2].removesuffix("x"))
    what, least = ("factor", 1) if by_factor else ("step", 0)
    if step <= least:
        call.refuse(f"the {what} of {part} must be above {least}")
    if by_factor and low <= 0:
        call.refuse(f"the range {part} goes by a factor: it must begin above 0")
    return Steps(low, high, step, by_factor)


def _member(name: str, call: Call, member: str) -> Number:
    try:
        return number(name, member)
    except ApetError as error:
        if not any(isinstance(d, NotANumber) for d in error.diagnostics):
            raise
        call.refuse(f"'{member}' is neither a number nor a range")


def numbers(option: str, text: str, advice: str = NUMBERS) -> list[Number]:
    """All numbers of a list in the order given, each once. `ApetError`."""
    listed: dict[Number, None] = {}
    for part in steps(option, text, advice):
        if not part.by_factor and part.size > MOST_VALUES:
            refuse(option, text, f"more than {MOST_VALUES:,} values", advice.format(option=option, least=1))
        for value in part:
            listed[value] = None
            if len(listed) > MOST_VALUES:
                refuse(option, text, f"more than {MOST_VALUES:,} values", advice.format(option=option, least=1))
    return list(listed)


def targets(option: str, text: str) -> list[float]:
    """Sizes or numbers of processors to predict: numbers above 0. `ApetError`."""
    values = numbers(option, text)
    for value in values:
        if not 0 < value < GREATEST_TARGET:
            refuse(option, text, f"{in_short(value)} is not between 0 and 1e18", NUMBERS.format(option=option))
    return [float(value) for value in values]


def counts(option: str, text: str, least: int = 1) -> list[int]:
    """Whole numbers, `least` or more, in the order given, each once. `ApetError`."""
    hint = COUNTS.format(option=option, least=least)
    whole = list[int]()
    for value in numbers(option, text, COUNTS):
        if not isinstance(value, int):
            refuse(option, text, f"{in_short(value)} is no whole number", hint)
        if not least <= value < MOST_COUNTED:
            refuse(option, text, f"at least {least} is needed" if value < least else "more than 10^18", hint)
        whole.append(value)
    return whole


def count(option: str, text: str, least: int = 0, most: int = MOST_COUNTED) -> int:
    """One whole number from `least` to `most`. `ApetError`."""
    value = _single(option, text)
    if isinstance(value, int) and least <= value <= most:
        return value
    reason = f"not a whole number of {least} or more" if most == MOST_COUNTED else ""
    example = max(least, min(most, 256))
    refuse(option, text, reason or f"not a whole number from {least:,} to {most:,}", f"write {option} {example}")


def _single(option: str, text: str) -> Number | None:
    """A number, None for what is none; an unknown unit is told as such."""
    try:
        return number(option, text)
    except ApetError as error:
        if not any(isinstance(d, NotANumber) for d in error.diagnostics):
            raise
        return None


def share(option: str, text: str, advice: str = "") -> float:
    """A share between 0 and 1, both excluded, as `5 %` or `0.05`. `ApetError`."""
    value = _single(option, text)
    hint = advice or f"write {option} 5% or {option} 0.05"
    if value is None:
        refuse(option, text, f"'{text.strip()}' is no number", hint)
    if not 0 < value < 1:
        refuse(option, text, f"{text.strip()} is not between 0 and 100 %", hint)
    return float(value)


def shares(option: str, text: str) -> list[float]:
    """Shares in the order given, each once. `ApetError`."""
    advice = f"write {option} 5%,50%,95% or {option} 0.05,0.5,0.95"
    return list(dict.fromkeys(share(option, part, advice) for part in text.split(",")))


def duration(option: str, text: str) -> Number:
    """The exact number of seconds of `90 s`, `2 min` or `1.5h`; a number alone is seconds. `ApetError`."""
    parts = re.fullmatch(r"(.*?)\s*([a-zA-Zµμ%]*)\s*", text, re.DOTALL)
    unit = parts[2] if parts is not None else ""
    if unit not in SECONDS:
        times = f"times: {' '.join(filter(None, SECONDS))}"
        refuse(option, text, f"there is no unit of time '{unit}'{nearest(unit, SECONDS)}", times)
    return number(option, text)


def span(option: str, text: str, name: str = "") -> tuple[Number, Number]:
    """The two ends of a range `A..B`, in order; a step has no meaning here. `ApetError` naming the option."""
    members = range_parts(text)
    example = f"write {option} {name}{'=' if name else ''}1..1e9"
    shown = f"{name}={text}" if name else text
    if len(members) != 2 or not all(members):
        refuse(option, shown, "a range has two ends", example)
    low, high = number(name or option, members[0]), number(name or option, members[1])
    if high < low:
        refuse(option, shown, f"the range {text} ends before it begins", example)
    return low, high


def assignment(option: str, text: str, what: str = "a value") -> tuple[str, str]:
    """The name and the text of `NAME=VALUE`. `ApetError`."""
    name, equals, value = (part.strip() for part in text.partition("="))
    if not equals or not name or not value:
        refuse(option, text, f"a name, an equals sign and {what} are needed", f"write {option} n=1e9")
    return name, value


def assignments(option: str, texts: Sequence[str]) -> dict[str, str]:
    """Texts by name; `ApetError` where one is no assignment, or a name occurs twice."""
    pairs = dict[str, str]()
    for text in texts:
        name, value = assignment(option, text)
        if name in pairs:
            refuse(option, text, f"{name} is set twice", "leave one of them out")
        pairs[name] = value
    return pairs
