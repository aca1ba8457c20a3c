"""Values of formulas over columns of parameters, for tests and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from apet.formula.columns.bands import NoItems
from apet.formula.columns.columns import FloatColumn, Slice, Values, gathered, in_chunks
from apet.formula.columns.plan import BatchPlan
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Number


def evaluate(
    graph: Graph,
    roots: Sequence[NodeId],
    columns: Mapping[str, Values],
    fixed: Mapping[str, Number] | None = None,
    threads: int = 2,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Values of the roots and bounds of their distances from the exact ones, both of shape (roots, configurations).

    A value is NaN where floats cannot tell it or there is none. `ValueError` for a formula that arrays cannot evaluate:
    one in which the members of a family that are held depend on the configuration.
    """
    plan = BatchPlan(graph, roots, columns, ())
    if not plan.supported:
        raise ValueError("which members of a family are held depends on the configuration")
    inputs = {name: gathered(values) for name, values in columns.items()}
    signs = {name: graph.nonnegative(graph.symbol(name)) for name in inputs}
    count = max(len(values) for values in columns.values())
    batch = plan.start(MappingEnvironment(fixed or {}), NoItems())
    results, errors = np.empty((len(roots), count)), np.empty((len(roots), count))

    def act(start: int, stop: int) -> None:
        chunk = {}
        for name, one in inputs.items():
            part = one.some(slice(start, stop)) if isinstance(one, FloatColumn) else one[start:stop]
            chunk[name] = Slice(part, signs[name])
        for k, band in enumerate(batch.run(chunk, stop - start)):
            results[k, start:stop], errors[k, start:stop] = band.value, band.distance

    in_chunks(act, count, 8192, threads)
    return results, errors
