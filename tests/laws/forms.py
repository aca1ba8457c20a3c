"""Expressions that have a value of the kind that is wanted, mostly: ends of loops, processors, durations, chances.

In a form, v and w are whole numbers, x is any number, E any expression, N a small number, J an expression that jumps
there or beside, less a little.
"""

from __future__ import annotations

from collections.abc import Callable
from math import floor
from random import Random

from tests.laws.numbers import FUNCTIONS, Exact, logarithm, quotient

PROCESSORS = (
    *("1", "2", "3", "4", "0", "1 + {v} % 4", "1 + {v} % 2", "{v}", "1 + ({v} + {w}) % 4", "max(1, min({v}, 4))"),
    *("P", "1 + floor({v} / 2)", "1 + floor(abs({E})) % 4", "max(1, min({v} - 1, 3))"),
)
MEMBERS = (
    *("1", "2", "0", "{v}", "{v}", "{v} % 2", "floor({v} / 2)", "{v} - 2", "1 + {v} % 3", "abs({v} - {w})"),
    *("1 + floor(abs({E})) % 2", "{v} + {w}", "-1", "{v} % {w}", "2 * {v}"),
)
WANTED: dict[str, tuple[str, ...]] = {
    "low": ("1", "1", "1", "1", "1", "0", "2", "{v}", "{v} - 1", "{v} % 2"),
    "end": (
        *("{N}", "{N}", "{N}", "{N}", "{v}", "{v}", "{v}", "{v} - 1", "{v} + 1", "{v} / 2", "{v} % 3", "min({v}, 3)"),
        *("max({v}, 2)", "{v} - {w}", "{v} * {w}", "2 ^ {v}", "len(t)", "floor(abs({E})) % 4", "ceil({E}) % 3", "{J}"),
        *("ceil({v} / 2)", "min(3, {v} / {w})", "min(2, sqrt({v} - 2))", "floor({v} * {w} / 3)"),
    ),
    "step": ("1", "2", "2", "3", "-1", "{v} + 1", "-2"),
    "time": (
        *("{N}", "{N}", "{N}", "{N} s", "500 ms", "{v} * 1 s", "{x}", "{x}", "{v}", "{v} * {w}", "{v} / 2", "{J}"),
        *("{x} / {v}", "{v} / {w}", "{v} ^ 2 / ({v} + {w})", "{v} * {w} / ({v} + {w})", "{x} * {v} / {w}"),
        *("abs({E})", "abs({E})", "max({E}, 0)", "({E}) ^ 2", "min({v}, 1 / {w})", "max({v} ^ 2 / max({v}, {w}), 2)"),
        *("t[1 + {v} % len(t)]", "t[{v}]", "abs({v} - {w})", "{v} % 3", "ceil(7 / max({v}, 1))", "ceil({x}) - {x}"),
        *("sqrt({v})", "log2({v} + 1)", "{v} * (1 / {w})", "sum(l = 1, {v}, l)", "({v} == {w}) * {x}", "g({x})"),
        *("1 / {v}", "{w} / ({v} - 1)", "1 / ({v} - {w})", "{v} ^ -1", "log({v})", "{x} ^ 0.5", "share[1 + {v} % 4]"),
    ),
    "chance": (
        *("0.5", "1 / 4", "q", "q", "{v} == {w}", "{v} > {N}", "{v} != 0", "{v} < {w}", "{v} <= 2", "{v} >= {w}"),
        *("{v} % 2", "({v} < 2) * q", "({v} > 0) + ({v} == 0)", "1 - q", "{x} > 1", "{E} > {E}", "1 / (1 + {v})"),
    ),
    "count": (
        *("1", "2", "3", "n", "1 + {v} % 2", "max(1, {v})", "1 + abs({v})", "max(1, min({v}, P))", "1 + ({v} > 2)"),
        *("2 + ({v} == 1)", "max({v}, 3)", "1 + ceil(abs({v}) / 2)"),
    ),
    "processor": PROCESSORS,
    "held processor": PROCESSORS,
    "member": MEMBERS,
    "place": MEMBERS,
    "entry": ("1", "2", "{v}", "1 + {v} % len(t)", "1 + {v} % 2"),
    "share": ("1", "2", "4", "1 + {v} % 4"),
    "size": ("{N}", "8 B", "4", "{v}", "{v} * {w}", "abs({E})"),
    "exponent": ("2", "2", "2", "1", "0", "3", "-1", "(1 / 2)", "{v}"),
}
WRONG = ("-1", "5", "1.5", "{v} / 2", "{v} - 3", "{E}", "{x} / 2", "1 / 0", "0")


def _to_base(base: int) -> Callable[[Exact], Exact]:
    return lambda x: quotient(logarithm(x), logarithm(base))


Jumps = tuple[Callable[..., Exact], tuple[tuple[int, int, int], ...]]
JUMPS: dict[str, Jumps] = {
    "sqrt({})": (FUNCTIONS["sqrt"], ((0, 1, 0), (2, 2, 0), (2, 3, 0), (10, 20, 0), (10, 20, 1), (3, 80, -1))),
    "log2({})": (
        FUNCTIONS["log2"],
        ((2, 0, 0), (2, 3, -1), (2, 3, 0), (2, 3, 1), (2, 53, 1), (2, 200, -1), (2, 200, 1)),
    ),
    "log({}) / log(3)": (
        _to_base(3),
        ((3, 0, 0), (3, 2, -1), (3, 5, 0), (3, 40, 0)),
    ),
    "log({}) / log(10)": (
        _to_base(10),
        ((10, 3, -1), (10, 3, 0), (10, 3, 1), (10, 15, 0)),
    ),
}
"""What jumps if it is rounded, and arguments base^power + step where it does and beside."""


def jump(random: Random) -> str:
    """A rounded function where it jumps or beside, less a whole number that is a little less."""
    form = random.choice(tuple(JUMPS))
    function, arguments = JUMPS[form]
    base, power, step = random.choice([a for a in arguments if a[1] < 60])
    written = f"{base} ^ {power}{f' + {step}' if step else ''}" if power > 3 else str(base**power + step)
    rounding = random.choice(("floor", "ceil"))
    less = max(0, floor(function(base**power + step)) - random.randint(0, 2))
    return f"{rounding}({form.format(written)}) - {less}"


def numeral(value: Exact) -> str:
    """A number as it is written in a model."""
    return str(value) if isinstance(value, int) else str(float(value))
