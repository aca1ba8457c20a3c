"""Laws fitted to run times: power laws by phase (fractal), Downey's speed-up (ADEPT), sums of terms, and a blend.

In: points (size or processors, seconds). Out: an `Estimate` with an interval and how far to trust it.
Start at `methods` (which method when) and `recipe` (the default method on one page), then `downey`, `fractal`.
"""
