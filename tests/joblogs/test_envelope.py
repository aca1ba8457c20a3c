"""The envelope of longest paths equals the longest path."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from apet.formula.graph.nodes import Rational
from apet.joblogs.envelope import PathLine, envelope, longest

LINE = st.builds(PathLine, st.integers(0, 50), st.integers(0, 50), st.integers(-50, 50))
UNITS = st.lists(st.lists(LINE, min_size=1, max_size=2), min_size=1, max_size=8)
EDGES = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12)


def _before(count: int, edges: set[tuple[int, int]]) -> list[list[int]]:
    return [sorted({a for a, b in edges if b == k and a < k}) for k in range(count)]


@settings(max_examples=100, deadline=None)
@given(UNITS, EDGES, st.fractions(0, 1, max_denominator=12))
def test_the_greatest_line_is_the_longest_path(
    units: list[list[PathLine]], edges: set[tuple[int, int]], x: Fraction
) -> None:
    before = _before(len(units), edges)
    cores, share = x.denominator, x.numerator
    at_x = longest(before, units, x).at(cores, share)
    assert max(line.at(cores, share) for line in envelope(before, units)) == at_x
    ends: list[Rational] = []
    for needed, lines in zip(before, units, strict=True):
        weight = max(cores * (line.delays + line.tasks) + share * line.slope for line in lines)
        ends.append(weight + max((ends[k] for k in needed), default=0))
    assert at_x == max(ends)
