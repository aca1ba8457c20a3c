"""Zones that find the shortest ways over a table of routes."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apet.traces.platform.shortest import Dijkstra, Floyd, Shortest
from apet.traces.platform.zones import Hop, NoRoute

NAMES = "abcdef"
routes = st.dictionaries(
    st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)).filter(lambda p: p[0] != p[1]), st.integers(1, 4)
)


def zone(kind: type[Shortest], lengths: dict[tuple[str, str], int]) -> Shortest:
    """A zone with routes of so many links."""
    found = kind("z")
    found.elements = list(NAMES)
    for number, ((source, target), length) in enumerate(lengths.items()):
        found.add(source, target, Hop(tuple(range(10 * number, 10 * number + length)), "", ""))
    return found


def length(found: Shortest, source: str, target: str) -> int | None:
    """How many links there are on the way; it has to hang together."""
    try:
        hops = found.hop(source, target)
    except NoRoute:
        return None
    assert (hops[0][0], hops[-1][1]) == (source, target)
    assert all(a[1] == b[0] for a, b in pairwise(hops))
    return sum(len(hop.links) for _, _, hop in hops)


@given(routes)
def test_no_way_is_shorter(lengths: dict[tuple[str, str], int]) -> None:
    floyd, dijkstra = zone(Floyd, lengths), zone(Dijkstra, lengths)
    for source in NAMES:
        for target in set(NAMES) - {source}:
            way = length(floyd, source, target)
            assert way == length(dijkstra, source, target)
            for (a, b), last in lengths.items():
                before = 0 if a == source else length(floyd, source, a)
                if b == target and before is not None:
                    assert way is not None
                    assert way <= before + last


def test_of_equally_short_ways_each_has_its_own() -> None:
    """Over b, which the zone names first, or over c, which a route names first."""
    lengths = {("a", "c"): 1, ("c", "d"): 1, ("a", "b"): 1, ("b", "d"): 1}
    assert zone(Floyd, lengths).stops("a", "d") == ["a", "b", "d"]
    assert zone(Dijkstra, lengths).stops("a", "d") == ["a", "c", "d"]


@pytest.mark.parametrize("kind", [Floyd, Dijkstra])
def test_a_route_gives_way_to_a_shorter_way_around(kind: type[Shortest]) -> None:
    found = zone(kind, {("a", "b"): 3, ("a", "c"): 1, ("c", "b"): 1})
    assert found.stops("a", "b") == ["a", "c", "b"]
    found.add("a", "b", Hop((77,), "", ""))
    assert found.stops("a", "b") == ["a", "b"]


@pytest.mark.parametrize("kind", [Floyd, Dijkstra])
def test_a_route_to_oneself_is_taken_only_there(kind: type[Shortest]) -> None:
    found = zone(kind, {("a", "b"): 1, ("a", "a"): 1})
    assert [hop.links for _, _, hop in found.hop("a", "a")] == [(10,)]
    assert found.hop("b", "b") == []
    assert found.stops("a", "b") == ["a", "b"]
    with pytest.raises(NoRoute, match="no way from b to a"):
        found.hop("b", "a")
