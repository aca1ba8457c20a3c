"""Event traces of other tools made time-independent: OTF2 (Score-P, TAU), Paraver (Extrae), DUMPI, GOAL.

In: an archive or files. Out: a `Trace`. Start at `events`, what all of them say; then `reader`.
"""

from apet.traces.event_traces.reader import is_event_trace, read_event_trace

__all__ = ["is_event_trace", "read_event_trace"]
