"""Formulas evaluated for a machine configuration: estimate, bounds, guaranteed interval, and what limits.

In: a `CostModel`, `Machines` where it needs them, values of parameters. Out: a `Prediction`.
Start at `predictor`; `binding` gives parameters their values, `deployment` and `environment` give operations theirs,
`columns` predicts many configurations at once.
"""

from apet.prediction.predictor import Predictor, setting_of

__all__ = ["Predictor", "setting_of"]
