"""Sums that wait until somebody asks for them are the sums that would have been made at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apet.cost.serial import Serial, node_of, sum_of
from apet.formula.graph.graph import Graph

SHAPES = st.lists(st.lists(st.integers(0, 20), max_size=4), min_size=1, max_size=12)


@given(SHAPES, st.sets(st.integers(0, 12)))
def test_a_pending_sum_is_the_sum_made_at_once(shape: list[list[int]], asked: set[int]) -> None:
    graph = Graph()
    leaves = [graph.symbol(f"x{k}") for k in range(4)]
    pending: list[Serial] = list(leaves)
    known = list(leaves)
    for number, parts in enumerate(shape):
        chosen = [p % len(known) for p in parts]
        pending.append(sum_of(pending[p] for p in chosen))
        known.append(graph.plus(*(known[p] for p in chosen)))
        if number in asked:
            assert node_of(graph, pending[-1]) == known[-1]
    assert [node_of(graph, p) for p in pending] == known


def test_a_sum_of_itself_a_thousand_times_over_is_made_at_once() -> None:
    graph = Graph()
    found: Serial = graph.symbol("x")
    for _ in range(1000):
        found = sum_of((found, found))
    assert node_of(graph, found) == graph.scale(graph.symbol("x"), 2**1000)
    assert len(graph) < 10
