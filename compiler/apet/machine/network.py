"""What a message costs between two machines: latency and bandwidth of the network, and where a link differs."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from apet.ground.interval import Interval, Number
from apet.ground.records import Record

Topology = Literal["bus", "switch", "none"]
End = Literal["tmin", "tmax"]
ANY = "*"
TOPOLOGIES: tuple[Topology, ...] = ("bus", "switch", "none")


class MissingNetwork(LookupError):
    """The time of a message was asked for, and the machine model says nothing about the network."""


class MachineLink(Record):
    """An override for messages from one machine to another, both by name; `*` is every machine.

    `latency_s` (seconds) and `bandwidth_B_per_s` (bytes per second) are None where the link does not override them.
    """

    sender: str
    receiver: str
    latency_s: Interval | None = None
    bandwidth_B_per_s: Interval | None = None

    def covers(self, sender: str, receiver: str) -> bool:
        """Whether a message from one to the other, in this direction, passes over this link."""
        return self.sender in (ANY, sender) and self.receiver in (ANY, receiver)


class MachineNetwork(Record):
    """The network of a machine model.

    `topology` says what a message holds while it lasts: `bus` the one bus, `switch` the sender's output and the
    receiver's input, `none` nothing. Latency (seconds) and bandwidth (bytes per second, greater than 0) are both None
    where the file does not give them. `links` are in force one after the other: a later one overrides earlier ones.
    """

    topology: Topology = "none"
    latency_s: Interval | None = None
    bandwidth_B_per_s: Interval | None = None
    links: tuple[MachineLink, ...] = ()

    @property
    def is_known(self) -> bool:
        """Whether the time of a message can be said."""
        return self.latency_s is not None and self.bandwidth_B_per_s is not None

    def between(self, sender: str, receiver: str) -> tuple[Interval, Interval]:
        """Latency and bandwidth from one machine to another, by name.

        Raises `MissingNetwork` where the file gives none.
        """
        latency, bandwidth = self.latency_s, self.bandwidth_B_per_s
        if latency is None or bandwidth is None:
            raise MissingNetwork("the machine model has no network")

        # of several links that cover a pair the last counts, each for the figure that it gives
        for link in self.links:
            if link.covers(sender, receiver):
                latency = link.latency_s or latency
                bandwidth = link.bandwidth_B_per_s or bandwidth
        return latency, bandwidth


def both_ways(links: tuple[MachineLink, ...]) -> tuple[MachineLink, ...]:
    """Every link followed by its reverse, unless the file itself gives a link for the reverse direction.

    A cable works both ways, so `from = "a", to = "b"` also holds from b to a. A file that has a link from b to a as
    well (the same two names, exchanged) says what it wants for each direction, and nothing is added.
    """
    declared = {(link.sender, link.receiver) for link in links}
    directed: list[MachineLink] = []
    for link in links:
        directed.append(link)
        if (link.receiver, link.sender) not in declared:
            directed.append(MachineLink(link.receiver, link.sender, link.latency_s, link.bandwidth_B_per_s))
    return tuple(directed)


def message_time(latency: Interval, bandwidth: Interval, size: Number, end: End) -> float:
    """Seconds: tmin = latency low + size / bandwidth high, tmax = latency high + size / bandwidth low."""
    if end == "tmin":
        return float(latency.lo) + float(size) / float(bandwidth.hi)
    return float(latency.hi) + float(size) / float(bandwidth.lo)


def exact_message_time(latency: Interval, bandwidth: Interval, size: Number, end: End) -> Fraction:
    """As `message_time`, without any rounding; the size may be a number that is known between two ends (`log2(3)`)."""
    amount = Fraction(size) if isinstance(size, float) else size
    if end == "tmin":
        return Fraction(latency.lo) + amount / Fraction(bandwidth.hi)
    return Fraction(latency.hi) + amount / Fraction(bandwidth.lo)
