"""What the simulator asks of a machine model."""

from __future__ import annotations

from typing import Protocol

from apet.ground.interval import Number
from apet.machine.network import End


class Costs(Protocol):
    """Times in seconds and servers of processors 0..P; 0 is the coordinator.

    Every method may raise LookupError or ValueError for what it does not know; the simulator gives that a place.
    """

    @property
    def P(self) -> int:
        """How many processors are in use, the coordinator apart."""
        ...

    def time(self, op: str, p: int, end: End) -> float:
        """Seconds of one operation on processor p."""
        ...

    def send(self, p: int, q: int, size: Number, end: End) -> float:
        """Seconds of one message of `size` bytes from processor p to q."""
        ...

    def cores(self, p: int) -> int:
        """Servers of processor p."""
        ...

    def shares(self, tasks: int, schedule: str = "static") -> tuple[int, ...]:
        """Tasks of processors 1..P; index 0 is processor 1."""
        ...
