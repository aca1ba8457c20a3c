"""One prediction for very many processors: loops over them as arrays, equal machines looked up once.

A float with a bound of its error stands for each exact number (`formula/columns`); where that does not decide, there is
no answer here, and the prediction is made step by step.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from apet.cost import CostModel
from apet.formula.columns import families
from apet.formula.columns.bands import Band
from apet.formula.columns.loops import TooWide
from apet.formula.columns.plan import BatchPlan
from apet.formula.graph.nodes import NodeId, Peak
from apet.ground.interval import Interval, Number
from apet.ground.records import NamedTuple
from apet.machine import End
from apet.prediction.column_items import MOST_ERROR, batch_of
from apet.prediction.deployment import Deployment

ENDS: tuple[End, End] = ("tmin", "tmax")
BOUNDS = 3
"""Roots before the limits: estimate, lower, upper."""


class ArrayEnds(NamedTuple):
    """The numbers of one end of the operation times, rounded outward where they guarantee something; the limits; and
    the busiest member of each family, by the node of its table."""

    estimate: float
    lower: float
    upper: float
    outward: Interval
    limits: tuple[float, ...]
    busiest: Mapping[NodeId, tuple[int, ...]]


class ArrayPredictor:
    """Predicts a cost model on many processors; made once per predictor."""

    def __init__(self, app: CostModel) -> None:
        self.graph = app.graph
        self.required = [r.node for r in app.requirements]
        self.tables = [r.table for r in app.resources if r.table is not None]
        limits = [app.T0.node, *(r.peak.node for r in app.resources)]
        self.roots = [app.T_total.node, app.lower.node, app.upper.node, *limits]
        self.plan = BatchPlan(app.graph, [*self.roots, *self.required], (), ())
        self.tabled = BatchPlan(app.graph, self.tables, (), ())

    def ends(self, deployment: Deployment, values: Mapping[str, Number]) -> tuple[ArrayEnds, ArrayEnds] | None:
        """Both ends; None where floats do not decide or a requirement may fail."""
        if not self.plan.supported or not any(self.plan.binding.values()):
            return None
        try:
            with np.errstate(all="ignore"):
                low, high = [self._side(deployment, values, end) for end in ENDS]
        except (TooWide, MemoryError):
            return None
        return None if low is None or high is None else (low, high)

    def _side(self, deployment: Deployment, values: Mapping[str, Number], end: End) -> ArrayEnds | None:
        numbers = [_one(b) for b in batch_of(self.plan, deployment, values, end).run({}, 1)]
        roots = len(self.roots)
        if not all(_sure(value, off) for value, off in numbers[:BOUNDS]):
            return None
        if not all(np.isfinite(value) for value, _ in numbers[BOUNDS:roots]):
            return None
        if any(not value >= off for value, off in numbers[roots:]):
            return None

        (estimate, _), (lower, below), (upper, above) = numbers[:BOUNDS]
        outward = Interval(_moved(lower, below, -np.inf), _moved(upper, above, np.inf))
        limits = tuple(value for value, _ in numbers[BOUNDS:roots])
        return ArrayEnds(estimate, lower, upper, outward, limits, self._busiest(deployment, values, end))

    def _busiest(self, deployment: Deployment, values: Mapping[str, Number], end: End) -> dict[NodeId, tuple[int, ...]]:
        members = {}
        if self.tables:
            batch = batch_of(self.tabled, deployment, values, end)
            for table in self.tables:
                node = self.graph.nodes[table]
                assert isinstance(node, Peak)
                member = families.busiest(batch, node)
                if member is not None:
                    members[table] = member
        return members


def _one(band: Band) -> tuple[float, float]:
    """The value and its distance of a band of one configuration."""
    return tuple(float(np.ravel(a)[0]) for a in (band.value, band.distance))  # type: ignore[return-value]


def _sure(value: float, off: float) -> bool:
    return bool(np.isfinite(value) and off <= MOST_ERROR * abs(value))


def _moved(value: float, off: float, to: float) -> float:
    if not off:
        return value
    return float(np.nextafter(value + np.copysign(off, to), to))
