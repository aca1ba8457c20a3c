"""Which term is the greatest at a point of parameters and numbers of processors, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.nodes import NodeId, Rational
from apet.ground.interval import Interval, Number
from apet.machine import End
from apet.prediction.binding import bind
from apet.prediction.predictor import Predictor
from apet.questions.regions.environment import RegionPointEnvironment
from apet.questions.regions.regions import RegionAxis, logarithmic
from apet.questions.regions.segments import ProcessorSegment, segments
from apet.questions.regions.terms import SegmentTerms, Terms

Box = Mapping[str, Interval]
Point = Mapping[str, Number]
MOST_CHECKED = 20_000
"""Processors up to which requirements are checked, which may be loops over them."""


class TermValues(NamedTuple):
    """The values of all terms at a point; `best` are the alternatives that have them; `top` is the greatest term."""

    values: tuple[Number, ...]
    best: tuple[NodeId, ...]
    top: int


class TermMap:
    """The terms of one application on one machine model, with one or two quantities left open."""

    def __init__(
        self,
        predictor: Predictor,
        terms: Terms,
        axes: Sequence[RegionAxis],
        processors: int,
        settings: Mapping[str, Number],
        end: End,
        fixed: Mapping[str, Rational],
    ) -> None:
        self.predictor = predictor
        self.app = predictor.app
        self.axes = axes
        self.settings = settings
        self.end: End = end
        self.fixed = fixed
        self.terms = terms
        self.names = terms.names
        self.static = predictor.schedule == "static"
        self.evaluations = 0
        self.varied = [a.name for a in axes]

        own = next((a for a in axes if a.name == "P"), None)
        low, high = (int(own.low), int(own.high)) if own else (processors, processors)
        self.segments = list(segments(predictor.machines, low, high))

        self._terms: dict[ProcessorSegment, SegmentTerms] = {}
        self._values: dict[tuple[Number, ...], TermValues] = {}

    def segment(self, P: Number) -> ProcessorSegment:
        """The segment of a number of processors."""
        return next(s for s in self.segments if s.low <= P <= s.high)

    def segment_terms(self, P: Number) -> SegmentTerms:
        """The terms where P processors are in use."""
        segment = self.segment(P)
        if segment not in self._terms:
            deployment = self.predictor.deployed(segment.high)
            self._terms[segment] = SegmentTerms(
                self.app, self.terms, deployment, segment, self.varied, self.settings, self.fixed, self.static
            )
        return self._terms[segment]

    # One point

    def processors(self, point: Point) -> int:
        """How many processors are in use at a point."""
        return int(point.get("P", self.segments[0].low))

    def values_of(self, point: Point) -> dict[str, Number]:
        """All parameters at a point; `ApetError` where one may not have its value."""
        named = {n: v for n, v in point.items() if n != "P" and self.app.settable(n)}
        bound = bind(self.app, self.processors(point), {**self.settings, **named}).points
        return {**bound, **{n: v for n, v in point.items() if n not in named}}

    def environment(self, point: Point) -> RegionPointEnvironment:
        """Exact values of everything at a point."""
        P = self.processors(point)
        terms, deployment = self.segment_terms(P), self.predictor.deployed(P)
        return RegionPointEnvironment(deployment, self.end, self.values_of(point), terms.names, terms.dealing)

    def values_at(self, point: Point) -> TermValues:
        """All terms at a point, exactly."""
        key = tuple(point[n] for n in self.varied)
        if key not in self._values:
            self._values[key] = self._measured(point)
        return self._values[key]

    def check(self, point: Point) -> None:
        """`ApetError` where a duration is negative, or a probability none, at a point of not very many machines."""
        if self.processors(point) <= MOST_CHECKED:
            self.predictor.check(self.predictor.deployed(self.processors(point)), self.values_of(point))

    def seconds(self, point: Point) -> float:
        """What the terms are the extreme of, at a point."""
        if self.terms.of == "estimate" and not self.app.on_machines:
            with self.predictor.evaluating(dict(point)):
                return float(self._total(point))
        values = self.values_at(point)
        return float(values.values[values.top]) * self.terms.sign

    def _total(self, point: Point) -> Number:
        """The estimate where it is made of its terms in another way than as their maximum."""
        deployment = self.predictor.deployed(self.processors(point))
        environment = deployment.environment(self.end, self.values_of(point))
        return Plan(self.app.graph, [self.app.T_total.node]).run(environment)[0]

    def _measured(self, point: Point) -> TermValues:
        terms = self.segment_terms(self.processors(point))
        with self.predictor.evaluating(dict(point)):
            alternatives = iter(terms.plan.run(self.environment(point)))
        values, best = [], []
        for choice in terms.choices:
            value, node = max(((next(alternatives), -k, n) for k, n in enumerate(choice)), key=lambda v: v[:2])[::2]
            values.append(value)
            best.append(node)
        top = max(range(len(values)), key=lambda k: (values[k], -k))
        return TermValues(tuple(values), tuple(best), top)

    def middle(self, box: Box) -> dict[str, Number]:
        """A point inside a box, by factors where an axis spans decades."""
        return {a.name: middle(box[a.name], a) for a in self.axes}


def middle(x: Interval, axis: RegionAxis) -> Number:
    """The middle of an interval on an axis: by factors where the axis spans decades; whole where the axis is."""
    if x.is_point:
        return x.lo
    if logarithmic(axis) and x.lo > 0 and x.hi > 4 * x.lo:
        from math import exp, log

        centre: Number = Fraction(exp((log(x.lo) + log(x.hi)) / 2))
    else:
        centre = (Fraction(x.lo) + Fraction(x.hi)) / 2
    if axis.whole:
        return int(centre // 1)

    # a short fraction keeps exact arithmetic fast; neighbouring floats have none between them
    rounded = Fraction(float(centre))
    return rounded if x.lo < rounded < x.hi else centre
