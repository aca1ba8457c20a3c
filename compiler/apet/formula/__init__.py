"""Costs in symbols: an exact, hash-consed graph, independent of sympy.

In: sums, products, maxima and loops over symbols and operation times. Out: values, intervals, derivatives, texts.
Packages: `graph` (nodes and their normal form), `algebra` (closed sums, roots), `evaluate` (values of one
configuration), `columns` (values of many), `extremes` (ranges over boxes), `show` (text, LaTeX, sympy, code).
Start at `graph.nodes`, then `formula`.
"""

from apet.formula.formula import Formula
from apet.formula.graph.graph import Graph

__all__ = ["Formula", "Graph"]
