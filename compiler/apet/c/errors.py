"""Errors in C sources, and of compiling, measuring and running C on this machine."""

from __future__ import annotations

from apet.ground.diagnostics import Advisory, Diagnostic


class NoLibclang(Diagnostic):
    """The package that reads C is not installed."""

    message = "C is read by libclang, which is not installed"
    hint = "install it: pip install 'apet[c]'"


class CPlusPlus(Diagnostic):
    """A source of another language."""

    message = "{file} is C++, which is not read"
    hint = "plain functions can be predicted as C: put them into a file that ends with .c"
    file: str


class CSyntax(Diagnostic):
    """C that does not parse."""

    message = "{reason}"
    hint = "{advice_text}"
    reason: str
    advice_text: str = ""


class NotOfTheProgram(Diagnostic):
    """An error in a header, which is reported by its place in words."""

    message = "{file}:{line}: {reason}"
    hint = "{advice_text}"
    file: str
    line: int
    reason: str
    advice_text: str = ""


class BadCommands(Diagnostic):
    """A `compile_commands.json` that says nothing of compiling."""

    message = "{file} is no list of compile commands: {reason}"
    hint = "it is what 'cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON' writes; flags can also stand behind --"
    file: str
    reason: str


class NoCompiler(Diagnostic):
    """No C compiler is installed."""

    message = "no C compiler found: this needs cc (gcc or clang)"
    hint = "install one (Debian, Ubuntu: apt install gcc), or set CC to one; translating works without"


class DoesNotBuild(Diagnostic):
    """The compiler refuses a program; its own words follow."""

    message = "{compiler} refuses {what}:\n{output}"
    compiler: str
    what: str
    output: str


class RunEnded(Diagnostic):
    """A program that ended with an exit code or a signal."""

    message = "{what} failed (exit code {code}): {output}"
    hint = "set what the function is given by its name, --set NAME=…, or name a function that makes its own data"
    what: str
    code: int
    output: str


class AssumedData(Advisory):
    """What a run with counters was given beyond the values that are set."""

    message = "the run of {what} was given what nobody has set: {arguments}"
    hint = "set what matters by its name, --set NAME=…"
    what: str
    arguments: str
