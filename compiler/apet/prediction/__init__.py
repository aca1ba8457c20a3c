"""Formulas evaluated for a machine configuration: estimate, bounds, guaranteed interval, and what limits.

In: an `Application`, `Machines`, values of parameters. Out: a `Prediction`, in seconds.
Start at `predictor`; `binding` gives parameters their values, `environment` gives operations theirs, `columns` predicts
many configurations at once.
"""

from apet.prediction.predictor import Predictor, setting_of

__all__ = ["Predictor", "setting_of"]
