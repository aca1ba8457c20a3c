"""Loops over decided conditions: closed forms in pieces are the sums and maxima that they stand for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cost.test_members import machines

import apet

CONDITIONS = ("i {} m", "m {} i", "i {} n - m", "2 * m - i {} 3", "i {} 2.5", "i + m {} n", "3 * i {} m")
TIMES = ("1", "4", "i", "n - i + 5", "i * i", "m")


@given(
    condition=st.sampled_from(CONDITIONS),
    operator=st.sampled_from(["==", "!=", "<", "<=", ">", ">="]),
    second=st.sampled_from(["i == 1", "i < n", "i != m"]),
    sides=st.lists(st.sampled_from(TIMES), min_size=3, max_size=3),
    loop=st.sampled_from(["seq", "par"]),
    n=st.integers(0, 7),
    m=st.integers(-2, 9),
)
def test_a_loop_over_conditions_is_its_rounds(
    condition: str, operator: str, second: str, sides: list[str], loop: str, n: int, m: int
) -> None:
    a, b, c = sides
    body = f"if ({condition.format(operator)}) delay({a}) else if ({second}) delay({b}) else delay({c})"
    # `n` and `m` bound loops of their own, so that they are whole
    whole = "seq (k = 1, n) delay(0); seq (k = 1, m) delay(0)"
    text = "param n in [0, 9]; param m in [-2, 9]; L = {{ {}; {} }};"
    written_out = [body.replace("i", str(i)).replace(f"{i}f", "if") for i in range(1, n + 1)]
    joined = " || ".join(written_out) if loop == "par" else "; ".join(written_out)
    positive = {"m": "m + 2"}
    for old, new in positive.items():
        body, joined = body.replace(f"delay({old})", f"delay({new})"), joined.replace(f"delay({old})", f"delay({new})")
    looped = apet.compile_text(text.format(whole, f"{loop} (i = 1, n) {body}"))
    unrolled = apet.compile_text(text.format(whole, f"{{ {joined} }}"))
    found, want = (apet.predict(app, machines(), n=n, m=m) for app in (looped, unrolled))
    assert found.estimate == want.estimate
    assert found.guaranteed == want.guaranteed


@pytest.mark.parametrize(
    ("process", "formula"),
    [
        ("par (p = 1, P) if (p == 1) delay(10) else delay(1)", "10"),
        ("seq (p = 1, P) if (p == 1) delay(10) else delay(1)", "P + 9"),
        ("seq (p = 1, P) if (p < P) delay(p)", "0.5 P^2 - 0.5 P"),
        ("par (p = 1, P) seq (q = 1, P) if (p != q) delay(1)", "P - 1"),
        ("seq (p = 1, P) seq (q = 1, P) if (p < q) delay(1)", "0.5 P^2 - 0.5 P"),
    ],
)
def test_a_decided_condition_needs_no_scan(process: str, formula: str) -> None:
    assert str(apet.compile_text(f"param P; L = {process};").T0) == formula


def test_a_round_that_a_condition_excludes_needs_no_value() -> None:
    app = apet.compile_text("param n; L = par (i = 0, n - n) par (k = 1, i % 3, 3) delay(i ^ -1);")
    assert list(apet.predict(app, machines(), values={"n": 2}).guaranteed) == [0, 0]


def test_a_remainder_by_an_inner_index_has_no_period_outside() -> None:
    app = apet.compile_text("L = par (i = 0, 1) par (j = 1, 2) F[i % j]; F[j] = delay(j + 1);")
    assert list(apet.predict(app, machines()).guaranteed) == [2, 2]


def test_a_load_without_a_value_in_some_round_is_refused_at_its_place() -> None:
    text = "L = seq (i = 0, 1) use(i, (1 / i));"
    with pytest.raises(apet.ApetError) as error:
        apet.compile_text(text, "load.pam")
    assert f"load.pam:1:{text.index('1 / i') + 1}: error: division by zero" in str(error.value)


@pytest.mark.parametrize(
    ("time", "what"),
    [
        ("log(i)", "the logarithm of a number that is not positive"),
        ("sqrt(i - 1)", "the square root of a negative number"),
        ("1 / i", "division by zero"),
    ],
)
def test_a_guarded_loop_without_a_value_says_what_is_wrong(time: str, what: str) -> None:
    app = apet.compile_text(f"param n; L = if (n > 0) seq (i = 0, 1) delay({time});")
    assert list(apet.predict(app, machines(), values={"n": 0}).guaranteed) == [0, 0]
    with pytest.raises(apet.ApetError) as error:
        apet.predict(app, machines(), values={"n": 1})
    assert f"{what}\n" in str(error.value)
