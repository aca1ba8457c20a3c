"""Event traces of other tools made time-independent: OTF2 (Score-P, TAU), Paraver (Extrae), DUMPI, GOAL, liballprof,
recordings of PyTorch, graphs of Chakra.

In: an archive or files. Out: a `Trace`. Start at `events`, what all of them say; then `reader`.
"""

from apet.traces.event_traces.reader import is_event_trace, read_event_trace
from apet.traces.event_traces.recordings import Window

__all__ = ["Window", "is_event_trace", "read_event_trace"]
