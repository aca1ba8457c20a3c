"""Predictions at values of what is sought: a number of processors, a parameter, or a figure of the machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.ground.interval import AskedRange, Interval, Number
from apet.prediction.prediction import Prediction
from apet.prediction.predictor import Predictor
from apet.questions.expected import with_expectations
from apet.questions.solve.machine_figures import is_figure, machines_with
from apet.questions.solve.solution import ENOUGH, NOT_ENOUGH, UNDECIDED


class Question(NamedTuple):
    """The deadline in seconds for P or a parameter, its range, and everything else that is set.

    `at_least`: the value is not to be above the deadline, but to reach it, as a throughput must. `among` are the
    numbers of processors to choose from, all in the range if empty.
    """

    deadline: Number
    name: str = "P"
    within: AskedRange | None = None
    processors: int | None = None
    settings: Mapping[str, Number | Interval] = {}
    budget: Number | None = None
    at_least: bool = False
    among: Sequence[int] = ()


class PredictionCache:
    """Predictions at values of what is sought, each made once."""

    def __init__(self, predictor: Predictor, question: Question) -> None:
        self.predictor = predictor
        self.question = question
        self.figure = question.name != "P" and is_figure(predictor.app, question.name)
        self.predictions: dict[Number, Prediction] = {}

    def at(self, value: Number) -> Prediction:
        """The prediction at one value; `ApetError` where it may not have it."""
        if value not in self.predictions:
            q = self.question
            processors = int(value) if q.name == "P" else q.processors
            settings = q.settings if q.name == "P" or self.figure else {**q.settings, q.name: value}
            self.predictions[value] = self._predictor(value).predict(processors, settings)
        return self.predictions[value]

    def with_mean(self, value: Number) -> Prediction:
        """The same, with the mean run time where branches at once are left to chance."""
        return with_expectations(self._predictor(value), [self.at(value)])[0]

    def _predictor(self, value: Number) -> Predictor:
        if self.figure and self.predictor.machines is not None:
            return self.predictor.on(machines_with(self.predictor.machines, self.question.name, value))
        return self.predictor

    def kind(self, value: Number) -> str:
        """Whether the deadline is met for sure, surely not, or it is not decided."""
        guaranteed = self.at(value).guaranteed
        if self.question.at_least:
            if guaranteed.lo >= self.question.deadline:
                return ENOUGH
            return NOT_ENOUGH if guaranteed.hi < self.question.deadline else UNDECIDED
        if guaranteed.hi <= self.question.deadline:
            return ENOUGH
        return NOT_ENOUGH if guaranteed.lo > self.question.deadline else UNDECIDED
