"""MPI programs on this machine: traces of what they compute and send, and figures of the network for a platform.

In: a program and its MPI (the recorder is built with the user's `mpicc`). Out: a trace; a platform file.
Start at `acquiring` (the recorder is C, in `wrapper/`), then `network` (ping-pong, fitted by pieces) and `rates`.
"""

from apet.traces.mpi.acquiring import Acquired, Order, acquire

__all__ = ["Acquired", "Order", "acquire"]
