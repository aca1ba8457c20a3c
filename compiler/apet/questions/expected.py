"""Mean run times beside predictions, where branches of parallel parts are left to chance.

In: predictions of one predictor. Out: the same with an `expectation` each, where it may be far from the estimate.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.cost import Application, Chance, CostModel
from apet.ground.activity import over
from apet.ground.notes import Note, NoteKind
from apet.prediction.prediction import Prediction
from apet.prediction.predictor import Predictor

MAXIMUM_OF_MEANS = (
    "Branches run at once here: the mean run time may be well above the estimate, which takes the maximum of their "
    "means. "
)
"""What a reader of estimates alone has to know."""


def with_expectations(predictor: Predictor, predictions: Sequence[Prediction]) -> list[Prediction]:
    """Predictions with the mean run time where branches of parallel parts are left to chance and it may be far from the
    estimate: some tens of milliseconds for each, a second where runs are long."""
    if not maximum_of_means(predictor.app) or not any(p.may_mislead for p in predictions):
        return list(predictions)

    from apet.questions.quantiles.expectation import Expectations  # loads numpy

    expectations = Expectations(predictor)
    return [
        prediction.replace(expectation=expectations.of(prediction)) if prediction.may_mislead else prediction
        for prediction in over(predictions, "simulating", "configurations")
    ]


def maximum_of_means(app: CostModel) -> bool:
    """Whether the estimate takes the maximum of means of branches that are left to chance."""
    return (
        isinstance(app, Application)
        and app.setting.branches in ("probability", "average")
        and app.chance == Chance.AT_ONCE
    )


def notes_on_estimates(app: CostModel, *, room: bool) -> tuple[Note, ...]:
    """What a reader of estimates without mean run times needs; `room`: whether a mean may be far from an estimate."""
    if not room or not maximum_of_means(app):
        return app.notes
    return (*app.notes, Note(NoteKind.MEANING, f"{MAXIMUM_OF_MEANS}apet predict and apet compare show the mean."))
