"""Laws of tables: columns line up, no line ends in a blank."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apet.show.tables import intervals, table

CELLS = st.text("abc1 ", max_size=8).map(str.strip)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=5))
def test_columns_line_up(rows: list[tuple[str, str, str]]) -> None:
    lines = table(["one", "two", "three"], rows, "><<", "")
    middle = max(3, *(len(row[0]) for row in rows)) + 4
    for line, row in zip(lines[1:], rows, strict=True):
        assert line == line.rstrip()
        assert line[middle:].startswith(row[1])


def test_intervals_align_both_ends() -> None:
    assert intervals(["612", "41"], ["790", "1,055"], "s") == ["612 …   790 s", " 41 … 1,055 s"]


def test_points_are_shown_once() -> None:
    assert intervals(["1.00", "2.00"], ["1.00", "2.00"], "ms") == ["1.00 ms", "2.00 ms"]
