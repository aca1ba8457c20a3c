"""The best that a quantity can reach over the range of what is sought: the reference of `solve --within`."""

from __future__ import annotations

from apet.ground.interval import Number
from apet.prediction.predictor import Predictor
from apet.questions.solve.prediction_cache import Question
from apet.questions.solve.solve import solve


def near(predictor: Predictor, question: Question, share: Number) -> Question:
    """The question with a limit that comes within a share of the best in its range; `ApetError` as `solve`."""
    best = best_of(predictor, question)
    return question._replace(deadline=best * (1 - share) if question.at_least else best * (1 + share))


def best_of(predictor: Predictor, question: Question) -> Number:
    """The end of the guaranteed interval that is sure to be reached at the best value tried; `ApetError` as `solve`."""
    solution = solve(predictor, question._replace(deadline=1, budget=None))
    ends = [p.guaranteed for _, p in ([solution.best] if solution.best else [])]
    ends += [p.guaranteed for p in solution.predictions.values()]
    return max(e.lo for e in ends) if question.at_least else min(e.hi for e in ends)
