"""How problems are solved: product form, jobs followed one by one, distributions of times, intervals.

In: `data`. Out: throughput, response times and their percentiles, utilisations. Start at `answer`, which chooses.
"""
