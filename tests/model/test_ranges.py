"""Declared ranges hold their ends and their own value."""

from __future__ import annotations

import pytest

from apet.ground.source import Source
from apet.model.check import check
from apet.model.pamela import parse


@pytest.mark.parametrize(
    ("declared", "reason"),
    [
        ("= 0 in [0, 1]", ""),
        ("= 1 in [0, 1]", ""),
        ("= 1 in [1, 1]", ""),
        ("in [1, 1]", ""),
        ("= 0.5 in [0, m]", ""),
        ("= -1 in [m, 1]", ""),
        ("= 2 in [m, 1]", "outside"),
        ("= 1.001 in [0, 1]", "outside"),
        ("= -0.001 in [0, 1]", "outside"),
        ("in [2, 1]", "empty"),
        ("= 3 in [2, 1]", "empty"),
    ],
)
def test_a_value_at_an_end_of_its_range_is_within_it(declared: str, reason: str) -> None:
    model = parse(Source("a.pam", f"param m; param q {declared}; L = delay(q + m);"))
    found = [diagnostic.text for diagnostic in check(model)[0]]
    assert len(found) == bool(reason)
    assert all(reason in text for text in found)
