"""The envelope of longest paths equals the longest path, and segments are what all paths go through."""

from __future__ import annotations

from array import array
from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from apet.joblogs.envelope import PathLine, envelope, longest
from apet.joblogs.rules.work import WorkUnit
from apet.joblogs.segments import segments

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

    at_x = max(line.at(x) for line in longest(before, weight, x))
    assert max(line.at(x) for line in envelope(before, weight)) == at_x


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 8), EDGES)
def test_a_unit_alone_in_its_segment_is_comparable_with_all_others(count: int, edges: set[tuple[int, int]]) -> None:
    before = _before(count, edges)
    nothing = array("q")
    units = [WorkUnit("", 0, k, tuple(b), 0, 0, nothing, nothing, (k,)) for k, b in enumerate(before)]
    behind = list[set[int]]()
    for needed in before:
        behind.append(set(needed).union(*(behind[p] for p in needed)))
    alone = {k for k in range(count) if all(k in behind[m] or m in behind[k] for m in range(count) if m != k)}
    parts = segments(units)
    assert [k for part in parts for k in part] == list(range(count))
    assert {part[0] for part in parts if len(part) == 1} >= alone
    assert {part[0] for part in parts if len(part) == 1 and len(parts) > 1} <= alone | {0, count - 1}
