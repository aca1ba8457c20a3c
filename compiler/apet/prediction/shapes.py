"""Values that the order of a graph depends on: the model is compiled for each choice of them.

Over ranges of such values all choices are predicted where they are few; where they are not, the bounds of the formulas
hold for each, and the estimate lies between the estimate of the formulas, which is no more than it, and the upper one.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from apet.cost import CostModel
from apet.cost.open_shapes import KnownShape, OpenShape
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.prediction import errors
from apet.prediction.binding import Bound
from apet.prediction.deployment import Deployment
from apet.prediction.environment import MachineEnvironment
from apet.prediction.prediction import Prediction

MOST_CHOICES = 256
"""Choices of the values that ranges are taken apart into."""


def known_shape(shape: OpenShape, deployment: Deployment, bound: Bound) -> KnownShape:
    """What an open shape depends on; `ApetError` where some of that is a range."""
    for name in sorted(shape.names):
        if isinstance(bound.values.get(name), Interval):
            raise ApetError(errors.ShapeVaries(None, None, name))
    points = bound.points
    environment = deployment.environment("tmin", points, exact=True)
    shares = environment.item if shape.dealt and isinstance(environment, MachineEnvironment) else None
    return KnownShape({name: points[name] for name in sorted(shape.names)}, shape.loops, shares)


def choices(app: CostModel, bound: Bound) -> list[dict[str, Number]] | None:
    """All values of the ranges that an open shape depends on, one empty choice where there are none; None where they
    are too many, or not whole."""
    box = bound.box(app.graph)
    ranges = {name: box[name] for name in sorted(app.shaping & box.keys())}
    if not all(name in app.whole for name in ranges):
        return None
    if prod(int(r.hi) - int(r.lo) + 1 for r in ranges.values()) > MOST_CHOICES:
        return None
    rows = product(*(range(int(r.lo), int(r.hi) + 1) for r in ranges.values()))
    return [dict(zip(ranges, row, strict=True)) for row in rows]


def widened(by_formulas: Prediction) -> Prediction:
    """The prediction for a shape that is not known, of which formulas say the least: the estimate may be more."""
    estimate = Interval(by_formulas.estimate.lo, by_formulas.upper.hi)
    return by_formulas.replace(estimate=estimate, exact=False)


def enclosing(each: Sequence[Prediction], bound: Bound) -> Prediction:
    """One prediction that encloses those for each choice."""

    def ends(name: str) -> Interval:
        intervals: list[Interval] = [getattr(p, name) for p in each]
        return Interval(min(i.lo for i in intervals), max(i.hi for i in intervals))

    rules = [f"{len(each)} orders of a graph, each predicted", *(r for p in each for r in p.rules)]
    least, most = min(each, key=lambda p: p.estimate.lo), max(each, key=lambda p: p.estimate.hi)
    return most.replace(
        parameters={n: bound.values.get(n, v) for n, v in most.parameters.items()},
        estimate=ends("estimate"),
        lower=ends("lower"),
        upper=ends("upper"),
        guaranteed=ends("guaranteed"),
        exact=all(p.exact for p in each),
        dominant={"tmin": least.dominant["tmin"], "tmax": most.dominant["tmax"]},
        rules=tuple(dict.fromkeys(rules)),
    )
