from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.gradient import Gradient
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Number


def sums_of_products(r: Random, graph: Graph, names: list[str], count: int) -> list[list[tuple[NodeId, NodeId, int]]]:
    """Sums, each a list of (symbol, symbol, coefficient)."""
    symbols = [graph.symbol(n) for n in names]
    if r.random() < 0.3:  # every symbol is used once
        r.shuffle(symbols)
        pairs = list(zip(symbols[::2], symbols[1::2], strict=True))
        return [[(a, b, r.randint(-3, 5) or 1) for a, b in pairs]]
    found = []
    for _ in range(count):
        chosen = [r.sample(symbols, 2) for _ in range(r.randint(1, 12))]
        found.append([(a, b, r.randint(-3, 5) or 1) for a, b in chosen])
    return found


@settings(max_examples=100)
@given(st.integers(0, 2**32))
def test_the_greatest_of_sums_of_products_has_the_slopes_of_the_winning_sum(seed: int) -> None:
    r = Random(seed)
    graph = Graph()
    names = [f"x{k}" for k in range(12)]
    values: dict[str, Number] = {n: Fraction(r.randint(0, 30), r.choice((1, 7))) for n in names}
    sums = sums_of_products(r, graph, names, r.randint(1, 4))
    nodes = [graph.add([(graph.times(a, b), c) for a, b, c in s]) for s in sums]
    at = {graph.symbol(n): v for n, v in values.items()}
    costs = [sum(c * at[a] * at[b] for a, b, c in s) for s in sums]
    best = max(costs)
    found = Gradient(graph, graph.maximum(nodes)).derivatives(MappingEnvironment(values))
    assert found.value == best
    expected = []
    for s, cost in zip(sums, costs, strict=True):
        if cost == best:
            slopes = dict.fromkeys(names, Fraction(0))
            for a, b, c in s:
                for one, other in ((a, b), (b, a)):
                    slopes[graph.nodes[one].name] += c * Fraction(at[other])  # type: ignore[union-attr]
            expected.append({n: slope for n, slope in slopes.items() if slope})
    assert {n: slope for n, slope in found.symbols.items() if slope} in expected
