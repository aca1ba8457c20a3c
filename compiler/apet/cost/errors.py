"""The mistakes that costing a model can find."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class MembersWithoutFormula(Diagnostic):
    """Members of a part of a graph that wait for members of another part, or not at constant distances."""

    message: ClassVar[str] = "the order of the members of '{name}' has no formula: {reason}"
    hint: ClassVar[str] = "where the ends of ranges are numbers any order has one, of {most:,} members at most"
    name: str
    reason: str
    most: int


class DivisionByZero(Diagnostic):
    """A division or `%` by what is always 0."""

    message: ClassVar[str] = "division by zero"
    hint: ClassVar[str] = "the right side, or the step of a loop, is always 0"


class ZeroInLoop(Diagnostic):
    """A division by zero in some round of a loop, whatever the parameters."""

    message: ClassVar[str] = "division by zero in a round of this loop"
    hint: ClassVar[str] = "the right side of a / or % is 0 for some value of '{name}'"
    name: str


class ProcessorAsNumber(Diagnostic):
    """A named processor where a number is needed."""

    public_kind: ClassVar[str] = "NotANumber"
    message: ClassVar[str] = "'{name}' is a named processor; a number is needed here"
    hint: ClassVar[str] = "declare it: param {name};"
    name: str


class NegativeDuration(Diagnostic):
    """A duration that is negative whatever the parameters."""

    message: ClassVar[str] = "this duration is {value}, below 0"
    hint: ClassVar[str] = "durations are seconds, 0 or more"
    value: str


class NegativeSize(Diagnostic):
    """A message size that is negative whatever the parameters."""

    message: ClassVar[str] = "this message size is {value}, below 0"
    hint: ClassVar[str] = "sizes are bytes, 0 or more"
    value: str


class FractionalSubscript(Diagnostic):
    """A subscript that is no whole number whatever the parameters."""

    message: ClassVar[str] = "a subscript of {value}"
    hint: ClassVar[str] = "subscripts are whole numbers"
    value: str


class NegativeProcessor(Diagnostic):
    """The number of a processor that is negative whatever the parameters."""

    public_kind: ClassVar[str] = "NoSuchProcessor"
    message: ClassVar[str] = "there is no processor {number}"
    hint: ClassVar[str] = "processors are numbered 1 to P; 0 is the coordinator"
    number: str


class ProbabilityOutside(Diagnostic):
    """A probability outside [0, 1] whatever the parameters."""

    message: ClassVar[str] = "this probability is {value}, outside [0, 1]"
    hint: ClassVar[str] = "q is the probability of the first branch"
    value: str


class TooFewServers(Diagnostic):
    """A resource with less than one server."""

    public_kind: ClassVar[str] = "NoServers"
    message: ClassVar[str] = "resource '{name}' cannot have {value} servers"
    hint: ClassVar[str] = "give it a whole number of servers, 1 or more"
    name: str
    value: str


class NoSuchEntry(Diagnostic):
    """A subscript of a table that is no number of an entry."""

    message: ClassVar[str] = "'{name}' has {entries} entries; there is no {name}[{number}]"
    hint: ClassVar[str] = "entries are numbered from 1 to len({name})"
    name: str
    number: str
    entries: int
