"""PASL task graphs: batches of tasks and flows between them, as an application model.

In: a `.pasl` text and the models of its tasks. Out: one PAMELA-E model, or what there is to run.
Start at `syntax`, then `translate` (the stages in order) and `assembly` (the model that comes out).
"""

from apet.pasl.read import LEVELS
from apet.pasl.translate import Outcome, programs, read_model, translate

__all__ = ["LEVELS", "Outcome", "programs", "read_model", "translate"]
