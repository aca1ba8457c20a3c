"""The mistakes that putting numbers into an expression can find."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class Undefined(Diagnostic):
    """An operation outside its domain: division by zero, the logarithm of 0, a number too large."""

    message: ClassVar[str] = "{reason}"
    reason: str


class UnboundName(Diagnostic):
    """A name without a value where a number is needed."""

    message: ClassVar[str] = "'{name}' has no value here{near}"
    hint: ClassVar[str] = "declare it with param {name} = …; or give it a value with --set {name}=…"
    name: str
    near: str


class NotANumber(Diagnostic):
    """Arithmetic on a processor that has only a name."""

    message: ClassVar[str] = "'{name}' stands for a named processor, and a number is needed here"
    hint: ClassVar[str] = "give the processor a number with --set {name}=…"
    name: str


class UnknownFunction(Diagnostic):
    """A call of something that is no function."""

    message: ClassVar[str] = "there is no function '{name}'{near}"
    hint: ClassVar[str] = "the functions are: {known}"
    name: str
    near: str
    known: str


class WrongCount(Diagnostic):
    """Too few or too many arguments or subscripts."""

    message: ClassVar[str] = "'{name}' takes {wanted}; {given} given"
    name: str
    wanted: str
    given: int


class CircularParameters(Diagnostic):
    """A parameter whose default needs itself."""

    message: ClassVar[str] = "the value of '{name}' depends on itself"
    hint: ClassVar[str] = "give one of the parameters a number"
    name: str
