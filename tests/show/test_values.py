"""Laws of values of parameters as text."""

from __future__ import annotations

import pytest

import apet
from apet.ground.interval import Interval, Number
from apet.show.values import parameter_text

MODEL = "param W = 100 h; param m = 8 KiB; param n = 1e6; param r = 2 * W; L = delay(W + m / 1 MB/s * n + r);"


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("W", 360_000, "100 h"),
        ("W", 5400.0, "1.5 h"),
        ("W", Interval(3600, 7200), "1 h..2 h"),
        ("W", 1, "1 s"),  # long in hours
        ("m", 4096, "4 KiB"),
        ("n", 1_000_000, "1,000,000"),
        ("r", 7200, "7,200"),
    ],
)
def test_values_are_in_the_unit_that_the_model_writes(name: str, value: Number | Interval, shown: str) -> None:
    app = apet.compile_text(MODEL.replace("m / 1 MB/s", "m / (1 MB/s)"))
    assert parameter_text(app, name, value) == shown
