"""What can be wrong with a platform file or a host file, and with a platform as a whole."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class NotXml(Diagnostic):
    """A text that is no XML."""

    message: ClassVar[str] = "this is not XML: {problem}"
    problem: str


class Entity(Diagnostic):
    """A file that declares entities."""

    message: ClassVar[str] = "a platform file may not declare entities ('{name}')"
    hint: ClassVar[str] = "write the text itself where the entity is used"
    name: str


class NotAPlatform(Diagnostic):
    """XML of another kind."""

    message: ClassVar[str] = "this is a <{found}>, not a <platform>"
    hint: ClassVar[str] = 'SimGrid\'s platform files begin with <platform version="4.1">'
    found: str


class UnknownElement(Diagnostic):
    """An element that is not read."""

    message: ClassVar[str] = "<{name}> is not known here{near}"
    hint: ClassVar[str] = "known: {known}"
    name: str
    near: str
    known: str


class MissingAttribute(Diagnostic):
    """An element without what it needs."""

    message: ClassVar[str] = "<{element}> needs the attribute {name}"
    hint: ClassVar[str] = "for example: {example}"
    element: str
    name: str
    example: str


class BadValue(Diagnostic):
    """An attribute that cannot be understood."""

    message: ClassVar[str] = "{name}={value!r}: {problem}"
    hint: ClassVar[str] = "{advised}"
    name: str
    value: str
    problem: str
    advised: str


class Unknown(Diagnostic):
    """A name of nothing."""

    message: ClassVar[str] = "there is no {what} '{name}'{near}"
    what: str
    name: str
    near: str


class DefinedTwice(Diagnostic):
    """A name given twice."""

    message: ClassVar[str] = "there is a {what} '{name}' already"
    hint: ClassVar[str] = "give each a name of its own"
    what: str
    name: str


class TooManyParts(Diagnostic):
    """More hosts and links than can be kept."""

    message: ClassVar[str] = "up to here the platform has more than {most:,} hosts and links"
    hint: ClassVar[str] = "describe the part of it that the ranks use"
    most: int


class Outside(Diagnostic):
    """A gateway that does not lie in the zone that it leads out of, or another than the host itself."""

    message: ClassVar[str] = "the gateway '{name}' is not in '{zone}'"
    hint: ClassVar[str] = "gw_src lies in the zone src, gw_dst in the zone dst"
    name: str
    zone: str


class NoHosts(Diagnostic):
    """A platform without a computer."""

    message: ClassVar[str] = "this platform has no host"


class NoNetwork(Diagnostic):
    """A machine file without what messages cost."""

    message: ClassVar[str] = "{file} has no network: what messages cost is not known"
    hint: ClassVar[str] = "add [network] with topology, latency_s and bandwidth_B_per_s"
    file: str


class NoSpeed(Diagnostic):
    """A machine of which nothing says how fast it computes."""

    message: ClassVar[str] = "{file}: nothing says how long a flop takes on {machine}"
    hint: ClassVar[str] = "add to its op_s: flop = 1e-9 (or sum_double and mpy_double)"
    file: str
    machine: str


class EmptyHostfile(Diagnostic):
    """A host file without hosts."""

    message: ClassVar[str] = "this host file names no host"


class Unconnected(Diagnostic):
    """Two hosts that should exchange messages, with no way between them."""

    message: ClassVar[str] = "{platform} has no way from host {sender} to host {receiver}: {reason}"
    hint: ClassVar[str] = "add a route, or place the ranks elsewhere with --hostfile"
    platform: str
    sender: str
    receiver: str
    reason: str
