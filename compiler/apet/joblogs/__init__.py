"""Logs of distributed engines (Spark, Dask, Hadoop, task tables) as models: how long on other cores, and why.

In: event logs (`read`). Out: a replay at any number of cores, bounds as a cost model, what limits and what is wasted.
`rules` turn a log into units of work with precedence and delays, `replay` schedules them, `bounds` encloses schedules.
Start at `job_log` (data), then `rules.work_graph`, `replay` and `answer`.
"""
