"""Predictions under load: several runs of an application at a time compete for one machine."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence

from apet.answers.answer import Answer
from apet.api.kinds import MODEL
from apet.cli import arguments, rules
from apet.cli.errors import WrongCall
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.ground.notation import count, duration
from apet.prediction import Predictor

BACKENDS = ("bounds", "queueing")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options."""
    if not arguments.takes(parser, MODEL):
        return
    text = "bounds: one run alone (default); queueing: N runs at a time compete for the machine"
    parser.add_argument("--backend", choices=BACKENDS, default="bounds", help=text)
    jobs = parser.add_argument("--jobs", metavar="N", help="with --backend queueing: runs at a time (default: 1)")
    text = "with --backend queueing: mean pause before each run, as 2.5 or '500 ms' (default: 0)"
    think = parser.add_argument("--think", metavar="Z", help=text)
    for action in (jobs, think):
        rules.needs(action, "--backend queueing")


class LoadOptions:
    """What the options ask; `ApetError` where they make no sense together."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.wanted = options.backend == "queueing"
        if not self.wanted:
            return

        self.jobs = 1 if options.jobs is None else count("--jobs", options.jobs)
        self.think = 0.0 if options.think is None else float(duration("--think", options.think))
        if not self.jobs or self.think < 0:
            self._refuse("--jobs" if not self.jobs else "--think", "is out of range", "at least 1 job, 0 s or more")

    def answer(
        self, predictor: Predictor, processors: Sequence[int | None], values: Mapping[str, Number | Interval]
    ) -> Answer:
        """The answers for all numbers of processors."""
        # Loads numpy, which a prediction of one run alone does without.
        from apet.queueing.methods.precedence.under_load import under_load
        from apet.queueing.report.under_load import under_load_answer

        answers = [under_load(predictor, p, values, self.jobs, self.think) for p in processors]
        return under_load_answer(predictor.app.name, predictor.on_process[1].name, predictor.origin, answers)

    def _refuse(self, option: str, reason: str, advice: str) -> None:
        raise ApetError(WrongCall(None, None, f"{option} {reason}", advice))
