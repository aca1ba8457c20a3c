"""Queueing networks, and jobs with precedence that compete for stations.

In: TOML or JSON (`read`), or an application model under load. Out: throughput, response times, utilisations.
`mva` solves networks (exact, Schweitzer, Linearizer, bounds), `precedence` jobs whose tasks follow each other.
Start at `networks` and `jobs` (the data, in the terms of the field), then `answer` (which method for which problem).
"""
