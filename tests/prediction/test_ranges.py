"""Ranges of parameters: what is refused, and between which ends the rest lies."""

from __future__ import annotations

import pytest

import apet
from apet.ground.interval import Interval
from apet.ground.source import Source
from apet.machine import Machines, parse_machines

FOUR = 'schema = 1\nname = "four"\n[[machine]]\nname = "m"\ncount = 4\n[machine.op_s]\na = [1.0, 2.0]\n'


@pytest.fixture(scope="module")
def four() -> Machines:
    return parse_machines(Source("four.toml", FOUR))


@pytest.mark.parametrize(
    ("seconds", "x", "ends"),
    [
        ("x^2 - 2*x + 1", (-3, 2), (0, 16)),
        ("3*x^2 - 2*x + 1/3", (0, 2), (0, 25 / 3)),
        ("ceil(x) - x", (0, 10), (0, 1)),
        ("x - floor(x)", (0, 10), (0, 1)),
        ("3*x - 3*floor(x)", (0, 10), (0, 3)),
        ("2*x*(sqrt(x*x + 1) - x)", (10, 20), (0.99751, 0.99938)),
    ],
)
def test_what_cancels_is_enclosed(four: Machines, seconds: str, x: tuple[int, int], ends: tuple[float, float]) -> None:
    app = apet.compile_text(f"param x = 1 in [-5, 20]; L = delay({seconds});", "range.pam")
    low, high = apet.predict(app, four, values={"x": Interval(*x)}).guaranteed
    assert 0 <= low <= ends[0] <= low + 0.05
    assert high - 0.05 <= ends[1] <= high


@pytest.mark.parametrize(
    ("text", "n", "ends"),
    [
        ("L = use(d[n], floor(log(3^5) / log(3)));", (3, 4), (5, 5)),
        ("L = delay(n + ceil(sqrt(10^100 + 1)) - 10^50);", (1, 2), (2, 3)),
        ("L = use(abs(n - 1), 1);", (2, 5), (1, 1)),
        ("L = par (i = 1, n / 2) { a[i]; a[1] };", (1, 3), (0, 4)),  # empty for n = 1
    ],
)
def test_jumps_and_empty_loops_over_ranges(
    four: Machines, text: str, n: tuple[int, int], ends: tuple[int, int]
) -> None:
    prediction = apet.predict(apet.compile_text(f"param n; {text}", "range.pam"), four, values={"n": Interval(*n)})
    assert prediction.guaranteed == Interval(*ends)
    assert prediction.estimate == Interval(*ends)


def test_the_difference_of_a_root_is_valid_for_large_numbers(four: Machines) -> None:
    app = apet.compile_text("param n; L = delay(n * (sqrt(n*n + 1) - n));", "range.pam")
    low, high = apet.predict(app, four, values={"n": Interval(10**19, 10**20)}).guaranteed
    assert 0 <= low < 0.5 <= high < 1


def test_digits_that_cancel_are_replaced_at_a_point(four: Machines) -> None:
    app = apet.compile_text("param n; L = delay(n * (sqrt(n*n + 1) - n));", "range.pam")
    prediction = apet.predict(app, four, values={"n": 10**20})
    assert prediction.guaranteed.lo == pytest.approx(0.5, rel=1e-9)
    assert prediction.guaranteed.hi == pytest.approx(0.5, rel=1e-9)


@pytest.mark.parametrize(
    ("seconds", "ends"),
    [
        ("1 + sqrt(x^2 + 1) - x", (1 + 0.4999995e-6, 1.0000005)),
        ("1 + (x + 1)^3 - x^3 - 3*x^2 - 3*x", (2, 2)),
        ("1 + (x + 1)^3 - x^3 - 3*x^2 - 3*x + floor(x/2) - floor(x/2 + 1/8)", (2, 2)),
    ],
)
def test_nearly_equal_terms_are_neither_refused_nor_wide(
    four: Machines, seconds: str, ends: tuple[float, float]
) -> None:
    app = apet.compile_text(f"param x; L = delay({seconds});", "range.pam")
    low, high = apet.predict(app, four, values={"x": Interval(10**6, 10**6 + 1)}).guaranteed
    assert low <= ends[0] <= low + 1e-6
    assert high - 1e-6 <= ends[1] <= high


def test_a_subscript_is_whole_wherever_a_range_is_cut(four: Machines) -> None:
    app = apet.compile_text("param m = 1; param P; L = { a[1 + abs(m - 3) % P]; delay(1/m) };", "range.pam")
    assert apet.predict(app, four, values={"m": Interval(1, 9)}).guaranteed == Interval(1 + 1 / 9 - 2.2e-16, 3)


@pytest.mark.parametrize(
    ("seconds", "what"),
    [
        ("x^2 - 2*x + 0.9", "this duration is -0.09"),
        ("x^4 - 4*x^3 + 6*x^2 - 4*x + 1", "it cannot be decided whether this duration is valid for all values"),
    ],
)
def test_only_what_is_negative_somewhere_is_called_negative(four: Machines, seconds: str, what: str) -> None:
    app = apet.compile_text(f"param x = 1 in [-5, 5]; L = delay({seconds});", "range.pam")
    with pytest.raises(apet.ApetError, match=r"range\.pam:1:") as error:
        apet.predict(app, four, values={"x": Interval(-3, 2)})
    assert what in str(error.value)


def test_no_time_over_a_range_is_negative(four: Machines) -> None:
    """The search for the least value stops within its tolerance of 0, which may be below it."""
    app = apet.compile_text("param m; param x; L = seq (i = 1, m) seq (j = 1, i) delay(ceil(x) - x);", "range.pam")
    prediction = apet.predict(app, four, values={"m": 1, "x": Interval(1, 2)})
    assert prediction.guaranteed.lo == prediction.estimate.lo == 0


def test_a_processor_that_an_empty_loop_names_has_some_cores() -> None:
    """What no run needs is left out over ranges as at a point, where it divides too."""
    two, one = (f'[[machine]]\nname = "{n}"\ncores = {n[1]}\n[machine.op_s]\na = [1.0, 2.0]\n' for n in ("m2", "m1"))
    lab = parse_machines(Source("unequal.toml", f'schema = 1\nname = "unequal"\n{two}{one}'))
    app = apet.compile_text("param n; param m; param x; L = par (i = 2, n) { a[m] || delay(x - floor(x)) };", "r.pam")
    prediction = apet.predict(app, lab, values={"n": 1, "m": 9, "x": Interval(0.5, 2.5)})
    assert prediction.guaranteed == Interval(0, 0)


def test_as_many_servers_as_rounds_do_not_cancel_where_there_are_none(four: Machines) -> None:
    """2 n / n is 2 for all n but 0, where nothing runs."""
    app = apet.compile_text("param n; resource r servers n; L = par (i = 1, n) use(r, 2);", "range.pam")
    assert apet.predict(app, four, values={"n": 0}).guaranteed == Interval(0, 0)
    assert apet.predict(app, four, values={"n": 3}).guaranteed.lo == 2
    assert apet.predict(app, four, values={"n": Interval(0, 2)}).guaranteed.lo == 0
