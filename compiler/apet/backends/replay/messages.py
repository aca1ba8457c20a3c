"""Messages between ranks: who waits for what, and the matching of sends with receives, first in, first out."""

from __future__ import annotations

from collections import deque


class Request:
    """Something a rank may wait for; `waiter` is the rank that does."""

    __slots__ = ("computes", "done", "waiter")

    def __init__(self, computes: bool = False) -> None:
        self.done = False
        self.waiter = -1
        self.computes = computes


class Message:
    """A message of which at least one side is posted. The request of a side is None where nobody waits for it."""

    __slots__ = ("received", "receiver", "sender", "sent", "size", "source", "target")

    def __init__(self, source: int, target: int, size: int) -> None:
        self.source = source
        self.target = target
        self.size = size
        self.sent: Request | None = None
        self.received: Request | None = None
        self.sender = False
        self.receiver = False


Key = tuple[int, int, int]
Channels = dict[Key, deque[Message]]
"""Messages with one side posted, by source, destination and tag."""
