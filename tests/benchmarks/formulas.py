"""Formulas built directly: wide and deep maxima, closed sums."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.benchmarks.measure import Row, Spread, Table, agree, alternate, child, rows_against, seconds

from apet.cost.application import deep_recursion
from apet.formula.algebra.reduction import sum_over
from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId


def wide(quick: bool) -> Table:
    """The maximum of sums of 20 symbols."""
    table = Table("wide", "Building the maximum of sums of 20 different symbols")
    branches = 8 if quick else 32
    ours = f"apet, {branches} branches"
    spread = alternate({ours: lambda: maximum_of_sums(Graph(), branches, 20)}, 5)[ours]
    _, report = child("sympy_max", [branches, 20])
    graph = Graph()
    root = maximum_of_sums(graph, branches, 20)
    agree(report["value"], float(Formula(graph, root).evaluate(_Ones())))
    table.rows.append(Row(ours, spread))
    once = report["seconds"]
    theirs = Row(f"sympy Max, {branches} branches", Spread.of([once]), against=ours, ratio=once / spread.middle)
    table.rows.append(theirs)
    for number in (100,) if quick else (1_000, 10_000):
        table.rows.append(Row(f"apet, {number:,} branches", repeated(partial(_built, number))))
    table.notes.append("sympy is run once: it compares all pairs of branches. Values agree with every symbol at 1.")
    return table


def deep(quick: bool) -> Table:
    """max(c + x, …) nested; sympy at a depth that it can bear."""
    from tests.benchmarks.peers.sympy_formulas import nested_maximum

    table = Table("deep", "Building max(c + max(c + …, x), x), nested")
    levels = 3 if quick else 6
    ours, theirs = f"apet, {levels} levels", f"sympy, {levels} levels"
    table.rows += rows_against(
        ours, alternate({ours: lambda: nested(Graph(), levels), theirs: lambda: nested_maximum(levels)}, 3)
    )
    many = 100 if quick else 1_000
    table.rows.append(Row(f"apet, {many:,} levels", repeated(lambda: nested(Graph(), many))))
    return table


def closed(quick: bool) -> Table:
    """A triple loop whose bounds depend on the outer loops."""
    from tests.benchmarks.peers.sympy_formulas import triple_sum, triple_sum_afresh

    table = Table("sum", "The sum over i = 1..n, j = i..n, k = j..n of i + 2 j k in closed form")
    acts = {
        "apet": lambda: triple(Graph()),
        "sympy Sum.doit, empty cache": triple_sum_afresh,
        "sympy Sum.doit, warm cache": triple_sum,
    }
    table.rows += rows_against("apet", alternate(acts, 3 if quick else 7))
    graph = Graph()
    mine = Formula(graph, triple(graph)).evaluate({"n": 50})
    peer = triple_sum()
    agree(float(mine), float(peer.subs(dict.fromkeys(peer.free_symbols, 50))), 0)
    table.notes.append(f"Both give {mine} for n = 50.")
    return table


def repeated(act: Callable[[], object], times: int = 5) -> Spread:
    """Wall seconds of a call, several times."""
    return Spread.of([seconds(act) for _ in range(times)])


def _built(branches: int) -> NodeId:
    return maximum_of_sums(Graph(), branches, 20)


class _Ones(dict[str, int]):
    def __missing__(self, name: str) -> int:
        return 1


def maximum_of_sums(graph: Graph, branches: int, terms: int) -> NodeId:
    """The maximum over branches of sums of different symbols."""
    symbol, add = graph.symbol, graph.add
    return graph.maximum([add([(symbol(f"x{b}_{t}"), 1) for t in range(terms)]) for b in range(branches)])


def nested(graph: Graph, levels: int) -> NodeId:
    """max(c + x, …) nested; different symbols on every level."""
    found = graph.symbol("z")
    with deep_recursion():
        for k in range(levels):
            found = graph.maximum([graph.plus(graph.symbol(f"c{k}"), found), graph.symbol(f"x{k}")])
    return found


def triple(graph: Graph) -> NodeId:
    """The triple sum, from the inside."""
    graph.integers.add("n")
    n, one = graph.symbol("n"), graph.one
    i = graph.index("i", one, n)
    j = graph.index("j", i, n)
    k = graph.index("k", j, n)
    body = graph.plus(i, graph.scale(graph.times(j, k), 2))
    return sum_over(graph, i, one, n, sum_over(graph, j, i, n, sum_over(graph, k, j, n, body)))
