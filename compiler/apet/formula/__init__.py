"""The formula graph: exact, hash-consed, independent of sympy."""

from apet.formula.formula import Formula
from apet.formula.graph import Graph

__all__ = ["Formula", "Graph"]
