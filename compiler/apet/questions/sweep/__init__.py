"""Predictions for every point of a design space: constant memory, resumable, on one core or a cluster.

In: an application and a design space. Out: a CSV or Parquet file and a `SweepSummary`.
Start at `task` (a sweep as plain data), then `loop` and `evaluator`; `space` counts points without listing them.
"""
