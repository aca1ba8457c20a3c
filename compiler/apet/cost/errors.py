"""The mistakes that costing a model can find."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class MembersWithoutOrder(Diagnostic):
    """Members of a part of a graph that cannot be set against each other one by one."""

    message = "the members of '{name}' are too many, or which of them wait for which is not known"
    hint = "without a formula for their order there may be {most:,} members of a part, with numbers for their ranges"


class TooManyRounds(Diagnostic):
    """A loop around a graph in which members wait for others in a way that depends on the round."""

    message = "this loop has {rounds:,} rounds, each with a graph whose order has no formula and depends on the round"
    hint = "{most:,} rounds can be costed one by one"


class DivisionByZero(Diagnostic):
    """A division or `%` by what is always 0."""

    message = "division by zero"
    hint = "the right side, or the step of a loop, is always 0"


class ZeroInLoop(Diagnostic):
    """A division by zero in some round of a loop, whatever the parameters."""

    message = "division by zero in a round of this loop"
    hint = "the right side of a / or %, or the step of a loop, is 0 for some value of '{name}'"


class ProcessorAsNumber(Diagnostic):
    """A named processor where a number is needed."""

    public_kind: ClassVar[str] = "NotANumber"
    message = "'{name}' is a named processor; a number is needed here"
    hint = "declare it: param {name};"


class NegativeDuration(Diagnostic):
    """A duration that is negative whatever the parameters."""

    message = "this duration is {value}, below 0"
    hint = "durations are seconds, 0 or more"


class NegativeSize(Diagnostic):
    """A message size that is negative whatever the parameters."""

    message = "this message size is {value}, below 0"
    hint = "sizes are bytes, 0 or more"


class FractionalSubscript(Diagnostic):
    """A subscript that is no whole number whatever the parameters."""

    message = "a subscript of {value}"
    hint = "subscripts are whole numbers"


class NegativeProcessor(Diagnostic):
    """The number of a processor that is negative whatever the parameters."""

    public_kind: ClassVar[str] = "NoSuchProcessor"
    message = "there is no processor {number}"
    hint = "processors are numbered 1 to P; 0 is the coordinator"


class ProbabilityOutside(Diagnostic):
    """A probability outside [0, 1] whatever the parameters."""

    message = "this probability is {value}, outside [0, 1]"
    hint = "q is the probability of the first branch"


class TooFewServers(Diagnostic):
    """A resource with less than one server."""

    public_kind: ClassVar[str] = "NoServers"
    message = "resource '{name}' cannot have {value} servers"
    hint = "give it a whole number of servers, 1 or more"


class NoSuchEntry(Diagnostic):
    """A subscript of a table that is no number of an entry."""

    message = "'{name}' has {entries} entries; there is no {name}[{number}]"
    hint = "entries are numbered from 1 to len({name})"
    name: str
    number: str
    entries: int


class NoShare(Diagnostic):
    """A share of what is no processor that tasks are dealt to."""

    public_kind: ClassVar[str] = "NoSuchProcessor"
    message = "there is no processor {number} that has a share"
    hint = "tasks are dealt to processors 1 to P"
