"""Laws of the compiled kernel: it says what arrays say, to the bit, or nothing."""

from __future__ import annotations

import random
from functools import partialmethod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.formula.evaluated_columns import evaluate

from apet.formula.columns.kernel import Kernel
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId


def wide(graph: Graph, rows: int, seed: int, kind: str) -> NodeId:
    """The greatest or least of sums of some of 24 symbols."""
    drawn = random.Random(seed)
    names = [graph.symbol(f"s{k}") for k in range(24)]
    sums = []
    for _ in range(rows):
        terms = [(names[k], drawn.randint(1, 9)) for k in drawn.sample(range(24), 10)]
        sums.append(graph.add(terms, drawn.choice([0, 0, 3])))
    return graph.maximum(sums) if kind == "max" else graph.minimum(sums)


@settings(max_examples=60, deadline=None)
@given(
    st.integers(2, 12),
    st.integers(1, 700),
    st.integers(0, 10**6),
    st.sampled_from(["max", "min"]),
    st.sampled_from([2, 4, 8]),
)
def test_vectors_of_each_width_give_the_bits_of_the_arrays(
    rows: int, count: int, seed: int, kind: str, lanes: int
) -> None:
    graph = Graph()
    root = wide(graph, rows, seed, kind)
    table = np.random.default_rng(seed).random((24, count)) * 10.0 ** np.random.default_rng(seed).integers(-9, 9)
    columns = {f"s{k}": column for k, column in enumerate(table + 1e-12)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "extreme", partialmethod(Kernel.extreme, lanes=lanes))
        by_kernel = evaluate(graph, [root], columns, threads=1)
        patch.setattr(Kernel, "extreme", lambda *_: None)
        by_arrays = evaluate(graph, [root], columns, threads=1)
    assert by_kernel[0].tobytes() == by_arrays[0].tobytes()
    assert by_kernel[1].tobytes() == by_arrays[1].tobytes()


@pytest.mark.parametrize("lanes", [2, 4, 8])
@pytest.mark.parametrize("odd", [-1.0, 0.0, float("nan"), float("inf"), 1e-200])
def test_what_arrays_do_not_trust_goes_past_the_kernel(odd: float, lanes: int) -> None:
    graph = Graph()
    root = wide(graph, 4, 1, "max")
    columns = {f"s{k}": np.ones(300) for k in range(24)}
    columns["s3"][217] = odd
    answers = []
    extreme = Kernel.extreme

    def watched(self: Kernel, values: Any, count: int) -> Any:
        answers.append(extreme(self, values, count, lanes))
        return answers[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Kernel, "extreme", watched)
        by_kernel = evaluate(graph, [root], columns, threads=1)
        patch.setattr(Kernel, "extreme", lambda *_: None)
        by_arrays = evaluate(graph, [root], columns, threads=1)
    assert answers == [None]
    np.testing.assert_array_equal(by_kernel[0], by_arrays[0])
