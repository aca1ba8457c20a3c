"""From a model to formulas, and from formulas to answers."""

from apet.analysis.application import Application, Resource, analyse, deep_recursion
from apet.analysis.costs import Setting

__all__ = ["Application", "Resource", "Setting", "analyse", "deep_recursion"]
