"""What can go wrong when a model runs."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class SimulatedDeadlock(Diagnostic):
    """A place where a process waits for ever; one per place, all in one error."""

    message = "deadlock after {seconds:.6g} s: this waits for '{wanted}' while it holds {held}"
    hint = "take the resources in the same order everywhere"


class NoDuration(Diagnostic):
    """A duration that is negative, infinite or not a number."""

    message = "a duration of {value}"
    hint = "durations are finite and not negative"


class NegativeMessageSize(Diagnostic):
    """A message size that is negative."""

    public_kind: ClassVar[str] = "NegativeSize"
    message = "a message size of {value}, below 0"
    hint = "sizes are bytes, 0 or more"


class NoCost(Diagnostic):
    """The machine model does not say what something costs."""

    message = "{reason}"


class NamedOnly(Diagnostic):
    """An operation on a processor that has only a name."""

    message = "'{name}' is a named processor, and its costs need a number"
    hint = "give it one with --set {name}=…"


class RangeNotWhole(Diagnostic):
    """A subscript that is no whole number."""

    message = "a subscript of {value}"
    hint = "subscripts are whole numbers"


class FreeBranch(Diagnostic):
    """A branch without a probability where one is needed."""

    message = "this branch has no probability"
    hint = "write if (q); or choose --branches average, best or worst"


class NoProbability(Diagnostic):
    """A probability outside [0, 1]."""

    message = "a probability of {value}"
    hint = "probabilities lie between 0 and 1"


class SimulatedWithoutServers(Diagnostic):
    """A resource whose number of servers is no positive whole number."""

    message = "{label} has {value} servers"
    hint = "a resource has at least one server, and a whole number of them"


class TooManyEvents(Diagnostic):
    """The run was stopped."""

    message = "the simulation was stopped after {most:,} {what}"
    hint = "apet predict computes the same model without running it"
