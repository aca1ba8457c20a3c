"""Sweeps: predictions for every point of a design space, in constant memory, resumable, on one core or a cluster."""
