"""The envelope of longest paths equals the longest path."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from apet.joblogs.envelope import PathLine, envelope, longest

LINES = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.integers(-50, 50)), min_size=1, max_size=8)
EDGES = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12)


def _before(count: int, edges: set[tuple[int, int]]) -> list[list[int]]:
    return [sorted({a for a, b in edges if b == k and a < k}) for k in range(count)]


@settings(max_examples=100, deadline=None)
@given(LINES, EDGES, st.fractions(0, 1, max_denominator=12))
def test_the_greatest_line_is_the_longest_path(
    lines: list[tuple[int, int, int]], edges: set[tuple[int, int]], x: Fraction
) -> None:
    before = _before(len(lines), edges)

    def weight(k: int, _: Fraction) -> PathLine:
        return PathLine(*lines[k])

    at_x = longest(before, weight, x).at(x)
    assert max(line.at(x) for line in envelope(before, weight)) == at_x
