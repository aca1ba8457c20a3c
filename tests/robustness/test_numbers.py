"""Absurd numbers, and ranges that are empty."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import pytest
from tests.robustness.inputs import GOOD, refusal, t0
from tests.work import peak_memory

import apet
from apet.machine import Machines


def test_iterations_are_counted_exactly() -> None:
    app = apet.compile_text("L = seq (i = 1, 10^15) sum_int[1];")
    assert str(app.T0) == "1000000000000000 t_sum_int[1]"
    count = app.T0.evaluate({"t_sum_int[1]": 1})
    assert count == 10**15
    assert isinstance(count, int)


def test_loops_in_loops_are_counted_exactly() -> None:
    assert t0("param n;\nL = seq (i = 1, n) seq (j = 1, i) delay(1);", n=10**12) == 10**12 * (10**12 + 1) // 2


@pytest.mark.parametrize("literal", ["1e400", "1" + "0" * 400, "1e-400", "0." + "0" * 399 + "1", "123456789e390"])
def test_literals_beyond_floats_are_exact(literal: str) -> None:
    assert t0(f"L = delay({literal});") == Fraction(literal)


NOT_WRITTEN_OUT = 2_000_000
"""Bytes: fewer than the digits of a number that is refused or stays a power, if it was computed, would take up."""


@pytest.mark.parametrize(
    "literal", ["1e9999999", "1e-9999999", "1e" + "9" * 5000, "9" * 10_001, "0." + "3" * 9999, "7e4001 ms"]
)
def test_literals_with_absurdly_many_digits_are_refused(literal: str) -> None:
    text, refusals = f"L = delay({literal});", list[str]()
    apet.compile_text(GOOD)  # loads modules
    peak = peak_memory(lambda: refusals.append(refusal(lambda: apet.compile_text(text))))
    assert refusals[0].startswith("<text>:1:11: error: this number has more than 4000 digits")
    assert peak < NOT_WRITTEN_OUT


@pytest.mark.parametrize("power", ["(1/3)^10^9", "3^-(10^12)"])
def test_powers_too_small_to_write_out_are_enclosed(power: str, machines: Machines) -> None:
    prediction = apet.predict(apet.compile_text(f"L = delay({power});"), machines)
    assert 0 <= prediction.lower.lo <= prediction.upper.hi < 1e-300


@pytest.mark.parametrize(
    "power",
    ["2^10^10", "10^9999^2", "(2 * n)^10^9", "n^10^9", "2^n^n", "(n + 1/2)^99999999"],
)
def test_powers_that_nobody_can_write_out_stay_powers(power: str, machines: Machines) -> None:
    def predict() -> None:
        app = apet.compile_text(f"param n = 20;\nL = delay({power});")
        assert "^" in str(app.T0)
        assert "a number is too large" in refusal(lambda: apet.predict(app, machines))

    apet.predict(apet.compile_text(GOOD), machines)  # loads modules
    assert peak_memory(predict) < NOT_WRITTEN_OUT


def test_a_result_that_no_float_holds_is_an_answer_in_words(machines: Machines) -> None:
    app = apet.compile_text("L = delay(1e400);")
    assert "a number is too large" in refusal(lambda: apet.predict(app, machines))


def test_a_result_that_is_too_small_for_a_float_is_zero(machines: Machines) -> None:
    prediction = apet.predict(apet.compile_text("L = delay(1e-400);"), machines)
    assert prediction.estimate == apet.Interval(0, 0)
    assert prediction.guaranteed.lo == 0
    assert 0 < prediction.guaranteed.hi < 1e-300


@pytest.mark.parametrize("value", ["1e301", "1e999999999", "1" * 400, "1/" + "3" * 400])
def test_values_with_absurdly_many_digits_are_refused(value: str, machines: Machines) -> None:
    app = apet.compile_text("param n;\nL = delay(n);")
    assert "more than 300 digits" in refusal(lambda: apet.predict(app, machines, n=value))


def test_huge_values_of_a_call_are_refused(machines: Machines) -> None:
    app = apet.compile_text("param n;\nL = delay(n);")
    assert "too large" in refusal(lambda: apet.predict(app, machines, n=10**5000))
    for value in (float("nan"), float("inf"), -float("inf")):
        assert "not a finite number" in refusal(partial(apet.predict, app, machines, n=value))


@pytest.mark.parametrize("kind", ["seq", "par"])
@pytest.mark.parametrize("bounds", ["1, 0", "0, -5", "1, 0.5", "3, 2 + 1/2 - 1", "10^20, 1"])
def test_an_empty_range_costs_nothing(kind: str, bounds: str) -> None:
    body = "{ sum_int[1]; delay(i + 10^30); use(disk, delay(10^30 - i)) }"
    app = apet.compile_text(f"L = {kind} (i = {bounds}) {body};")
    assert str(app.T0) == "0"
    assert app.T_total.evaluate({}) == 0


@pytest.mark.parametrize("kind", ["seq", "par"])
@pytest.mark.parametrize(("a", "b"), [(1, 0), (5, 2), (3, 3), (2, 6), (0, -1)])
def test_a_range_between_symbols_is_empty_where_its_ends_are_reversed(kind: str, a: int, b: int) -> None:
    text = f"param a in [-9, 9];\nparam b in [-9, 9];\nL = {kind} (i = a, b) delay(i * i);"
    found = [i * i for i in range(a, b + 1)]
    assert t0(text, a=a, b=b) == (sum(found) if kind == "seq" else max(found, default=0))


@pytest.mark.parametrize(("a", "b"), [(1, 0), (5, 2), (3, 3), (2, 6)])
def test_an_empty_sum_is_zero(a: int, b: int) -> None:
    text = "param a;\nparam b;\nL = delay(sum(i = a, b, i));"
    assert t0(text, a=a, b=b) == sum(range(a, b + 1))


@pytest.mark.parametrize("zero", ["-0", "0 * -1", "-0.0", "0 / -3", "-(1 - 1)", "0 % -7"])
def test_there_is_no_negative_zero(zero: str, machines: Machines) -> None:
    app = apet.compile_text(f"L = delay({zero});")
    assert str(app.T0) == "0"
    assert str(apet.predict(app, machines).estimate.lo) in ("0", "0.0")


def test_a_value_of_negative_zero_is_zero(machines: Machines) -> None:
    app = apet.compile_text("param n;\nL = delay(n);")
    assert str(apet.predict(app, machines, n=-0.0).estimate.lo) == "0.0"
