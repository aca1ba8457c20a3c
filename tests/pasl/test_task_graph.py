"""The order of batches, against the flows that it is made of."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from apet.pasl.task_graph import cycle, levels, order, sorted_by_flow

Graph = tuple[list[str], dict[str, list[str]]]


@st.composite
def acyclic(draw: st.DrawFn, most: int = 8) -> Graph:
    """Names in a drawn order, and flows from earlier to later ones of another order."""
    names = [f"b{k}" for k in range(draw(st.integers(1, most)))]
    pairs = [(a, b) for k, a in enumerate(names) for b in names[k + 1 :]]
    chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    after: dict[str, list[str]] = {}
    for a, b in chosen:
        after.setdefault(a, []).append(b)
    return draw(st.permutations(names)), after


@st.composite
def series_parallel(draw: st.DrawFn) -> Graph:
    """A graph whose flows are those of nested series and parallel parts."""
    names: list[str] = []
    after: dict[str, list[str]] = {}

    def part(depth: int) -> list[str]:
        kind = draw(st.sampled_from(["one", "series", "parallel"])) if depth else "one"
        if kind == "one":
            names.append(f"b{len(names)}")
            return [names[-1]]
        parts = [part(depth - 1) for _ in range(draw(st.integers(2, 3)))]
        for first, second in pairwise(parts) if kind == "series" else ():
            for a in first:
                after.setdefault(a, []).extend(second)
        return [n for p in parts for n in p]

    part(3)
    return names, after


def closure(graph: Graph) -> set[tuple[str, str]]:
    """All pairs of which the first comes before the second."""
    names, after = graph
    found = {(a, b) for a in names for b in after.get(a, ())}
    while True:
        more = {(a, d) for a, b in found for c, d in found if b == c} - found
        if not more:
            return found
        found |= more


@given(acyclic())
def test_an_order_keeps_all_flows_that_no_others_imply(graph: Graph) -> None:
    plan = order(*graph)
    kept = {name: list(before) for name, before in zip(plan.names, plan.after, strict=True)}
    behind: dict[str, list[str]] = {}
    for name, before in kept.items():
        for one in before:
            behind.setdefault(one, []).append(name)
    assert list(plan.names) == graph[0]
    assert closure((graph[0], behind)) == closure(graph)


@given(series_parallel())
def test_nested_series_and_parallel_parts_are_no_graph(graph: Graph) -> None:
    assert order(*graph).is_series_parallel


@given(acyclic())
def test_levels_rise_along_every_flow_and_sorting_keeps_them(graph: Graph) -> None:
    names, after = graph
    level, place = levels(names, after), {n: k for k, n in enumerate(sorted_by_flow(names, after))}
    for a in names:
        for b in after.get(a, ()):
            assert level[a] < level[b]
            assert place[a] < place[b]


@given(acyclic(), st.data())
def test_a_cycle_is_found_if_and_only_if_there_is_one(graph: Graph, data: st.DataObject) -> None:
    names, after = graph
    assert cycle(names, after) == []
    a, b = data.draw(st.sampled_from(names)), data.draw(st.sampled_from(names))
    more = {**after, a: [*after.get(a, ()), b]}
    path = cycle(names, more)
    assert bool(path) == (a == b or (b, a) in closure(graph))
    if path:
        assert path[0] == path[-1]
        assert all(y in more.get(x, ()) for x, y in pairwise(path))
