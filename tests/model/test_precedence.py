"""The order of parts taken apart: exactly the order that was given, series and parallel parts wherever possible."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.model.precedence import AtOnce, InSeries, Order, Prime, decomposed, reduced, topological

After = list[list[int]]


@st.composite
def acyclic(draw: st.DrawFn, most: int = 9) -> After:
    """Parts in a drawn order, each behind some of those before it."""
    order = draw(st.permutations(range(draw(st.integers(1, most)))))
    after: After = [[] for _ in order]
    for k, part in enumerate(order):
        after[part] = draw(st.lists(st.sampled_from(order[:k]), unique=True)) if k else []
    return after


@st.composite
def nested(draw: st.DrawFn) -> After:
    """The order of nested series and parallel parts."""
    after: After = []

    def part(depth: int) -> list[int]:
        kind = draw(st.sampled_from(("one", "series", "parallel"))) if depth else "one"
        if kind == "one":
            after.append([])
            return [len(after) - 1]
        parts = [part(depth - 1) for _ in range(draw(st.integers(2, 3)))]
        for k, second in enumerate(parts if kind == "series" else ()):
            for one in second:
                after[one] += [n for first in parts[:k] for n in first]
        return [n for p in parts for n in p]

    part(3)
    return after


def closure(after: After) -> set[tuple[int, int]]:
    """All pairs of which the first comes before the second."""
    earlier: dict[int, set[int]] = {}
    for part in topological(after):
        earlier[part] = {n for one in after[part] for n in (one, *earlier[one])}
    return {(one, part) for part, before in earlier.items() for one in before}


def inside(order: Order) -> list[int]:
    """The parts in an order."""
    return [order] if isinstance(order, int) else [n for part in order.parts for n in inside(part)]


def kept(order: Order) -> set[tuple[int, int]]:
    """The pairs that an order keeps."""
    if isinstance(order, int):
        return set()
    pairs = {pair for part in order.parts for pair in kept(part)}
    sets = [inside(part) for part in order.parts]
    before: set[tuple[int, int]] = set()
    if isinstance(order, InSeries):
        before = set(combinations(range(len(sets)), 2))
    elif isinstance(order, Prime):
        before = closure([list(a) for a in order.after])
    return pairs | {(a, b) for first, second in before for a in sets[first] for b in sets[second]}


def primes(order: Order) -> int:
    """How many parts of an order are neither series nor parallel."""
    return 0 if isinstance(order, int) else isinstance(order, Prime) + sum(map(primes, order.parts))


@given(acyclic())
def test_the_order_is_kept_and_nothing_is_added(after: After) -> None:
    order = decomposed(after)
    assert sorted(inside(order)) == list(range(len(after)))
    assert kept(order) == closure(after)


@given(nested())
def test_nested_series_and_parallel_parts_are_found(after: After) -> None:
    assert primes(decomposed(after)) == 0


@given(acyclic())
def test_reducing_keeps_the_order_with_the_fewest_arcs(after: After) -> None:
    direct = [sorted(d) for d in reduced(after, topological(after))]
    assert closure(direct) == closure(after)
    for part, before in enumerate(direct):
        for one in before:
            without = [[n for n in d if (k, n) != (part, one)] for k, d in enumerate(direct)]
            assert (one, part) not in closure(without)


def test_the_smallest_order_that_is_neither() -> None:
    assert decomposed([[], [], [0], [0, 1]]) == Prime((0, 1, 2, 3), ((), (), (0,), (0, 1)))


def test_parts_that_wait_for_each_other_are_refused() -> None:
    with pytest.raises(ValueError, match="wait for each other"):
        decomposed([[1], [0]])


@pytest.mark.parametrize(
    ("after", "kind"),
    [
        ([[k - 1] if k else [] for k in range(10_000)], InSeries),
        ([[] for _ in range(10_000)], AtOnce),
        ([[], *([0] for _ in range(9_998)), list(range(1, 9_999))], InSeries),
        ([[]] * 300 + [list(range(300))] * 300, InSeries),
        ([[], *([2 * ((k - 1) // 2)] for k in range(1, 2_000))], InSeries),
    ],
    ids=["chain", "at once", "fork and join", "phases", "comb"],
)
def test_large_orders_are_taken_apart(after: After, kind: type) -> None:
    assert isinstance(decomposed(after), kind)
