"""The Java front end: task code to an application model, and nothing else."""

from apet.frontends.java.reading import PARSERS
from apet.frontends.java.translate import LEVELS, Translation, translate

__all__ = ["LEVELS", "PARSERS", "Translation", "translate"]
