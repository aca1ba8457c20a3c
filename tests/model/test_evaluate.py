"""Numbers put into expressions: exactness, domains, and agreement with Python's own arithmetic."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.model.arithmetic import whole_range
from apet.model.evaluate import evaluate, parameter_value, parameter_values
from apet.model.pamela import parse
from apet.model.terms import Delay

NUMBERS = st.integers(-50, 50) | st.fractions(-20, 20, max_denominator=12)


def value(text: str, **scope: Any) -> Any:
    source = Source("x.pam", f"L = delay({text});")
    body = parse(source).equations["L"].body
    assert isinstance(body, Delay)
    return evaluate(body.time, scope, source=source)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("7 / 2", Fraction(7, 2)),
        ("6 / 3", 2),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("-7 % 3", 2),
        ("(0 - 7) % 3", 2),
        ("2 ^ 10", 1024),
        ("2 ^ (0 - 1)", Fraction(1, 2)),
        ("4 ^ 0.5", 2.0),
        ("3 < 4", 1),
        ("3 >= 4", 0),
        ("0.1 + 0.2 == 0.3", 1),
        ("1 != 1", 0),
        ("min(3, 1 / 2, 2)", Fraction(1, 2)),
        ("max(3)", 3),
        ("ceil(7 / 2) + floor(0 - 7 / 2)", 0),
        ("abs(2 - 5)", 3),
        ("log2(2 ^ 100)", 100),
        ("log(1)", 0),
        ("sqrt(9 / 4)", Fraction(3, 2)),
        ("sum(i = 1, 100, i)", 5050),
        ("sum(i = 2, 1, i)", 0),
        ("sum(i = 1, 3, sum(k = i, 3, k))", 14),
        ("3 ms", Fraction(3, 1000)),
    ],
)
def test_exact_numbers_stay_exact(text: str, wanted: object) -> None:
    found = value(text)
    assert found == wanted
    assert type(found) is type(wanted)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2 + 1 / 0", "x.pam:1:15: error: division by zero"),
        ("1 % 0", "the remainder of a division by zero"),
        ("0 ^ (0 - 1)", "a negative power of zero"),
        ("(0 - 2) ^ 0.5", "a fractional power of a negative number"),
        ("1.5 ^ 10 ^ 9", "error"),
        ("log(0)", "the logarithm of 0, which is not positive"),
        ("log2(0 - 1)", "the logarithm of -1"),
        ("sqrt(0 - 4)", "the square root of -4, which is negative"),
        ("point + 1", "x.pam:1:11: error: 'point' has no value here; did you mean 'points'?"),
        ("p + 1", "'server' stands for a named processor"),
        ("foo(1)", "there is no function 'foo'; did you mean 'floor'?"),
        ("share[1]", "'share' needs a machine model"),
        ("sum(i = 1, 10^15, i)", "a sum of more than 10,000,000 terms"),
    ],
)
def test_a_value_that_does_not_exist_is_a_mistake_at_its_place(text: str, message: str) -> None:
    with pytest.raises(ApetError) as caught:
        value(text, points=3, p="server")
    assert message in str(caught.value)


@given(NUMBERS, NUMBERS)
def test_the_remainder_is_that_of_the_floored_quotient(a: Fraction, b: Fraction) -> None:
    if b == 0:
        return
    assert value("a == b * floor(a / b) + a % b", a=a, b=b) == 1


@given(NUMBERS, NUMBERS)
def test_a_range_holds_all_integers_between_its_ends(a: Fraction, b: Fraction) -> None:
    assert list(whole_range(a, b)) == [i for i in range(-60, 60) if a <= i <= b]


def test_defaults_may_refer_to_each_other_in_any_order() -> None:
    model = parse(Source("x.pam", "param a = b + c; param b = 2 * c; param c; param d; L = delay(a);"))
    assert parameter_values(
        model,
        {"c": 5},
    ) == {"a": 15, "b": 10, "c": 5}
    assert parameter_value(model, "b", {"c": 7}) == 14


def test_a_default_that_needs_itself_is_a_mistake() -> None:
    model = parse(Source("x.pam", "param a = b; param b = a; L = delay(a);"))
    with pytest.raises(ApetError, match="the value of 'a' depends on itself"):
        parameter_values(model, {})
