"""What can go wrong with measuring a command."""

from __future__ import annotations

from apet.ground.diagnostics import Diagnostic


class NoPlace(Diagnostic):
    """A command that does not say where n, or another parameter, belongs."""

    message = "the command does not contain {{{name}}}: {command}"
    hint = "write where {name} belongs: apet measure … -- ./program {{{name}}}"
    command: str
    name: str = "n"


class CannotRun(Diagnostic):
    """A command that cannot be started."""

    message = "cannot run {program}: {reason}"


class CommandFailed(Diagnostic):
    """A command that ended with an error."""

    message = "the command ended with status {status}: {command}"
    hint = "{output}"
    command: str
    status: int
    output: str


class OtherCommand(Diagnostic):
    """A file of runs of another command."""

    message = "{path} holds runs of another command: {command}"
    hint = "choose another file with -o, or remove it"


class BadPlan(Diagnostic):
    """Numbers that make no plan."""

    message = "{option} {value}: {reason}"
