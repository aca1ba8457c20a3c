from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.formula.evaluate.slopes_by_name import SlopesByName

SLOPES = st.dictionaries(st.text(max_size=3), st.integers(-2, 2) | st.floats(-1, 1), max_size=8)


@given(SLOPES)
def test_slopes_are_the_dictionary_of_what_is_not_zero(slopes: dict[str, float]) -> None:
    found = SlopesByName(tuple(slopes), list(slopes.values()))
    expected = {name: slope for name, slope in slopes.items() if slope}
    assert found == expected
    assert dict(found) == expected
    assert (len(found), list(found), repr(found)) == (len(expected), list(expected), repr(expected))
    assert {name: found.get(name, 0) for name in slopes} == slopes


def test_names_and_numbers_lie_side_by_side() -> None:
    found = SlopesByName(("a", "b"), [0, 2.5])
    assert list(zip(found.names, found.numbers, strict=True)) == [("a", 0), ("b", 2.5)]
    assert isinstance(found, Mapping)
    with pytest.raises(KeyError):
        found["a"]
