"""One notation of values: every option reads the same forms, and refuses what means nothing to it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from apet.api.arguments import parse_value
from apet.ground import notation
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.ground.values import in_digits, number

READERS: dict[str, Callable[[str], Any]] = {
    "count": lambda text: notation.count("-x", text),
    "counts": lambda text: notation.counts("-x", text),
    "numbers": lambda text: notation.numbers("-x", text),
    "targets": lambda text: notation.targets("-x", text),
    "duration": lambda text: notation.duration("-x", text),
    "share": lambda text: notation.share("-x", text),
    "shares": lambda text: notation.shares("-x", text),
    "span": lambda text: notation.span("-x", text),
    "value": lambda text: parse_value("x", text),
}
HALF = Fraction(1, 2)
TABLE: dict[str, dict[str, object]] = {
    "4": {"count": 4, "counts": [4], "numbers": [4], "targets": [4.0], "duration": 4, "value": 4},
    "4e0": {"count": 4, "counts": [4], "numbers": [4], "targets": [4.0], "duration": 4, "value": 4},
    "8/2": {"count": 4, "counts": [4], "numbers": [4], "targets": [4.0], "duration": 4, "value": 4},
    "1_0": {"count": 10, "counts": [10], "numbers": [10], "targets": [10.0], "duration": 10, "value": 10},
    "64k": {"count": 64000, "counts": [64000], "numbers": [64000], "targets": [64000.0], "value": 64000},
    "0.5": {"numbers": [HALF], "targets": [0.5], "duration": HALF, "share": 0.5, "shares": [0.5], "value": HALF},
    "50 %": {"numbers": [HALF], "targets": [0.5], "share": 0.5, "shares": [0.5], "value": HALF},
    "90 s": {"count": 90, "counts": [90], "numbers": [90], "targets": [90.0], "duration": 90, "value": 90},
    "2 kB": {"count": 2000, "counts": [2000], "numbers": [2000], "targets": [2000.0], "value": 2000},
    "1..4": {
        "counts": [1, 2, 3, 4],
        "numbers": [1, 2, 3, 4],
        "targets": [1.0, 2.0, 3.0, 4.0],
        "span": (1, 4),
        "value": Interval(1, 4),
    },
    "1..8:2x": {"counts": [1, 2, 4, 8], "numbers": [1, 2, 4, 8], "targets": [1.0, 2.0, 4.0, 8.0]},
    "1..4:1": {"counts": [1, 2, 3, 4], "numbers": [1, 2, 3, 4], "targets": [1.0, 2.0, 3.0, 4.0]},
    "1,2,4": {"counts": [1, 2, 4], "numbers": [1, 2, 4], "targets": [1.0, 2.0, 4.0]},
    "5%,50%": {"numbers": [Fraction(1, 20), HALF], "targets": [0.05, 0.5], "shares": [0.05, 0.5]},
    "0..0.5:0.25": {"numbers": [0, Fraction(1, 4), HALF]},
    "0..0.5": {"span": (0, HALF), "value": Interval(0, HALF)},
    "-1": {"numbers": [-1], "duration": -1, "value": -1},
    "0": {"count": 0, "numbers": [0], "duration": 0, "value": 0},
    "4..1": {},
    "1..": {},
    "..4": {},
    "": {},
    "x": {},
    "1,,2": {},
    "4 q": {},
    "1..4:0": {},
    "1..4:1x": {},
    "0..4:2x": {},
    "1..1e9": {"span": (1, 10**9), "value": Interval(1, 10**9)},
    "1..1e9:1": {},
    "nan": {},
    "1e999": {},
}
"""Forms, and what each reader makes of them; what is not named is refused."""


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("form", TABLE)
def test_each_form_means_one_thing_or_is_refused(form: str, reader: str) -> None:
    if reader in TABLE[form]:
        assert READERS[reader](form) == TABLE[form][reader]
        return
    with pytest.raises(ApetError) as refused:
        READERS[reader](form)
    assert all(d.advice for d in refused.value.diagnostics)


@pytest.mark.parametrize("form", [form for form in TABLE if ".." in form])
@pytest.mark.parametrize("reader", READERS)
def test_a_colon_is_two_dots(form: str, reader: str) -> None:
    if reader in TABLE[form]:
        assert READERS[reader](form.replace("..", ":")) == TABLE[form][reader]


def test_a_number_is_written_as_models_write_it() -> None:
    assert [in_digits(text) for text in ("64k", "1.5e2 %", "8 kB", "3", "x")] == ["64e3", "1.5e0", "8 kB", "3", "x"]
    assert number("n", in_digits("64k")) == 64000


def test_a_list_has_an_end() -> None:
    with pytest.raises(ApetError, match="more than 10,000"):
        notation.numbers("--to", ",".join("1" for _ in range(10_001)))
    with pytest.raises(ApetError, match="more than 10,000"):
        notation.numbers("--to", "1..1e300:1.0000001x")
