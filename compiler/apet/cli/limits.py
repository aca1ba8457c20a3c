"""What `apet solve` must meet: a deadline, a target of another quantity, or what comes close to the best."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from apet.cli.durations import seconds
from apet.cli.errors import WrongCall, bad_option
from apet.cost import CostModel
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.ground.values import number
from apet.prediction import Predictor
from apet.questions.solve.best import best_of
from apet.questions.solve.solve import Question

USUAL = {"runs": "n", "queue": "N"}
"""What is asked for where nothing is said, by the kind of a cost model."""


class Limit(NamedTuple):
    """One of the three, by the option that names it."""

    option: str
    number: Number
    name: str | None

    def check(self, app: CostModel) -> None:
        """`ApetError` where the option does not fit the quantity that formulas are about."""
        seconds = app.unit == "s"
        if self.option == "--deadline" and not seconds:
            raise ApetError(WrongCall(None, None, f"{self.option}: {app.quantity} is no time", "give --target instead"))
        if self.option == "--target" and seconds:
            raise ApetError(
                WrongCall(None, None, f"{self.option}: what is asked for is a time", "give --deadline instead")
            )

    def usual(self, app: CostModel) -> str:
        """What is asked for where nothing is said; `ApetError` where nothing suggests itself."""
        if app.counts_processors:
            return "P"
        names = list(app.declared)
        name = USUAL.get(app.kind, "")
        if name in names:
            return name

        raise ApetError(WrongCall(None, None, "what is asked for?", f"name it with --for: {', '.join(names)}"))

    def value(self, predictor: Predictor, question: Question) -> Number:
        """The number that is to be met: given, or near the best that the range has."""
        if self.option != "--within":
            return self.number

        best = best_of(predictor, question)
        return best * (1 - self.number) if question.at_least else best * (1 + self.number)


def limit_of(options: argparse.Namespace) -> Limit:
    """The limit that was given; `ApetError` where it is none."""
    if options.deadline is not None:
        return Limit("--deadline", seconds("--deadline", options.deadline), options.name)

    if options.target is not None:
        return Limit("--target", number("--target", options.target), options.name)
    text = options.slack.strip()
    share = number("--within", text.rstrip("% "))
    share = share / 100 if text.endswith("%") else share
    if not 0 < share < 1:
        raise ApetError(bad_option("--within", options.slack, "it should lie between 0 and 100 %"))
    return Limit("--within", share, options.name)
