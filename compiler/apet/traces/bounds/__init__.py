"""Bounds of a trace's makespan on a platform, as numbers and as formulas.

In: lowered programs and their costs. Out: [lower, upper] in seconds, or formulas in figures of the platform.
Start at `bounds`. The lower bound: `early_dates` raised by `capacity_bound` (what links must carry). The upper bound:
`fixed_point` over claims that imply themselves, from `contention_delay` and `happens_before`. Formulas: `formulas`.
"""
