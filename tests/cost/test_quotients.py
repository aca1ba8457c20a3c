"""Quotients in models: bounds hold of what runs, and a loop without rounds costs nothing, whatever it divides by."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.brute_force import brute_force
from tests.cost.test_members import machines

import apet
from apet.ground.interval import Number

Case = tuple[str, Mapping[str, Number], Number]

SQUARES: list[Case] = [
    ("param n = 100; param m = 1; L = delay(max(n * n / (n + m), 2));", {}, Fraction(10000, 101)),
    ("param n = 100; param m = 1; L = delay(max(n ^ 3 / (n + m) / (n + 2 * m), 2));", {}, Fraction(10**6, 101 * 102)),
    ("param n = 100; param m = 1; L = delay(max(n * n / max(n, m), 2));", {}, 100),
    ("param n = 100; param m = 1; L = if (n * n / (n + m) > 2) delay(10) else delay(1);", {}, 10),
    ("param n = 100; param m = 1; L = delay((n * n / (n + m)) % 2);", {}, Fraction(102, 101)),
    ("param n = 100; param m = 1; L = { delay(n * n / (n + m)) || delay(2) };", {}, Fraction(10000, 101)),
    ("param n = 9; L = par (i = 1, n) par (j = 1, n) delay(max(i * i / (i + j), 2));", {}, Fraction(81, 10)),
]
EMPTY_LOOPS: list[Case] = [
    ("param n = 4; param x = 8; param k = 3; L = seq (i = 1, n) delay(k / x);", {"n": 0, "x": 0}, 0),
    ("param n = 4; param x = 8; param k = 3; L = par (i = 1, n) delay(k / x);", {"n": 0, "x": 0}, 0),
    ("param n = 4; param x = 8; L = seq (i = 1, n) delay(log(x) * i);", {"n": 0, "x": 0}, 0),
    ("param n = 4; param x = 8; L = par (i = 1, n) delay(i ^ (1 / 2) / x);", {"n": 0, "x": 0}, 0),
    ("param m = 4; L = seq (i = 1, m) delay((5 / m) ^ 2);", {"m": 0}, 0),
    ("param m = 5; param w = 8; L = seq (i = 1, m) seq (j = 1, i - 1) delay(w / (i - 1));", {}, 32),
    ("param n = 4; L = delay(sum(i = 1, n, sum(j = 1, i - 1, 6 / (i - 1))));", {}, 18),
    ("param n = 4; param work = 8; L = seq (i = 1, n) delay(work / n);", {"n": 0}, 0),
    ("param n = 4; param work = 8; L = par (i = 1, n) delay(work / n);", {"n": 0}, 0),
    ("param n = 0; L = seq (i = 1, n) seq (j = i + 1, n) delay(1 / n);", {}, 0),
    ("param n = 4; L = seq (i = 0, n) seq (j = 1, i) delay((i - 1) / i);", {}, 6),
    ("param n = 4; L = seq (i = 0, n) par (j = 1, i) delay(j / i);", {}, 4),
    ("param n = 4; L = seq (i = 0, n) seq (j = 1, i) delay(1 / n);", {"n": 0}, 0),
    ("param n = 4; L = par (i = 0, n) seq (j = 1, i) delay(1 / n);", {"n": 0}, 0),
]
HELD: list[Case] = [
    ("param n = 6; L = seq (i = 0, n) par (j = 1, i) use(s, j / n);", {"n": 0}, 0),
    ("param n = 6; L = seq (i = 1, n) { use(d, 1) || use(a, i^2 / (i + 1)) };", {}, 0),
    ("param n = 6; L = { seq (j = 1, n) { use(d, 2) || use(a, j^2 / (j + 1)) } || use(c, 16) };", {}, 0),
    ("param n = 6; L = { seq (j = 1, n) { delay(1) || use(a, j^2 / (j + 1)) } || use(a, 1) };", {}, 0),
    (
        "param n = 2 in [0, 9]; param k = 2 in [1, 9]; L = par (i = 2, k) { seq (j = 1, n) { use(d, max(i, k)) ||"
        " use(a, j^2/(j+1)) } || par (j = 1, k) if (j == 2) delay(3) else use(d, i^2/(i+1)) };",
        {"n": 6},
        0,
    ),
    ("param P; param w = 8; L = par (p = 1, P) { seq (q = 1, p - 1) delay(w / (p - 1)); use(r, 1) };", {}, 0),
    ("param n = 6; L = seq (i = 0, n) par (j = 1, i) use(s, j / i);", {}, 0),
    ("param n = 4; param k = 2; L = par (i = 0, n) if (i == 2) { use(b, k / i) || delay(3) } else delay(1);", {}, 0),
    ("param n = 4; param k = 2; L = seq (i = 0, n) par (j = 0, n) if (i < k) delay(3) else use(a[i], k / i);", {}, 0),
    ("param n = 4; param k = 2; L = par (i = 0, n) par (j = 1, 2) if (i > 0) use(a[i], k / i) else delay(3);", {}, 0),
]


@pytest.mark.parametrize(("text", "values", "seconds"), SQUARES + EMPTY_LOOPS)
def test_what_holds_nothing_takes_its_time(text: str, values: Mapping[str, Number], seconds: Number) -> None:
    prediction = apet.predict(apet.compile_text(text), machines(), 1, values=values)
    assert prediction.guaranteed.lo <= seconds <= prediction.guaranteed.hi
    for end in (*prediction.guaranteed, *prediction.estimate):
        assert float(end) == pytest.approx(float(seconds))
    run = apet.simulate(apet.compile_text(text), machines(), P=1, values=values)
    assert run.makespan == pytest.approx(float(seconds))


@pytest.mark.parametrize("P", [1, 4])
@pytest.mark.parametrize(("text", "values", "_"), HELD)
def test_a_run_lies_within_its_bounds(text: str, values: Mapping[str, Number], P: int, _: Number) -> None:
    app = apet.compile_text(text)
    bounds = apet.predict(app, machines(), P, values=values).guaranteed
    run = apet.simulate(app, machines(), P=P, values=values)
    assert float(bounds.lo) * (1 - 1e-9) <= run.makespan <= float(bounds.hi) * (1 + 1e-9)


LOOPS = ("seq", "par")
ENDS = ("i", "i - 1", "n", "n - i", "m", "n - m")
TIMES = ("1 / {}", "n / {}", "i / {}", "j / {}", "(i + j) / {}", "j * j / ({} + j)", "i * n / {}", "max(i / {}, 1)")
DIVISORS = ("n", "m", "i", "abs(i - 1)", "(n - i)", "n * i", "(m * (m + 1))")


@settings(deadline=None, max_examples=100)
@given(
    outer=st.sampled_from(LOOPS),
    inner=st.sampled_from(LOOPS),
    first=st.integers(0, 2),
    end=st.sampled_from(ENDS),
    time=st.sampled_from(TIMES),
    divisor=st.sampled_from(DIVISORS),
    n=st.integers(0, 5),
    m=st.integers(0, 3),
)
def test_loops_that_divide_are_their_rounds_or_refused(
    outer: str, inner: str, first: int, end: str, time: str, divisor: str, n: int, m: int
) -> None:
    use = f"use(s, {time.format(divisor)})"
    text = f"param n in [0, 9]; param m in [0, 9]; L = {outer} (i = {first}, n) {inner} (j = 1, {end}) {use};"
    try:
        app = apet.compile_text(text)
    except apet.ApetError:  # divides by 0 in the first round of the outer loop, if the inner one has any
        return
    try:
        want = brute_force(app.model, machines().configure(4), "tmin", {"n": n, "m": m}, kind=Fraction)
    except (apet.ApetError, ZeroDivisionError):
        return
    try:
        prediction = apet.predict(app, machines(), n=n, m=m)
    except apet.ApetError:  # a formula may divide by 0 beside an empty range: it is refused, never wrong
        return
    assert prediction.estimate.lo == pytest.approx(float(want.estimate))
    assert prediction.guaranteed.lo == pytest.approx(float(want.lower))
    assert prediction.guaranteed.hi == pytest.approx(float(want.upper))
