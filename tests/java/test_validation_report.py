"""Summaries of validations agree with their definitions."""

from __future__ import annotations

import json
import math

import pytest

from apet.java.validate.points import Point, summary
from apet.java.validate.report import validation_json, validation_text

POINTS = [Point("a", 10, 2.0, (2.0,), 1.0, 4.0), Point("b", 20, 9.0, (9.0,), 1.0, 4.0)]


def test_coverage_width_and_error_are_those_of_the_points() -> None:
    found = summary(POINTS)
    assert (found.points, found.coverage) == (2, 0.5)
    assert found.width == pytest.approx(4.0)
    assert found.error == pytest.approx((1.0 + 4.5) / 2)


def test_a_point_is_inside_at_either_end_of_its_interval() -> None:
    assert all(Point("a", 1, t, (t,), 1.0, 4.0).inside for t in (1.0, 4.0))
    assert not any(Point("a", 1, t, (t,), 1.0, 4.0).inside for t in (math.nextafter(1, 0), math.nextafter(4, 5)))


def test_json_has_the_documented_keys() -> None:
    (row, _) = json.loads(validation_json(POINTS))
    assert row == {"name": "a", "n": 10, "measured_s": 2.0, "tmin": 1.0, "tmax": 4.0, "inside": True, "forks_s": [2.0]}


def test_the_table_shows_every_point_and_the_summary() -> None:
    text = validation_text(POINTS, "title")
    assert "1 of 2 inside (50%)" in text
    assert text.count("NO") == 1
