"""The work of each line of a model on one configuration, in seconds."""

from __future__ import annotations

from collections.abc import Mapping

from apet.cost import deep_recursion
from apet.cost.line_costs import line_costs
from apet.formula.evaluate.evaluation import EvaluationError, Plan
from apet.ground.interval import Interval, Number
from apet.prediction.binding import bind
from apet.prediction.predictor import Predictor

LONGEST = 12
"""Terms of a sum or maximum that a formula beside a line shows."""


def line_work(
    predictor: Predictor, processors: int | None, settings: Mapping[str, Number | Interval]
) -> tuple[dict[int, tuple[float, str]], bool]:
    """(seconds at tmax, formula) by line number, all executions on all processors together; and whether none lacks.

    Parameters that range over an interval are taken at its middle.
    """
    app, _ = predictor.on_process
    costs, deployment = line_costs(app), predictor.deployed(processors)
    bound = bind(app, deployment.P, {n: _middle(v) for n, v in settings.items()})
    environment = deployment.environment("tmax", bound.points)
    work, complete = {}, costs.complete

    with deep_recursion():
        for line, formula in costs.lines.items():
            try:
                (seconds,) = Plan(formula.graph, [formula.node]).run(environment)
            except (EvaluationError, IndexError, KeyError, OverflowError, ZeroDivisionError):
                complete = False
                continue
            work[line] = (float(seconds), formula.text(LONGEST))
    return work, complete


def _middle(value: Number | Interval) -> Number:
    return (value.lo + value.hi) / 2 if isinstance(value, Interval) else value
