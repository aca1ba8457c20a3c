"""Laws of pictures: what is drawn is the prediction, axes say what they are, one processor count is enough."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from apet.ground.interval import Interval
from apet.prediction.prediction import Limit, Prediction
from apet.show.plots import interval_figure, save


def _prediction(processors: int, low: float, high: float) -> Prediction:
    dominant = {"tmin": "T0", "tmax": "T0"}
    ends = Interval(low, high)
    return Prediction(
        {"P": processors}, ends, ends, ends, Interval(low / 2, high * 2), False, dominant, (Limit("T0", high, 1.0),)
    )


def test_a_wide_range_is_drawn_on_logarithmic_axes() -> None:
    figure = interval_figure([_prediction(p, 100 / p, 150 / p) for p in (32, 2, 4, 8, 16, 1)], "a title")
    axes = figure.axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    assert axes.get_title() == "a title"
    x: Any = axes.lines[0].get_data()[0]
    assert [int(p) for p in x] == [1, 2, 4, 8, 16, 32]


def test_a_narrow_range_begins_at_zero_and_names_its_unit() -> None:
    axes = interval_figure([_prediction(p, 0.010, 0.012) for p in (2, 3)], "t").axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("linear", "linear")
    assert axes.get_ylim()[0] == 0
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("processors P", "run time [ms]")
    assert axes.get_legend() is not None


@pytest.mark.parametrize("times", [(1.0, 1.0), (0.0, 0.0)])
def test_one_configuration_and_points_can_be_drawn(times: tuple[float, float], tmp_path: Path) -> None:
    save(interval_figure([_prediction(4, *times)], "t"), str(tmp_path / "a.png"))
    assert (tmp_path / "a.png").stat().st_size > 1000
