"""The backend that the others are checked against: formulas evaluated for a machine configuration."""

from apet.backends.bounds.predictor import Predictor, setting_of

__all__ = ["Predictor", "setting_of"]
