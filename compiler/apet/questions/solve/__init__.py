"""Inverse questions: for which values is a deadline met for sure, surely not met, or undecided.

In: an application, a deadline, what may vary. Out: a `Solution`.
Start at `solution` (data), then `solve`; `search_space` says where values may lie and how bounds move with them.
"""
