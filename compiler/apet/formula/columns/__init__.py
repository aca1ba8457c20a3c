"""Formulas for many configurations at once, as arrays with proved error bounds; the only formulas that need numpy.

In: a node, and a column (one number per configuration) for each symbol. Out: a column with bounds on its rounding.
Start at `evaluate`, then `plan` (the order of operations) and `bands` (values with their error bounds).
"""
