"""Jobs whose tasks follow each other, over stations that they compete for.

In: jobs over stations, or an application model (`from_model`). Out: response times per class, utilisations.
Start at `solve`, then `simulation` (what is counted) and `circulation` (the state, in the compiled core).
"""
