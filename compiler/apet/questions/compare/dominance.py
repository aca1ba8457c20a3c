"""Who is faster as one quantity varies: stretches with one verdict, proved where a side is faster for sure.

A side is faster for sure over a whole interval if the enclosures of both times over it are disjoint. They are the hulls
of the guaranteed times at both ends where both bounds are proved to be monotone, else predictions over the interval.
Intervals are halved until that is proved, or until they are narrow.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from apet.formula.algebra.reduction import substitute
from apet.formula.evaluate.enclosure import Enclosure
from apet.formula.evaluate.rounding import down, up
from apet.formula.graph.nodes import NodeId
from apet.ground.activity import Activity
from apet.ground.interval import Interval, Number
from apet.prediction.binding import Bound, bind
from apet.prediction.prediction import Prediction
from apet.prediction.predictor import Predictor
from apet.questions.compare.comparison import PredictionPair, Stretch, Varied, Verdict, joined
from apet.questions.crossings import between
from apet.questions.solve.machine_figures import figure_space
from apet.questions.solve.prediction_cache import PredictionCache, Question
from apet.questions.solve.search_space import directions, parameter_space
from apet.questions.solve.solution import SearchSpace
from apet.questions.solve.solve import grid

RESOLUTION = 1e-6
PARTS = 32
"""An interval of one verdict that is not proved is not halved any more below this part of the range."""
DRAWN = 33
"""Values to draw a curve through."""
MOST_BOXES = 600
MOST_COSTLY_BOXES = 60


class Candidate(NamedTuple):
    """One side as a quantity varies: its prediction at a value, and an enclosure of its time over an interval."""

    at: Callable[[Number], Prediction]
    over: Callable[[Interval], Interval]
    cheap: bool


def candidate(question: Question, predictor: Predictor) -> tuple[Candidate, bool]:
    """A side of which the time contains the quantity, and whether only whole values are allowed; `ApetError` if not."""
    name = question.name
    trials = PredictionCache(predictor, question)
    if trials.figure:
        space, monotone = figure_space(predictor, name, question.within), True
    else:
        space = parameter_space(predictor, question.processors, question.settings, name, question.within)
        monotone = None not in directions(predictor, question.processors, question.settings, space)

    def over(interval: Interval) -> Interval:
        if monotone or interval.is_point:
            return _hull(*(trials.at(end).guaranteed for end in interval))
        return enclosures.guaranteed({**question.settings, name: interval})

    enclosures = Enclosures(predictor, question.processors)
    return Candidate(trials.at, over, monotone), space.whole


class Enclosures:
    """Guaranteed times over ranges of parameters by one interval evaluation of each bound: sure, if not as narrow as a
    prediction, which searches for the extremes."""

    def __init__(self, predictor: Predictor, processors: int | None) -> None:
        self.predictor = predictor
        self.processors = processors
        self._known: dict[frozenset[tuple[NodeId, NodeId]], tuple[Enclosure, ...]] = {}

    def guaranteed(self, settings: Mapping[str, Number | Interval]) -> Interval:
        """Between what all runs lie; `ApetError` as a prediction, which is made where a requirement is not proved."""
        predictor, graph = self.predictor, self.predictor.app.graph
        deployment = predictor.deployed(predictor.counted(self.processors, settings))
        bound = bind(predictor.app, deployment.P, settings)
        box = {n: Interval(v, v) for n, v in bound.points.items()} | bound.box(graph)
        lower, upper, required = self._enclosures(bound)
        with predictor.evaluating(bound.values):
            low = lower.run(deployment.over("tmin", box, exact=True))[0]
            high = upper.run(deployment.over("tmax", box, exact=True))[0]
            met = all(r.lo >= 0 for r in required.run(deployment.over("tmin", box, exact=True)))
        if not met or math.isinf(high.hi):
            return predictor.predict(self.processors, settings).guaranteed
        return Interval(down(max(0, low.lo)), up(high.hi))

    def _enclosures(self, bound: Bound) -> tuple[Enclosure, ...]:
        key = frozenset(bound.derived.items())
        if key not in self._known:
            app = self.predictor.app
            roots = [[app.lower.node], [app.upper.node], [r.node for r in app.requirements]]
            derived = [[substitute(app.graph, n, bound.derived) for n in nodes] for nodes in roots]
            self._known[key] = tuple(Enclosure(app.graph, nodes) for nodes in derived)
        return self._known[key]


def constant(predictor: Predictor, question: Question) -> Candidate:
    """A side that does not have the quantity."""
    prediction = predictor.predict(question.processors, question.settings)
    return Candidate(lambda value: prediction, lambda interval: prediction.guaranteed, True)


def _hull(a: Interval, b: Interval) -> Interval:
    return Interval(min(a.lo, b.lo), max(a.hi, b.hi))


def varied(first: Candidate, second: Candidate, space: SearchSpace, processors: int) -> Varied:
    """The stretches of the range, each with its verdict."""
    search = _Search(first, second, space, processors)
    for value in grid(space, DRAWN):
        search.pair(value)
    with Activity(f"comparing over {space.name}", "values", lambda: len(search.pairs), advice="narrow the range"):
        stretches = joined(search.run())
    curve = tuple((v, search.pairs[v]) for v in sorted(search.pairs))
    return Varied(space.name, processors, stretches, curve, RESOLUTION)


class _Search:
    def __init__(self, first: Candidate, second: Candidate, space: SearchSpace, processors: int) -> None:
        self.sides = (first, second)
        self.space = space
        self.processors = processors
        self.pairs: dict[Number, PredictionPair] = {}
        self.boxes = MOST_BOXES if first.cheap and second.cheap else MOST_COSTLY_BOXES

    def pair(self, value: Number) -> PredictionPair:
        if value not in self.pairs:
            self.pairs[value] = PredictionPair(self.processors, self.sides[0].at(value), self.sides[1].at(value))
        return self.pairs[value]

    def run(self) -> list[Stretch]:
        low, high = self.space.low, self.space.high
        waiting, stretches = [(low, high, 1.0)], list[Stretch]()
        while waiting:
            a, b, part = waiting.pop()
            left, right = self.pair(a).verdict, self.pair(b).verdict
            middle = between(a, b, self.space.whole)
            if left == right and self.proved(a, b, left):
                stretches.append(Stretch(a, b, left, True))
            elif middle is None or (left != right and self.narrow(a, b)) or self.boxes <= 0:
                stretches += self.parted(a, b, left, right)
            elif left == right and part < 1 / PARTS:
                stretches.append(Stretch(a, b, left, False))
            else:
                self.boxes -= 1
                waiting += [(middle, b, part / 2), (a, middle, part / 2)]

        return stretches

    def proved(self, a: Number, b: Number, verdict: Verdict) -> bool:
        """Whether one side is faster for sure all over an interval; of neighbouring whole numbers both are known."""
        if a == b or (self.space.whole and b - a <= 1):
            return True
        if not verdict.sure:
            return False
        one, two = (side.over(Interval(a, b)) for side in self.sides)
        return one.hi < two.lo or two.hi < one.lo

    def narrow(self, a: Number, b: Number) -> bool:
        return not self.space.whole and float(b - a) <= RESOLUTION * max(abs(float(a)), abs(float(b)))

    def parted(self, a: Number, b: Number, left: Verdict, right: Verdict) -> list[Stretch]:
        """An interval that is not divided further: with two verdicts only its ends belong to a stretch."""
        if left == right:
            return [Stretch(a, b, left, False)]
        return [Stretch(a, a, left, True), Stretch(b, b, right, True)]
