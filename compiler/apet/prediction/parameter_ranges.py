"""The range of an expression of parameters alone, and where the ends of a monotone cost model lie."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

from apet.cost import CostModel
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.extremes.enclosing import NamedIntervals
from apet.formula.extremes.extremes import extremes
from apet.formula.graph.nodes import NodeId
from apet.ground.interval import Interval, Number

MOST_CORNERS = 4096
"""Up to this many are tried; more take longer than a search."""


def range_of(app: CostModel, node: NodeId, points: Mapping[str, Number], box: Mapping[str, Interval]) -> Interval:
    """The range of an expression of parameters alone."""
    plan, enclosure = Plan(app.graph, [node], exact=True), Enclosure(app.graph, [node])

    def at(values: Mapping[str, Number]) -> Number:
        return plan.run(MappingEnvironment({**points, **values}))[0]

    def over(part: Mapping[str, Interval]) -> Interval:
        return enclosure.run(NamedIntervals({n: Interval(v, v) for n, v in points.items()} | dict(part)))[0]

    ends = extremes(app.graph, node, box, app.whole, at, over)
    return Interval(ends.lo, ends.hi)


def corners(app: CostModel, box: Mapping[str, Interval]) -> list[dict[str, Number]] | None:
    """Where the ends of a model lie that is monotone in each parameter, piece by piece; None for others."""
    if any(name not in app.breaks for name in box):
        return None
    choices = []
    for name, x in box.items():
        inner = [b for b in app.breaks[name] if x.lo < b < x.hi]
        choices.append((x.lo, *(map(int, inner) if name in app.whole else inner), x.hi))
    if prod(map(len, choices)) > MOST_CORNERS:
        return None
    return [dict(zip(box, corner, strict=True)) for corner in product(*choices)]
