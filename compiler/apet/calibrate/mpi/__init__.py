"""MPI programs on this machine: traces of what they compute and send, and figures of the network for a platform."""

from apet.calibrate.mpi.acquiring import Acquired, Order, acquire

__all__ = ["Acquired", "Order", "acquire"]
