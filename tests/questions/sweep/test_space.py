"""Laws of design spaces: sizes without enumeration, rows from numbers, groups that cover every row once."""

from __future__ import annotations

from itertools import product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from apet.questions.sweep.ranges import Listed, Stepped
from apet.questions.sweep.space import Axis, DesignSpace, ordered

NAMES = ("n", "P", "t_a", "m", "machines")
SIZES = st.dictionaries(st.sampled_from(NAMES), st.integers(1, 5), min_size=1)
ZIPPED = Axis(("P", "k"), (Listed([1, 2, 1]), Listed([7, 8, 9])))


def _space(sizes: dict[str, int]) -> DesignSpace:
    axes = [Axis((name,), (Stepped(0 if name == "machines" else 1, 1, size),)) for name, size in sizes.items()]
    return DesignSpace(ordered(axes, frozenset({"t_a"})), frozenset({"t_a"}))


@given(SIZES)
def test_rows_are_the_product_with_the_last_axis_fastest(sizes: dict[str, int]) -> None:
    space = _space(sizes)
    cells = space.cells(0, space.size)
    found = list(zip(*(cells[name].tolist() for name in space.names), strict=True))
    ranges = [range(name != "machines", sizes[name] + (name != "machines")) for name in space.names]
    assert found == list(product(*ranges))


@given(SIZES)
def test_what_chooses_machines_varies_slowest_and_order_is_kept_otherwise(sizes: dict[str, int]) -> None:
    names = _space(sizes).names
    choosing = [n for n in sizes if n in ("P", "t_a", "machines")]
    assert list(names) == [*choosing, *(n for n in sizes if n not in choosing)]


@given(SIZES, st.data())
def test_any_rows_are_a_slice_of_all(sizes: dict[str, int], data: st.DataObject) -> None:
    space = _space(sizes)
    first = data.draw(st.integers(0, space.size - 1))
    last = data.draw(st.integers(first + 1, space.size))
    part, whole = space.cells(first, last), space.cells(0, space.size)
    for name in space.names:
        assert part[name].tolist() == whole[name][first:last].tolist()
    assert space.point(first) == {name: whole[name][first] for name in space.names}


@given(SIZES, st.booleans(), st.data())
def test_groups_hold_every_row_once_with_its_values(sizes: dict[str, int], zipped: bool, data: st.DataObject) -> None:
    space = _space({n: s for n, s in sizes.items() if not (zipped and n == "P")})
    if zipped:
        space = DesignSpace((*space.axes, ZIPPED), space.quantities)
    first = data.draw(st.integers(0, space.size - 1))
    last = data.draw(st.integers(first + 1, space.size))
    cells, seen, choices = space.cells(first, last), list[int](), list[object]()
    for group in space.groups(first, last):
        seen += group.places.tolist()
        choices.append(group.choice)
        for name, column in group.columns.items():
            assert column.tolist() == cells[name][group.places].tolist()
        for name in ("P", "machines", "t_a"):
            if name in cells:
                chosen = {"P": group.choice.processors, "machines": group.choice.machine}
                value = dict(group.choice.quantities).get(name, chosen.get(name))
                assert set(cells[name][group.places].tolist()) == {value}
    assert sorted(seen) == list(range(last - first))
    assert len(set(choices)) == len(choices)


def test_a_huge_space_has_a_size_and_rows_at_its_end() -> None:
    space = DesignSpace((Axis(("n",), (Stepped(1, 1, 10**9),)), Axis(("m",), (Stepped(1, 1, 10**9),))))
    assert space.size == 10**18
    assert space.point(10**18 - 1) == {"n": 10**9, "m": 10**9}
    assert space.bounds(space.chunks - 1)[1] == 10**18


@given(st.integers(1, 10**12))
def test_chunks_cover_all_rows_and_depend_on_the_size_alone(size: int) -> None:
    space = DesignSpace((Axis(("n",), (Stepped(1, 1, size),)),))
    assert space.bounds(0)[0] == 0
    assert space.bounds(space.chunks - 1)[1] == size
    assert space.bounds(space.chunks - 1)[0] < size
    assert space.chunk_rows & (space.chunk_rows - 1) == 0


def test_a_space_without_axes_is_one_point() -> None:
    space = DesignSpace(())
    assert (space.size, space.chunks, space.names, space.point(0)) == (1, 1, (), {})
    (group,) = space.groups(0, 1)
    assert np.array_equal(group.places, [0])
