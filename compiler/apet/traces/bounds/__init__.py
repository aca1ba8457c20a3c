"""Bounds of a trace's makespan on a platform, as numbers and as formulas.

In: lowered programs and their costs. Out: [lower, upper] in seconds, or formulas in figures of the platform.
Start at `bounds`. The lower bound: `capacity_bound` (longest path, raised by what links must carry). The upper bound:
`fixed_point` (claims that imply themselves) over `neighbours` (long traces in parts) and `contention_delay`
(work-conserving links). Formulas: `formulas`.
"""
