"""Counts of a C task from one run: the source with counters in it, built and run here.

In: a translation, its source and flags, what the entry is given. Out: values of its parameters. Start at `profiling`.
"""
