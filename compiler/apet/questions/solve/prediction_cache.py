"""Predictions at values of what is sought: a number of processors, a parameter, or a figure of the machines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apet.ground.interval import AskedRange, Interval, Number
from apet.prediction.prediction import Prediction
from apet.prediction.predictor import Predictor
from apet.questions.solve.machine_figures import is_figure, machines_with
from apet.questions.solve.solution import ENOUGH, NOT_ENOUGH, UNDECIDED


class Question(NamedTuple):
    """The deadline in seconds for P or a parameter, its range, and everything else that is set.

    `at_least`: the value is not to be above the deadline, but to reach it, as a throughput must.
    """

    deadline: Number
    name: str = "P"
    within: AskedRange | None = None
    processors: int | None = None
    settings: Mapping[str, Number | Interval] = {}
    budget: Number | None = None
    at_least: bool = False


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
            self.predictions[value] = self._predicted(value)
        return self.predictions[value]

    def _predicted(self, value: Number) -> Prediction:
        q = self.question
        if q.name == "P":
            return self.predictor.predict(int(value), q.settings)
        if self.figure and self.predictor.machines is not None:
            machines = machines_with(self.predictor.machines, q.name, value)
            return self.predictor.on(machines).predict(q.processors, q.settings)
        return self.predictor.predict(q.processors, {**q.settings, q.name: value})

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
