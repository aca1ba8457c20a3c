"""What each alternative of the grammar makes: one function per alias.

A function gets the values, the start offsets and the end offsets of the symbols on its right side.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from apet.model.terms import (
    Binary,
    Branch,
    Delay,
    Expression,
    Invoke,
    Loop,
    Name,
    Number,
    Parallel,
    Process,
    Sequence,
    SumOver,
    Unary,
    Use,
)
from apet.source import Span

Values = list[Any]
Offsets = list[int]


class ParameterItem(NamedTuple):
    """`param` as read."""

    name: str
    value: Expression | None
    bounds: tuple[Expression, Expression] | None
    span: Span


class ResourceItem(NamedTuple):
    """`resource` as read."""

    name: str
    formals: list[str]
    servers: Expression | None
    span: Span


class EquationItem(NamedTuple):
    """`call = branches` as read."""

    left: Invoke
    branches: list[Process]
    span: Span


class ContinuationItem(NamedTuple):
    """Another stretch of the equation before it."""

    branches: list[Process]
    span: Span


SECONDS = {"ns": Fraction(1, 10**9), "us": Fraction(1, 10**6), "ms": Fraction(1, 1000), "s": Fraction(1)}
BYTES = {"B": 1, "kB": 10**3, "KiB": 2**10, "MB": 10**6, "MiB": 2**20, "GB": 10**9, "GiB": 2**30}
NUMBER = re.compile(r"([\d.]+)(?:[eE]([+-]?\d+))?[ \t]*(\w*)")
MOST_DIGITS = 4000
"""Digits of a literal written out, before and after the point; arithmetic with 1e999999999 would never end."""


class UnreasonableLiteral(Exception):
    """A literal with more than `MOST_DIGITS` digits."""

    def __init__(self, span: Span) -> None:
        super().__init__("a literal with too many digits")
        self.span = span


def join(pieces: list[list[Process]], span: Span) -> Process:
    """One process of stretches between `;`, each a list of branches between `||`; `;` binds tighter.

    Where the two are mixed, the sequences have the span of the whole, which is how the check for it finds them.
    """
    if len(pieces) == 1:
        return pieces[0][0] if len(pieces[0]) == 1 else Parallel(tuple(pieces[0]), span)
    if all(len(p) == 1 for p in pieces):
        return Sequence(tuple(p[0] for p in pieces), span)
    runs: list[list[Process]] = [[]]
    for piece in pieces:
        runs[-1].append(piece[0])
        runs += [[step] for step in piece[1:]]
    return Parallel(tuple(r[0] if len(r) == 1 else Sequence(tuple(r), span) for r in runs), span)


def number(v: Values, s: Offsets, e: Offsets) -> Number:
    """A literal with its unit applied, exact; an int where it is whole. `UnreasonableLiteral` if it is too long."""
    text = v[0]
    if len(text) < MOST_DIGITS and text.isdigit():
        return Number(int(text), "", Span(s[0], e[0]))
    m = NUMBER.fullmatch(text)
    assert m is not None
    digits, exponent, unit = m[1], m[2] or "0", m[3]
    if max(len(digits), len(exponent)) > MOST_DIGITS or len(digits) + abs(int(exponent)) > MOST_DIGITS:
        raise UnreasonableLiteral(Span(s[0], e[0]))
    value: int | Fraction = Fraction(f"{digits}e{exponent}")
    if unit in SECONDS:
        value, unit = value * SECONDS[unit], "s"
    elif unit:
        value, unit = value * BYTES[unit], "B"
    whole = value.numerator if value.denominator == 1 else value
    return Number(whole, unit, Span(s[0], e[0]))


def plain_call(v: Values, s: Offsets, e: Offsets) -> Invoke:
    """A lone name; whoever needs an expression turns it into a `Name`."""
    return Invoke(v[0], None, None, Span(s[0], e[0]))


def _expr(value: Any) -> Expression:
    if type(value) is Invoke and value.subscripts is None and value.arguments is None:
        return Name(value.name, value.span)
    return value  # type: ignore[no-any-return]


def _exprs(values: list[Any]) -> tuple[Expression, ...]:
    return tuple(_expr(v) for v in values)


def _loop(v: Values, s: Offsets, e: Offsets) -> Loop:
    return Loop(v[0], v[2], _expr(v[4]), _expr(v[6]), v[8], Span(s[0], e[7]))


def _use(v: Values, s: Offsets, e: Offsets) -> Use:
    return Use(_expr(v[2]), v[4], Span(s[0], e[5]))


def _use_time(v: Values, s: Offsets, e: Offsets) -> Use:
    return Use(_expr(v[2]), Delay(_expr(v[4]), Span(s[4], e[4])), Span(s[0], e[5]))


def _nothing(s: Offsets) -> Sequence:
    return Sequence((), Span(s[0], s[0]))


def _more(v: Values, s: Offsets, e: Offsets) -> Any:
    v[0].append(v[2])
    return v[0]


def _more_items(v: Values, s: Offsets, e: Offsets) -> Any:
    v[0].append(v[1])
    return v[0]


def _sum_over(v: Values, s: Offsets, e: Offsets) -> SumOver:
    return SumOver(v[2], _expr(v[4]), _expr(v[6]), _expr(v[8]), Span(s[0], e[9]))


def _binary(v: Values, s: Offsets, e: Offsets) -> Binary:
    return Binary(v[1], _expr(v[0]), _expr(v[2]), Span(s[0], e[2]))


ACTIONS: dict[str, Callable[[Values, Offsets, Offsets], Any]] = {
    "first": lambda v, s, e: v[0],
    "second": lambda v, s, e: v[1],
    "absent": lambda v, s, e: None,
    "no_items": lambda v, s, e: [],
    "more_items": _more_items,
    "no_names": lambda v, s, e: [],
    "one_name": lambda v, s, e: [v[0]],
    "one": lambda v, s, e: [v[0]],
    "more": _more,
    "param": lambda v, s, e: ParameterItem(v[1], None if v[2] is None else _expr(v[2]), v[3], Span(s[1], e[1])),
    "range": lambda v, s, e: (_expr(v[2]), _expr(v[4])),
    "resource": lambda v, s, e: ResourceItem(v[1], v[2], None if v[3] is None else _expr(v[3]), Span(s[1], e[1])),
    "equation": lambda v, s, e: EquationItem(v[0], v[2], Span(s[0], e[2])),
    "continuation": lambda v, s, e: ContinuationItem(v[0], Span(s[0], e[0])),
    "process": lambda v, s, e: join(v[0], Span(s[0], e[0])),
    "empty_group": lambda v, s, e: Sequence((), Span(s[0], e[1])),
    "group": lambda v, s, e: v[1],
    "delay": lambda v, s, e: Delay(_expr(v[2]), Span(s[0], e[3])),
    "use": _use,
    "use_time": _use_time,
    "loop": _loop,
    "if_probable": lambda v, s, e: Branch(_expr(v[2]), v[4], _nothing(e[4:]), Span(s[0], e[3])),
    "if_probable_else": lambda v, s, e: Branch(_expr(v[2]), v[4], v[6], Span(s[0], e[3])),
    "if_free_else": lambda v, s, e: Branch(None, v[1], v[3], Span(s[0], e[0])),
    "plain_call": plain_call,
    "subscripted_call": lambda v, s, e: Invoke(v[0], _exprs(v[2]), None, Span(s[0], e[3])),
    "empty_call": lambda v, s, e: Invoke(v[0], None, (), Span(s[0], e[2])),
    "argument_call": lambda v, s, e: Invoke(v[0], None, _exprs(v[2]), Span(s[0], e[3])),
    "subscripted_empty_call": lambda v, s, e: Invoke(v[0], _exprs(v[2]), (), Span(s[0], e[5])),
    "full_call": lambda v, s, e: Invoke(v[0], _exprs(v[2]), _exprs(v[5]), Span(s[0], e[6])),
    "binary": _binary,
    "unary": lambda v, s, e: Unary(v[0], _expr(v[1]), Span(s[0], e[1])),
    "number": number,
    "sum_over": _sum_over,
}
