"""The greatest or least of many long sums of varied parameters by a small C kernel, columns are read where they lie.

The bits are those of `bands`; a test holds them equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from apet.core import library
from apet.formula.columns import bands
from apet.formula.columns.bands import Band
from apet.formula.columns.columns import LEAST, MOST
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import Add, Extreme, NodeId, Symbol

if TYPE_CHECKING:
    from apet.formula.columns.plan import Evaluation

WIDEST = 8
"""Numbers in the widest vectors."""
LEAST_TERMS = 8
"""Shorter sums are as fast without the kernel."""
LEAST_FACTOR, MOST_FACTOR = bands.SMALL_FACTOR, 2.0**200


class Kernel:
    """A maximum or minimum of sums as a matrix of coefficients in compressed rows.

    Row k has the coefficients `factors[starts[k] : starts[k + 1]]` (float64) of the operands with these numbers in
    `columns` (int64), and `constants[k]` (float64); `starts` is int64 of shape (rows + 1,). `names` are the operands.
    """

    def __init__(self, graph: Graph, node: Extreme) -> None:
        sums = [graph.terms(row) for row in node.operands]
        operands = sorted({n for _, terms in sums for n, _ in terms})
        place = {n: k for k, n in enumerate(operands)}
        self.kind = node.kind
        self.names = [form.name for n in operands if isinstance(form := graph.nodes[n], Symbol)]
        self.factors = np.array([float(c) for _, terms in sums for _, c in terms])
        self.columns = np.array([place[n] for _, terms in sums for n, _ in terms], dtype=np.int64)
        self.starts = np.cumsum([0, *(len(terms) for _, terms in sums)], dtype=np.int64)
        self.constants = np.array([float(c) for c, _ in sums]) if any(c for c, _ in sums) else None
        # what rounding does to ones, it does to all that is not negative; constants are added last
        ones = [bands.total(0, [(Band(1.0), factor) for _, factor in terms]) for _, terms in sums]
        self.relative = max(bands.total(c, [(b, 1)]).relative for (c, _), b in zip(sums, ones, strict=True))

    def extreme(self, values: Sequence[NDArray[np.float64]], count: int, lanes: int = WIDEST) -> Band | None:
        """The value of each configuration; None where an operand is not within what arrays are trusted with. Vectors
        have at most so many `lanes`, fewer where the processor has no wider ones."""
        result = np.empty(count)
        matrix = len(self.starts) - 1, self.starts, self.columns, self.factors, self.constants
        given, least = (len(values), values, count), self.kind == "min"
        trustworthy = library().apet_extreme(*matrix, *given, least, LEAST, MOST, lanes, result)
        return Band(result[None], self.relative) if trustworthy else None

    def of(self, run: Evaluation) -> Band | None:
        """The value of each configuration; None where a column does not consist of floats that stand for themselves."""
        columns = [getattr(run.columns[name], "plain", None) for name in self.names]
        plain = [column for column in columns if column is not None and len(column) == run.count]
        return self.extreme(plain, run.count) if len(plain) == len(columns) else None


def kernels(graph: Graph, order: Sequence[NodeId], varied: Mapping[NodeId, bool]) -> dict[NodeId, Kernel]:
    """The maxima and minima of nothing but long sums of varied parameters, without extreme coefficients."""

    def suits(node: NodeId) -> bool:
        form = graph.nodes[node]
        if not isinstance(form, Add) or len(form.terms) < LEAST_TERMS:
            return False
        numbers: list[Any] = [c for _, c in form.terms] + ([form.constant] if form.constant else [])
        if not all(LEAST_FACTOR < c < MOST_FACTOR for c in numbers):
            return False
        return all(type(graph.nodes[n]) is Symbol and varied[n] and graph.nonnegative(n) for n, _ in form.terms)

    extremes = {n: form for n in order if isinstance(form := graph.nodes[n], Extreme)}
    return {n: Kernel(graph, form) for n, form in extremes.items() if all(suits(o) for o in form.operands)}
