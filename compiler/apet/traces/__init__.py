"""Time-independent MPI traces: replayed, bounded and explained on platforms that need not exist.

In: traces (`read`, `event_traces`) or a program to record (`mpi`), and a `platform`. Out: makespans, bounds, formulas.
`replay` follows SimGrid's SMPI model event by event, `bounds` holds lower and upper bounds, `critical` what the longest
path is made of, `fold` loops and equal ranks. Start at `trace` (data), then `replay.run` and `bounds.bounds`.
"""
