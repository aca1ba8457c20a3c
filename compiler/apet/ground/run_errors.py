"""What can go wrong with measuring a command."""

from __future__ import annotations

from typing import ClassVar

from apet.ground.diagnostics import Diagnostic


class NoPlace(Diagnostic):
    """A command that does not say where n, or another parameter, belongs."""

    message: ClassVar[str] = "the command does not contain {{{name}}}: {command}"
    hint: ClassVar[str] = "write where {name} belongs: apet measure … -- ./program {{{name}}}"
    command: str
    name: str = "n"


class CannotRun(Diagnostic):
    """A command that cannot be started."""

    message: ClassVar[str] = "cannot run {program}: {reason}"
    program: str
    reason: str


class CommandFailed(Diagnostic):
    """A command that ended with an error."""

    message: ClassVar[str] = "the command ended with status {status}: {command}"
    hint: ClassVar[str] = "{said}"
    command: str
    status: int
    said: str


class OtherCommand(Diagnostic):
    """A file of runs of another command."""

    message: ClassVar[str] = "{path} holds runs of another command: {command}"
    hint: ClassVar[str] = "choose another file with -o, or remove it"
    path: str
    command: str


class BadPlan(Diagnostic):
    """Numbers that make no plan."""

    message: ClassVar[str] = "{option} {value}: {reason}"
    option: str
    value: str
    reason: str
