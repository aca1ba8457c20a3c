"""Queueing networks, and jobs with precedence that compete for stations.

In: TOML or JSON (`read`), measurements (`measured`), or an application model under load. Out: throughput, response
times, utilisations. `methods.mva` solves networks, `methods.precedence` jobs whose tasks follow each other.
Start at `data.networks` and `data.jobs`, then `methods.answer` (which method for which problem).
"""
