"""Two predictions side by side: who is faster for sure, and where.

In: two applications, machine files or values. Out: a `Comparison`.
Start at `comparison` (data), then `compare` and `dominance` (stretches with one verdict, proved).
"""
