"""Jobs whose tasks follow each other: one tagged job solved exactly, in the mean field of the others.

In: jobs over stations. Out: response times per class, utilisations.
Start at `solve` (which way fits), then `tagged` (the fixed point) and `states` (the Markov chain of one job).
"""
