"""What can be wrong with a platform file or a host file, and with a platform as a whole."""

from __future__ import annotations

from apet.ground.diagnostics import Advisory, Diagnostic


class NotAPlatform(Diagnostic):
    """XML of another kind."""

    message = "this is a <{found}>, not a <platform>"
    hint = 'SimGrid\'s platform files begin with <platform version="4.1">'


class UnknownElement(Diagnostic):
    """An element that is not read."""

    message = "<{name}> is not known here{near}"
    hint = "known: {known}"


class MissingAttribute(Diagnostic):
    """An element without what it needs."""

    message = "<{element}> needs the attribute {name}"
    hint = "for example: {example}"


class BadValue(Diagnostic):
    """An attribute that cannot be understood."""

    message = "{name}={value!r}: {problem}"
    hint = "{advised}"


class UnknownName(Diagnostic):
    """A name of nothing."""

    message = "there is no {what} '{name}'{near}"


class DefinedTwice(Diagnostic):
    """A name given twice."""

    message = "there is a {what} '{name}' already"
    hint = "give each a name of its own"


class TooManyParts(Diagnostic):
    """More hosts and links than can be kept."""

    message = "up to here the platform has more than {most:,} hosts and links"
    hint = "describe the part of it that the ranks use"


class Outside(Diagnostic):
    """A gateway that does not lie in the zone that it leads out of, or another than the host itself."""

    message = "the gateway '{name}' is not in '{zone}'"
    hint = "gw_src lies in the zone src, gw_dst in the zone dst"


class NoHosts(Diagnostic):
    """A platform without a computer."""

    message = "this platform has no host"


class NoNetwork(Diagnostic):
    """A machine file without what messages cost."""

    message = "{file} has no network: what messages cost is not known"
    hint = "add [network] with topology, latency_s and bandwidth_B_per_s"


class NoSpeed(Diagnostic):
    """A machine of which nothing says how fast it computes."""

    message = "{file}: nothing says how long a flop takes on {machine}"
    hint = "add to its op_s: flop = 1e-9 (or sum_double and mpy_double)"


class EmptyHostfile(Diagnostic):
    """A host file without hosts."""

    message = "this host file names no host"


class Unconnected(Diagnostic):
    """Two hosts that should exchange messages, with no way between them."""

    message = "{platform} has no way from host {sender} to host {receiver}: {reason}"
    hint = "add a route, or place the ranks elsewhere with --hostfile"


class UnusedOptions(Advisory):
    """Options of a platform that change no times."""

    message = "{platform}: a replay does not depend on {names}"
