"""The simulator: runs a model event by event on a machine model, as a check of the bounds.

In: a `Model` and a machine configuration. Out: a makespan, in seconds.
Start at `simulation`, then `engine` (clock, servers, processes) and `program` (terms made ready to run).
"""
