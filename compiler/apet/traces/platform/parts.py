"""What a platform is made of."""

from __future__ import annotations

from typing import NamedTuple

SHARED, FATPIPE = "SHARED", "FATPIPE"
MOST_PARTS = 1_000_000
"""Hosts and links of a platform, and ranks of a host file."""
MOST_ERRORS = 100
"""Errors that are told in one go."""


class Link(NamedTuple):
    """A link: bytes per second, seconds of latency, and whether its flows share it ("SHARED") or each is limited alone
    ("FATPIPE")."""

    name: str
    bandwidth: float
    latency: float
    policy: str = SHARED


class Host(NamedTuple):
    """A computer: floating-point operations per second of one core, how many cores, and how many times slower than
    that a core may be at any time (noise, stragglers)."""

    name: str
    speed: float
    cores: int = 1
    slowdown: float = 1.0


class Route(NamedTuple):
    """The links from one host to another, by number and in order, and the sum of their latencies in seconds."""

    links: tuple[int, ...]
    latency: float


class Factors(NamedTuple):
    """Factors of latency and bandwidth by size: the first for messages up to the first threshold in bytes (header
    included), one more behind each threshold."""

    thresholds: tuple[float, ...]
    latency: tuple[float, ...]
    bandwidth: tuple[float, ...]


SMPI = Factors(
    (0, 257, 732, 1426, 3484, 5776, 9376, 15424, 65472),
    (1.0, 2.01467, 1.95341, 1.9503, 1.61075, 1.88101, 2.18796, 2.59299, 3.48845, 11.6436),
    (1.0, 0.812084, 0.338112, 0.341987, 0.608902, 0.77493, 1.08739, 0.58729, 0.697866, 0.940694),
)
"""Those of SMPI, where a platform says nothing."""


ALGORITHMS = {
    "barrier": ("ompi_basic_linear", "ompi_recursivedoubling", "ompi_bruck", "ompi_tree"),
    "bcast": ("binomial_tree", "flattree"),
    "reduce": ("default", "binomial"),
    "allreduce": ("default", "lr", "rdb", "redbcast"),
    "allgather": ("default", "ring"),
    "alltoall": ("ompi", "ring", "bruck", "basic_linear"),
    "reduce_scatter": ("default", "ompi_ring"),
}
"""By collective the algorithms of SimGrid that are modelled, under its names: first SMPI's own."""


class Protocol(NamedTuple):
    """What sends and receives take of their ranks' time, and when transfers begin; sizes in bytes of payload."""

    small: int = 0  #: from how many bytes on a transfer begins when both sides are posted, not when it is sent
    eager: int = 65536  #: from how many bytes on a send waits for its transfer
    send: tuple[float, ...] = ()
    """Rows of three: bytes above which it holds (the first one holds below as well), seconds, seconds per byte; what a
    blocking send takes that returns at once."""
    isend: tuple[float, ...] = ()  #: the same, of a non-blocking send
    take: tuple[float, ...] = ()  #: the same, of a receive of what such a send has sent
    algorithms: tuple[int, ...] = (0,) * len(ALGORITHMS)  #: of collectives, by their places in `ALGORITHMS`


SMPI_PROTOCOL = Protocol()
"""That of SMPI, where a platform says nothing."""


class Network(NamedTuple):
    """Constants of the model of messages; those of SMPI, where a platform says nothing."""

    factors: Factors = SMPI
    window: float = 4194304.0  #: bytes of the transport's window
    weight_of_bandwidth: float = 8775.0  #: bytes that the inverse of a link's bandwidth weighs in p
    back: float = 0.05  #: the share of a flow's rate that it takes on the way back
    protocol: Protocol = SMPI_PROTOCOL
