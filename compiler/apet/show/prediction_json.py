"""Predictions for programs: the documented keys, numbers in full."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apet.cost import deep_recursion
from apet.prediction.prediction import Prediction
from apet.show.context import Occasion
from apet.show.formula_lines import text_of
from apet.show.plain import dumps, ends, plain


def predictions_json(occasion: Occasion, predictions: Sequence[Prediction], version: str) -> str:
    """One object with the formulas and a list of predictions; all times in seconds."""
    app = occasion.app
    with deep_recursion():
        formulas = {"T0": text_of(app.T0), "T": {label: text_of(load) for label, load in app.T.items()}}
    document: dict[str, Any] = {
        "apet": version,
        "model": app.name,
        "machines": occasion.file,
        **app.description(),
        "unit": occasion.unit,
        "entry": app.entry,
        "branches": app.setting.branches,
        "network": occasion.network,
        "schedule": occasion.schedule,
        "formulas": formulas,
        "predictions": [_prediction(p) for p in predictions],
    }
    return dumps(document)


def _prediction(p: Prediction) -> dict[str, Any]:
    return {
        "parameters": {name: plain(value) for name, value in p.parameters.items()},
        "estimate": ends(p.estimate),
        "lower": ends(p.lower),
        "upper": ends(p.upper),
        "guaranteed": ends(p.guaranteed),
        "exact": p.exact,
        "dominant": dict(p.dominant),
        "limits": [{"name": n, "seconds": plain(s), "share": plain(share)} for n, s, share in p.limits],
        "rules": list(p.rules),
    }
