"""Replay of time-independent traces on a platform, event by event, with the cost model of SimGrid's SMPI.

In: a trace, a platform, the host of each rank. Out: a `Replay` with the makespan and each rank's times, in seconds.
Start at `run`, then `costs` (SMPI's piecewise factors for latency and bandwidth) and `lowering` (actions to programs).
"""

from apet.traces.replay.run import replay

__all__ = ["replay"]
