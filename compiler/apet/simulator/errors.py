"""What can go wrong when a model runs."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class SimulatedDeadlock(Diagnostic):
    """A place where a process waits for ever; one per place, all in one error."""

    message: ClassVar[str] = "deadlock after {seconds:.6g} s: this waits for {wanted} while it holds {held}"
    hint: ClassVar[str] = "take the resources in the same order everywhere"
    seconds: float
    wanted: str
    held: str


class NoDuration(Diagnostic):
    """A duration that is negative, infinite or not a number."""

    message: ClassVar[str] = "a duration of {value}"
    hint: ClassVar[str] = "durations are finite and not negative"
    value: str


class NegativeMessageSize(Diagnostic):
    """A message size that is negative."""

    public_kind: ClassVar[str] = "NegativeSize"
    message: ClassVar[str] = "a message size of {value}, below 0"
    hint: ClassVar[str] = "sizes are bytes, 0 or more"
    value: str


class NoCost(Diagnostic):
    """The machine model does not say what something costs."""

    message: ClassVar[str] = "{reason}"
    reason: str


class NamedOnly(Diagnostic):
    """An operation on a processor that has only a name."""

    message: ClassVar[str] = "'{name}' is a named processor, and its costs need a number"
    hint: ClassVar[str] = "give it one with --set {name}=…"
    name: str


class RangeNotWhole(Diagnostic):
    """A subscript that is no whole number."""

    message: ClassVar[str] = "a subscript of {value}"
    hint: ClassVar[str] = "subscripts are whole numbers"
    value: str


class NoProcessor(Diagnostic):
    """An operation without a subscript."""

    message: ClassVar[str] = "the operation '{name}' does not say its processor"
    hint: ClassVar[str] = "write {name}[p]; or declare param {name}; if it is a time"
    name: str


class WrongMessage(Diagnostic):
    """A send that is not `send[p, q](size)`."""

    message: ClassVar[str] = "a message is written send[p, q](size)"


class WrongOperandCount(Diagnostic):
    """A call of an equation with too few or too many values."""

    public_kind: ClassVar[str] = "WrongCall"
    message: ClassVar[str] = "'{name}' takes {expected} subscripts and parameters; {count} given"
    name: str
    expected: int
    count: int


class FreeBranch(Diagnostic):
    """A branch without a probability where one is needed."""

    message: ClassVar[str] = "this branch has no probability"
    hint: ClassVar[str] = "write if (q); or choose --branches average, best or worst"


class NoProbability(Diagnostic):
    """A probability outside [0, 1]."""

    message: ClassVar[str] = "a probability of {value}"
    hint: ClassVar[str] = "probabilities lie between 0 and 1"
    value: str


class SimulatedWithoutServers(Diagnostic):
    """A resource whose number of servers is no positive whole number."""

    message: ClassVar[str] = "{label} has {value} servers"
    hint: ClassVar[str] = "a resource has at least one server, and a whole number of them"
    label: str
    value: str


class TooManyEvents(Diagnostic):
    """The run was stopped."""

    message: ClassVar[str] = "the simulation was stopped after {most:,} {what}"
    hint: ClassVar[str] = "apet predict computes the same model without running it"
    most: int
    what: str
