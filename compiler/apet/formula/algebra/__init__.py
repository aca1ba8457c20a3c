"""Rewriting formulas: sums and maxima over ranges in closed form, substitution, where two formulas are equal.

In: nodes of a graph. Out: nodes of the same graph with the same value.
Start at `reduction` (loops in closed form), then `polynomial`.
"""
