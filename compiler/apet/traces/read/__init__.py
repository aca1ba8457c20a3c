"""Time-independent MPI traces: merged, one file per rank, or a list of files; plain or compressed.

In: a path. Out: a `Trace`, or every error with its line. Start at `reader`; `windows` reads as a replay needs it.
"""

from apet.traces.read.reader import read_trace

__all__ = ["read_trace"]
