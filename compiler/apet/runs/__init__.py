"""Predictions from measured runs, without a model of the application.

In: files of runs or profiles (`read`), or a command (`measure`). Out: predictions with intervals, laws as formulas.
`fit` holds the methods: fractal, ADEPT's speed-up after Downey, linear terms, and their blend.
Start at `measurements` (data), then `fit.methods` and `answer` (all that is asked of a curve at once).
"""
