"""The least and the greatest value of a formula over a box of parameter values, with the rule that found them.

In: a node and intervals for its symbols. Out: an enclosure and how sharp it is.
Start at `extremes`, then `monotone` and `search` (branch and bound).
"""
