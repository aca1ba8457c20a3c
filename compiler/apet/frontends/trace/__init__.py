"""Time-independent MPI traces: merged, one file per rank, or a list of files; plain or compressed."""

from apet.frontends.trace.reader import read_trace

__all__ = ["read_trace"]
