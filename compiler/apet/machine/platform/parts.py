"""What a platform is made of."""

from __future__ import annotations

from typing import NamedTuple

SHARED, FATPIPE = "SHARED", "FATPIPE"


class Link(NamedTuple):
    """A link: bytes per second, seconds of latency, and whether its flows share it ("SHARED") or each is limited alone
    ("FATPIPE")."""

    name: str
    bandwidth: float
    latency: float
    policy: str = SHARED


class Host(NamedTuple):
    """A computer: floating-point operations per second of one core, and how many cores."""

    name: str
    speed: float
    cores: int = 1


class Route(NamedTuple):
    """The links from one host to another, by number and in order, and the sum of their latencies in seconds."""

    links: tuple[int, ...]
    latency: float
