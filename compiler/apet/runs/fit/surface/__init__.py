"""Fits over several parameters: sums of products of powers and logarithms, averaged, with intervals.

In: an `Experiment`. Out: predictions, and the likeliest sum as a formula. Start at `surface` (all together), then
`structures` (which sums), `average` (their predictions), `opinions` (plane and Gaussian process), `intervals`.
"""
