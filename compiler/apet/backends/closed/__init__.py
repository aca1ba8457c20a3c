"""Closed models out of other back ends: fits of runs, queueing networks and traces as formulas to ask questions of."""
