"""Laws of estimates: they grow with the space, are of the right size, and read well."""

from __future__ import annotations

import time
from itertools import count

import pytest
from tests.questions.sweep.design import task

from apet.ground.diagnostics import ApetError
from apet.questions.sweep.estimate import amount, check_size, duration, estimate
from apet.questions.sweep.evaluator import Evaluator
from apet.questions.sweep.loop import encoder


def test_the_size_is_that_of_the_rows_within_a_tenth() -> None:
    t = task("P=2:4", "n=1000:1999")
    rows = Evaluator(t).rows(0, t.space.size)
    assert estimate(t).bytes == pytest.approx(len(encoder("csv")(t, rows)), rel=0.1)


def test_a_thousand_times_as_many_points_take_as_much_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", count(step=0.5).__next__)  # every piece takes half a second
    small, large = estimate(task("P=2", "n=1:1e6")), estimate(task("P=2", "n=1:1e9"))
    assert large.seconds == pytest.approx(1000 * small.seconds)
    assert 500 < large.bytes / small.bytes < 2000


def test_a_space_at_the_limit_is_swept_and_a_larger_one_refused() -> None:
    check_size(task("n=1:100"), 100)
    with pytest.raises(ApetError, match="101 points are more than 100: about"):
        check_size(task("n=1:101"), 100)


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [(0.5, "0.5 seconds"), (100, "100 seconds"), (7300, "2 hours"), (10**6, "12 days"), (1e11, "3,200 years")],
)
def test_a_duration_has_a_fitting_unit(seconds: float, shown: str) -> None:
    assert duration(seconds) == shown


@pytest.mark.parametrize(("size", "shown"), [(12, "12 bytes"), (1.5e6, "1.5 MB"), (5.6e14, "560 TB"), (2e18, "2 EB")])
def test_an_amount_has_a_fitting_unit(size: float, shown: str) -> None:
    assert amount(size) == shown
