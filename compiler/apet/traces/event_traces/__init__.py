"""Event traces of other tools made time-independent: OTF2 (Score-P, TAU), Paraver (Extrae), DUMPI, GOAL, liballprof,
recordings of PyTorch, graphs of Chakra.

In: an archive or files. Out: a `Trace`. Start at `formats`, then `events`, what most of them say;
then `reader`.
"""
