"""What the longest path through a trace is made of: shares by kind, rank, pair, action and loop.

In: lowered programs and their costs. Out: a `CriticalPath`, in seconds.
Start at `critical_path` (data), then `search` and `explaining`.
"""
