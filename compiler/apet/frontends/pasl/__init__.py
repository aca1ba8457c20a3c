"""The PASL front end: a task graph to an application model, and nothing else."""

from apet.frontends.pasl.read import LEVELS
from apet.frontends.pasl.translate import Outcome, programs, read_model, translate

__all__ = ["LEVELS", "Outcome", "programs", "read_model", "translate"]
