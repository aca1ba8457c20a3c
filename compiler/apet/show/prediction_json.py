"""Predictions as JSON: the documented keys, numbers in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apet.cost import deep_recursion
from apet.prediction.prediction import Prediction
from apet.show.context import PredictionContext
from apet.show.formula_lines import text_of
from apet.show.plain import dumps, ends, record


def predictions_json(context: PredictionContext, predictions: Sequence[Prediction], version: str) -> str:
    """One object with the formulas and a list of predictions; all times in seconds."""
    app = context.app
    with deep_recursion():
        formulas = {"T0": text_of(app.T0), "T": {label: text_of(load) for label, load in app.T.items()}}

    document: dict[str, Any] = {
        **context.json_head(version),
        "unit": context.unit,
        "entry": app.entry,
        **context.json_setting,
        "formulas": formulas,
        "predictions": [_prediction(p) for p in predictions],
    }
    return dumps(document)


def _prediction(prediction: Prediction) -> dict[str, Any]:
    """The fields of a prediction under their names; intervals of times as tmin and tmax."""
    intervals = {name: ends(getattr(prediction, name)) for name in ("estimate", "lower", "upper", "guaranteed")}
    fields = record(prediction, "expectation") | intervals
    if prediction.expectation is None:
        return fields
    mean = prediction.expectation
    sure = {"runs": mean.runs, "error": mean.error, "waiting": mean.waiting}
    return fields | {"expectation": ends(mean.seconds) | sure}
