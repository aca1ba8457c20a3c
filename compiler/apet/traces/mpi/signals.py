"""Signals that end a recording, but not before what was recorded is kept."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Signals:
    """The first signal that came, by its name; empty if none did."""

    def __init__(self) -> None:
        self.name = ""

    def come(self, number: int, frame: FrameType | None) -> None:
        """Interrupt what is done; later signals do not interrupt the clearing up."""
        if not self.name:
            self.name = signal.Signals(number).name
            raise KeyboardInterrupt(self.name)


@contextmanager
def signalled() -> Iterator[Signals]:
    """Meanwhile what ends a process raises `KeyboardInterrupt`, once; only the main thread gets signals."""
    signals = Signals()
    if threading.current_thread() is not threading.main_thread():
        yield signals
        return
    before = {number: signal.signal(number, signals.come) for number in ENDING}
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
