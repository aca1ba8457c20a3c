"""Which term is the greatest: exactly at a point, and proved over a box of parameters and numbers of processors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.evaluation import Plan
from apet.formula.extremes.monotone import Steepness
from apet.formula.graph.nodes import NodeId, Rational
from apet.ground.interval import Interval, Number
from apet.machine import End
from apet.prediction.binding import bind
from apet.prediction.environment import MachineEnvironment
from apet.prediction.predictor import Predictor
from apet.questions.regions.environment import PointEnvironment
from apet.questions.regions.proofs import Box, Point, Prover
from apet.questions.regions.regions import Axis, logarithmic
from apet.questions.regions.segments import Segment, segments
from apet.questions.regions.terms import Stage, Terms

MOST_CHECKED = 20_000
"""Processors up to which requirements are checked, which may be loops over them."""


class Heights(NamedTuple):
    """The values of all terms at a point; `best` are the alternatives that have them; `top` is the greatest term."""

    values: tuple[Number, ...]
    best: tuple[NodeId, ...]
    top: int


class Landscape:
    """The terms of one application on one machine model, with one or two quantities left open."""

    def __init__(
        self,
        predictor: Predictor,
        terms: Terms,
        axes: Sequence[Axis],
        processors: int,
        given: Mapping[str, Number],
        end: End,
        fixed: Mapping[str, Rational],
    ) -> None:
        self.predictor = predictor
        self.app = predictor.app
        self.axes = axes
        self.given = given
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
        self._stages: dict[Segment, Stage] = {}
        self._heights: dict[tuple[Number, ...], Heights] = {}
        self._steep: dict[tuple[Stage, NodeId], Steepness] = {}
        self._plans: dict[tuple[Stage, NodeId], Plan] = {}
        self._enclosures: dict[Stage, Enclosure] = {}

    def segment(self, P: Number) -> Segment:
        """The segment of a number of processors."""
        return next(s for s in self.segments if s.low <= P <= s.high)

    def stage(self, P: Number) -> Stage:
        """The terms where P processors are in use."""
        segment = self.segment(P)
        if segment not in self._stages:
            configuration = self.predictor.machines.configure(segment.high)
            self._stages[segment] = Stage(
                self.app, self.terms, configuration, segment, self.varied, self.given, self.fixed, self.static
            )
        return self._stages[segment]

    # One point

    def processors(self, point: Point) -> int:
        """How many processors are in use at a point."""
        return int(point.get("P", self.segments[0].low))

    def values_of(self, point: Point) -> dict[str, Number]:
        """All parameters at a point; `ApetError` where one may not have its value."""
        named = {n: v for n, v in point.items() if n != "P" and self._is_parameter(n)}
        found = bind(self.app, self.processors(point), {**self.given, **named}).points
        return {**found, **{n: v for n, v in point.items() if n not in named}}

    def _is_parameter(self, name: str) -> bool:
        app = self.app
        return name in app.model.parameters or name in app.free_branches or name in app.processors

    def environment(self, point: Point) -> PointEnvironment:
        """Exact values of everything at a point."""
        P = self.processors(point)
        stage = self.stage(P)
        configuration = self.predictor.machines.configure(P)
        inner = MachineEnvironment(configuration, self.end, self.values_of(point), self.predictor.schedule, exact=True)
        return PointEnvironment(inner, stage.names, stage.dealing, self.static)

    def heights(self, point: Point) -> Heights:
        """All terms at a point, exactly."""
        key = tuple(point[n] for n in self.varied)
        if key not in self._heights:
            self._heights[key] = self._measured(point)
        return self._heights[key]

    def check(self, point: Point) -> None:
        """`ApetError` where a duration is negative, or a probability none, at a point of not very many machines."""
        if self.processors(point) <= MOST_CHECKED:
            configuration = self.predictor.machines.configure(self.processors(point))
            self.predictor._check(configuration, self.values_of(point))

    def seconds(self, point: Point) -> float:
        """What the terms are the extreme of, at a point."""
        if self.app.closed is not None and self.terms.of == "estimate":
            return float(self.predictor._guarded(lambda: self._total(point), dict(point)))
        heights = self.heights(point)
        return float(heights.values[heights.top]) * self.terms.sign

    def _total(self, point: Point) -> Number:
        """The estimate where it is made of its terms in another way than as their maximum."""
        configuration = self.predictor.machines.configure(self.processors(point))
        environment = MachineEnvironment(configuration, self.end, self.values_of(point), self.predictor.schedule)
        return Plan(self.app.graph, [self.app.T_total.node]).run(environment)[0]

    def _measured(self, point: Point) -> Heights:
        stage = self.stage(self.processors(point))
        found = iter(self.predictor._guarded(lambda: stage.plan.run(self.environment(point)), dict(point)))
        values, best = [], []
        for choice in stage.choices:
            value, node = max(((next(found), -k, n) for k, n in enumerate(choice)), key=lambda v: v[:2])[::2]
            values.append(value)
            best.append(node)
        top = max(range(len(values)), key=lambda k: (values[k], -k))
        return Heights(tuple(values), tuple(best), top)

    # A box

    def middle(self, box: Box) -> dict[str, Number]:
        """A point inside a box, by factors where an axis spans decades."""
        return {a.name: middle(box[a.name], a) for a in self.axes}

    def certify(self, box: Box) -> int | None:
        """The term that is the greatest all over a box within one segment, if that can be proved."""
        self.evaluations += 1
        point = self.middle(box)
        heights = self.heights(point)
        if all(x.is_point for x in box.values()):
            return heights.top
        top = heights.top
        prover = Prover(self, box)
        mine = prover.low(self.stage(self.processors(point)).choices[top])
        for k, choice in enumerate(prover.stage.choices):
            if k != top and not all(prover.below(n, top, heights.best[top], mine, k < top) for n in choice):
                return None
        return top

    def one_crossing(self, box: Box) -> tuple[int, int] | None:
        """The terms at both ends of the only axis, if it is proved that the second takes over from the first once."""
        name = self.varied[0]
        ends = [self.heights({name: e}) for e in box[name]]
        before, after = (h.top for h in ends)
        if before == after:
            return None
        prover = Prover(self, box)
        a, b = ends[0].best[before], ends[1].best[after]
        if not prover.rises(prover.stage.graph.minus(b, a)):
            return None
        minus = prover.stage.graph.minus
        for k, choice in enumerate(prover.stage.choices):
            for n in choice:
                rivals = ((a, before), (b, after))  # of equal terms the earlier one counts
                if n not in (a, b) and not any(prover.proved(minus(m, n), k < own) for m, own in rivals):
                    return None
        return before, after

    def steep(self, stage: Stage, node: NodeId) -> Steepness:
        """Slopes of a node, made once."""
        key = (stage, node)
        if key not in self._steep:
            self._steep[key] = Steepness(stage.graph, node)
        return self._steep[key]

    def plan(self, stage: Stage, node: NodeId) -> Plan:
        """The exact value of a node, made once."""
        key = (stage, node)
        if key not in self._plans:
            self._plans[key] = Plan(stage.graph, [node], exact=True)
        return self._plans[key]

    def enclosure(self, stage: Stage) -> Enclosure:
        """Enclosures of all alternatives that run through loops."""
        if stage not in self._enclosures:
            self._enclosures[stage] = Enclosure(stage.graph, stage.nodes)
        return self._enclosures[stage]


def middle(x: Interval, axis: Axis) -> Number:
    """The middle of an interval on an axis: by factors where the axis spans decades; whole where the axis is."""
    if x.is_point:
        return x.lo
    if logarithmic(axis) and x.lo > 0 and x.hi > 4 * x.lo:
        from math import exp, log

        found: Number = Fraction(exp((log(x.lo) + log(x.hi)) / 2))
    else:
        found = (Fraction(x.lo) + Fraction(x.hi)) / 2
    if axis.whole:
        return int(found // 1)
    rounded = Fraction(float(found))
    return rounded if x.lo < rounded < x.hi else found
