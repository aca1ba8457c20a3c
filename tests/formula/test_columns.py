"""Laws of formulas over columns: a value that is not NaN is as near to the exact one as its bound says."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formula.column_values import evaluate
from tests.formula.random_formulas import SYMBOLS, Maker, boxes, item_value, points

from apet.formula.columns import loops
from apet.formula.columns.bands import Band
from apet.formula.columns.columns import Slice, gathered, read
from apet.formula.columns.plan import BatchPlan
from apet.formula.evaluate.environment import EvaluationError, MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Number


class RandomItems:
    """The quantities of `item_value`, one at a time."""

    def item(self, name: str, subscripts: Sequence[Any], arguments: Sequence[Band]) -> Band:
        shape = np.broadcast_shapes(*(np.shape(s) for s in subscripts), *(np.shape(a.value) for a in arguments))
        found = np.empty(shape)
        errors = sum((2 * a.distance for a in arguments), 0.0) * np.ones(shape)
        wide = [np.broadcast_to(s, shape) for s in subscripts]
        sizes = [np.broadcast_to(a.value, shape) for a in arguments]
        for place in np.ndindex(shape):
            member, size = [float(w[place]) for w in wide], [float(s[place]) for s in sizes]
            if any(np.isnan([*member, *size])):
                found[place] = np.nan
            else:
                found[place] = item_value(name, tuple(map(int, member)), tuple(Fraction(a) for a in size))
        return Band(found, 0.0, errors + np.abs(found) * 2.0**-50)


def exact(graph: Graph, node: NodeId, values: dict[str, Number]) -> Number | None:
    try:
        return Plan(graph, [node], exact=True).run(MappingEnvironment(values, item_value))[0]
    except (EvaluationError, LookupError):
        return None


def columns_of(rows: Sequence[dict[str, Number]], names: Sequence[str]) -> dict[str, list[Number]]:
    return {name: [row[name] for row in rows] for name in names}


def banded(graph: Graph, node: NodeId, rows: Sequence[dict[str, Number]], varied: Sequence[str]) -> Band:
    plan = BatchPlan(graph, [node], varied, ())
    fixed = {name: value for name, value in rows[0].items() if name not in varied}
    columns = {name: Slice(_given(column), graph.nonnegative(graph.symbol(name)))
               for name, column in columns_of(rows, varied).items()}  # fmt: skip
    with np.errstate(all="ignore"):
        return plan.start(MappingEnvironment(fixed, item_value), RandomItems()).run(columns, len(rows))[0]


def _given(column: list[Number]) -> Any:
    found = gathered(column)
    return read(found) if isinstance(found, np.ndarray) else found


@given(st.integers(0, 10**9), st.booleans(), st.booleans())
def test_bounds_hold_for_random_formulas(seed: int, binding: bool, rational: bool) -> None:
    random = Random(seed)
    maker = Maker(random, binding, exact=rational)
    node = maker.formula(3)
    varied = random.sample(SYMBOLS, random.randint(1, len(SYMBOLS)))
    box = boxes(random)
    start = points(random, box, 1)[0]
    rows = [{**start, **{n: p[n] for n in varied}} for p in points(random, box, 4)]
    if not BatchPlan(maker.graph, [node], varied, ()).supported:
        return
    try:
        band = banded(maker.graph, node, rows, varied)
    except loops.TooWide:
        return
    value = np.broadcast_to(np.atleast_2d(band.value), (1, 4))[0]
    off = np.broadcast_to(np.atleast_2d(band.distance), (1, 4))[0]
    for k, row in enumerate(rows):
        if np.isfinite(value[k]) and np.isfinite(off[k]):
            expected = exact(maker.graph, node, row)
            assert expected is not None
            assert abs(Fraction(expected) - Fraction(float(value[k]))) <= Fraction(float(off[k])) + Fraction(1, 10**40)


def test_most_random_formulas_have_values_in_columns() -> None:
    sure = total = 0
    for seed in range(150):
        random = Random(seed)
        maker = Maker(random, binding=True)
        node = maker.formula(3)
        rows = points(random, boxes(random), 3)
        if BatchPlan(maker.graph, [node], SYMBOLS, ()).supported:
            band = banded(maker.graph, node, rows, SYMBOLS)
            sure += int(np.isfinite(np.broadcast_to(np.atleast_2d(band.value), (1, 3))).sum())
            total += 3
    assert sure > 0.7 * total


def wide(sums: int, terms: int, seed: int) -> tuple[Graph, NodeId, list[str]]:
    random, graph = Random(seed), Graph()
    names = [f"s{k}" for k in range(30)]
    found = []
    for _ in range(sums):
        drawn = random.sample(names, terms)
        constant = random.randint(0, 3)
        coefficients: list[int | Fraction] = [1, 3, Fraction(1, 3)]
        found.append(graph.add([(graph.symbol(n), random.choice(coefficients)) for n in drawn], constant))
    return graph, graph.maximum(found), names


@pytest.mark.parametrize(("sums", "terms", "count"), [(40, 12, 700), (1, 20, 513), (130, 10, 30)])
def test_wide_maxima_are_within_their_bounds_and_the_same_in_any_chunks(sums: int, terms: int, count: int) -> None:
    graph, root, names = wide(sums, terms, sums)
    table = np.random.default_rng(sums).random((30, count))
    columns = dict(zip(names, table, strict=True))
    found, errors = evaluate(graph, [root], columns, threads=1)
    plan = Plan(graph, [root], exact=True)
    for k in (0, 1, count // 2, count - 1):
        values = {n: Fraction(float(c[k])) for n, c in columns.items()}
        expected = Fraction(plan.run(MappingEnvironment(values))[0])
        assert abs(expected - Fraction(float(found[0, k]))) <= Fraction(float(errors[0, k]))
        assert errors[0, k] <= found[0, k] * 2.0**-46
    for cut in (1, 17, count - 1):
        parts = [evaluate(graph, [root], {n: c[a:b] for n, c in columns.items()}) for a, b in ((0, cut), (cut, count))]
        assert np.concatenate([p[0] for p in parts], axis=1).tobytes() == found.tobytes()
        assert np.concatenate([p[1] for p in parts], axis=1).tobytes() == errors.tobytes()


def test_negative_numbers_where_none_may_be_are_not_evaluated() -> None:
    graph, root, names = wide(40, 12, 1)
    table = np.ones((30, 3))
    table[:, 1] = -1.0
    found = evaluate(graph, [root], dict(zip(names, table, strict=True)))[0][0]
    assert np.isnan(found).tolist() == [False, True, False]


def test_whole_quotients_of_large_numbers_are_floored_exactly() -> None:
    graph = Graph()
    node = graph.call("floor", [graph.over(graph.symbol("n"), graph.symbol("k"))])
    numbers = [10**15, 10**15 - 1, 3 * 10**14 + 1, 7, 10**18]
    found, errors = evaluate(graph, [node], {"n": np.array(numbers), "k": np.array([3, 10, 3, 7, 10])})
    assert [int(v) for v in found[0]] == [n // k for n, k in zip(numbers, [3, 10, 3, 7, 10], strict=True)]
    assert not errors.any()


def test_a_sum_over_a_million_rounds_keeps_its_digits() -> None:
    graph = Graph()
    n, x = graph.symbol("n"), graph.symbol("x")
    index = graph.index("i", graph.one, n)
    body = graph.call("floor", [graph.over(index, x)])
    from apet.formula.algebra.reduction import sum_over

    node = sum_over(graph, index, graph.one, n, body)
    found, errors = evaluate(graph, [node], {"x": np.array([3, 7, 10**6])}, {"n": 10**6})
    for value, error, k in zip(found[0], errors[0], (3, 7, 10**6), strict=True):
        expected = sum(i // k for i in range(1, 10**6 + 1))
        assert abs(expected - value) <= error <= value * 2.0**-46
