"""Jobs whose tasks follow each other: one tagged job solved exactly, in the mean field of the others.

In: jobs over stations. Out: response times per class, utilisations.
Start at `solve` (which way fits), then `population_recursion` (MVA over tagged jobs) and `state_space` (one job).
"""
