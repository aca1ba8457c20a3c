"""The command `apet`: verbs, exit codes, and what is shown when something goes wrong.

Exit codes: 0 fine, 2 the input or the call is wrong, or a limit is reached, 1 APET itself failed, 130 interrupted, 141
the reader has gone.
"""

from __future__ import annotations

import argparse
import errno
import re
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NoReturn

from apet.cli.verbs import EXAMPLES, VERBS, overview
from apet.ground.collection import paused_collector

if TYPE_CHECKING:
    from apet.ground.diagnostics import Diagnostic

FAILED, WRONG, INTERRUPTED, UNREAD = 1, 2, 130, 141
UNLIMITED = ("serve", "lsp", "completion")
"""Verbs that run as long as somebody wants them, or do next to nothing."""
MOST_LISTED = 16
"""Choices up to which an error lists all of them."""


NEW_OBJECTS = 100_000
"""From one collection of garbage to the next: terms, formulas and what imports make hold hardly any cycles."""


def command() -> int:
    """The whole process of a command: as `main`, but it walks its objects less often, and never once it has ended."""
    import gc

    gc.set_threshold(NEW_OBJECTS)
    try:
        return main()
    finally:
        gc.freeze()  # else the interpreter, on its way out, looks for cycles among everything that was imported


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; nothing is raised but what ends the interpreter."""
    arguments = list(sys.argv[1:] if argv is None else argv)

    try:
        _fill_descriptors()
        code = _run(arguments)
        if sys.stdout is not None:  # None where it is closed
            sys.stdout.flush()
        return code
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt as stop:
        return _interrupted(stop, arguments)
    except BrokenPipeError:
        return _unread()
    except Exception as error:
        return _failed(error, arguments)


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    with paused_collector():  # a verb's imports make many objects and no garbage
        parser = _parser(_named(arguments))
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.chosen(options.verb).refuse(unknown)
    if options.version:
        from apet.cli.output import show
        from apet.cli.version import version

        show(f"apet {version()}")
        return 0
    if options.verb is None:
        parser.print_help(sys.stderr)
        return WRONG

    with _limited(options), _watched(options), _read_from_standard_input(options):
        if "this" in arguments:
            from apet.cli.programs import measured_at_need

            measured_at_need(options)
        from apet.cli import output, pictures
        from apet.show import tables

        output.quiet = options.quiet
        tables.terminal_width = output.width() if sys.stdout is not None and sys.stdout.isatty() else None
        pictures.check_results(options)
        code = options.run(options)
    return code if isinstance(code, int) else 0


def _limited(options: argparse.Namespace) -> AbstractContextManager[object]:
    """The limits that the call sets for itself."""
    time, memory = getattr(options, "time_limit", None), getattr(options, "memory_limit", None)
    if time is None and memory is None:
        return nullcontext()
    from apet.cli.limits import CallLimits

    return CallLimits(time, memory)


def _watched(options: argparse.Namespace) -> AbstractContextManager[object]:
    """The line that shows progress, where anybody would see it."""
    if options.verb in UNLIMITED or options.quiet or sys.stderr is None or not sys.stderr.isatty():
        return nullcontext()
    from apet.cli.progress import ProgressLine

    return ProgressLine(options.verb)


def _read_from_standard_input(options: argparse.Namespace) -> AbstractContextManager[object]:
    """What stands for a file named `-`, where there is one."""
    if options.verb == "format" or not any("-" in (v if isinstance(v, list) else [v]) for v in vars(options).values()):
        return nullcontext()
    from apet.cli.standard_input import StandardInput

    return StandardInput(options)


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
SYSTEM_REASONS = (*FULL, errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOENT, errno.EACCES, errno.EPERM)
"""What no program can do anything about where it comes from the system in the midst of work: a full disk, a file system
that is read only, too many open files or processes, no directory for temporary files."""


NEGATIVE = re.compile(r"-\.?\d")
"""How a value begins that looks like an option: `-1s`, `-2..3`."""


class Formatter(argparse.HelpFormatter):
    """Help as wide as the terminal; `argparse` makes one for each option, and would load `shutil` for the width."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """The columns of the terminal, as `shutil` finds them."""
    import os

    stated = os.environ.get("COLUMNS", "")
    if stated.isdecimal() and int(stated):
        return int(stated)
    if sys.__stdout__ is None:
        return 80
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


class Parser(argparse.ArgumentParser):
    """An argument parser that says what was probably meant, and points to the help instead of repeating it."""

    verbs: dict[str, Parser]

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=Formatter, **settings)
        self._negative_number_matcher = NEGATIVE

    def format_help(self) -> str:
        """The help of a verb with an example, or all verbs by task with an example each."""
        if self.prog == "apet":
            return overview()
        return f"{super().format_help()}\nexample:\n  {EXAMPLES[self.prog.removeprefix('apet ')]}\n"

    def chosen(self, verb: str | None) -> Parser:
        """The parser of a verb, or this one."""
        return self if verb is None else self.verbs[verb]

    def inner(self) -> list[Parser]:
        """The parsers of the verbs of this verb."""
        of_verbs = (a for a in self._actions if isinstance(a, argparse._SubParsersAction))
        return [parser for action in of_verbs for parser in action.choices.values()]

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """The value of an option, of a type that names the option where it refuses."""
        parsed = getattr(action.type, "parsed", None)
        if parsed is not None:
            return parsed((action.option_strings or [action.dest])[-1], arg_string)
        return super()._get_value(action, arg_string)

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """End with the options that nobody knows."""
        first = unknown[0].partition("=")[0]
        if not first.startswith("-"):
            self.error(f"unexpected: {' '.join(unknown)}")
        self.error(f"unknown option {first}{_nearest(first, self._option_string_actions)}")

    def error(self, message: str) -> NoReturn:
        """`ApetError`, so that a wrong call is reported as any other error, with --json as JSON too."""
        from apet.cli.errors import WrongCall
        from apet.ground.diagnostics import ApetError

        choice = re.fullmatch(r"argument (.*?): invalid choice: '(.*?)' \(choose from (.*)\)", message, re.DOTALL)
        if choice:
            choices = [w.strip(" '") for w in choice[3].split(",")]
            what = "verb" if choice[1] in ("verb", "VERB") else choice[1]
            listed = "" if len(choices) > MOST_LISTED else f" (one of: {', '.join(choices)})"
            message = f"unknown {what} '{choice[2]}'{_nearest(choice[2], choices)}{listed}"
        raise ApetError(WrongCall(None, None, message, f"see {self.prog} --help"))


def _named(arguments: Sequence[str]) -> str | None:
    """The verb of a call, if it begins with one behind options of the command itself."""
    first = next((a for a in arguments if not a.startswith("-")), None)
    return first if first in VERBS else None


def whole_parser() -> Parser:
    """The parser of every verb with all its options, for what is made of it: completion of words, pages."""
    return _parser(None, whole=True)


def _parser(named: str | None, whole: bool = False) -> Parser:
    """The parser of one verb, or, where none is named, of all with their summaries only: most calls need but one."""
    parser = Parser(prog="apet", allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    text = "show the traceback if APET itself fails (or APET_DEBUG=1)"
    parser.add_argument("--debug", action="store_true", help=text)
    parser.add_argument("--quiet", "-q", action="store_true", help="neither advice nor progress")
    verbs = parser.add_subparsers(dest="verb", title="verbs", metavar="VERB")
    parser.verbs = {}
    for name, summary in VERBS.items():
        if whole or name == named:
            parser.verbs[name] = _declared(verbs, name, summary)
        elif named is None:
            parser.verbs[name] = verbs.add_parser(name, help=summary, add_help=False)

    return parser


def _declared(verbs: argparse._SubParsersAction[Parser], name: str, summary: str) -> Parser:
    from importlib import import_module

    from apet.cli import arguments

    module = import_module(f"apet.cli.{name}")
    verb = verbs.add_parser(name, help=summary, description=module.DESCRIPTION, allow_abbrev=False)
    module.declare(verb)
    verb.set_defaults(run=module.run)
    for parser in (verb, *verb.inner()):
        for names in (("--debug",), ("--quiet", "-q")):
            parser.add_argument(*names, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
        if name not in UNLIMITED and not parser.inner():
            arguments.limits(parser)
    return verb


def _nearest(name: str, names: object) -> str:
    from apet.ground.diagnostics import nearest

    return nearest(name, names)  # type: ignore[arg-type]


def _interrupted(stop: KeyboardInterrupt, arguments: Sequence[str]) -> int:
    """Ctrl-C, or the end of the time that the call was given."""
    if type(stop) is not KeyboardInterrupt:
        from apet.cli.limits import Stopped

        if isinstance(stop, Stopped):
            stop.limits.lift()
            return _refused([stop.diagnostic], arguments)
    _report("interrupted")
    return INTERRUPTED


def _unread() -> int:
    """Whoever read the output has gone: let the interpreter's last flush go nowhere."""
    import contextlib
    import os

    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return UNREAD


def _failed(error: Exception, arguments: Sequence[str]) -> int:
    debug = "--debug" in arguments
    diagnostics = _diagnostics(error, debug)
    return _refused(diagnostics, arguments) if diagnostics else _internal(error, debug)


def _diagnostics(error: Exception, debug: bool) -> Sequence[Diagnostic]:
    """What an error says to the user; nothing where APET itself failed."""
    from apet.cli.errors import SystemRefuses, needs_library
    from apet.cli.limits import memory_ran_out, out_of_memory
    from apet.ground.diagnostics import ApetError

    if isinstance(error, ApetError):
        return error.diagnostics
    if debug:
        return ()
    if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith("apet"):
        return [needs_library(error.name)]
    if isinstance(error, OSError) and error.errno in SYSTEM_REASONS:
        place = f": {error.filename}" if error.filename else ""
        return [SystemRefuses(None, None, f"{error.strerror}{place}")]

    return [memory_ran_out(error)] if out_of_memory(error) else ()


def _refused(diagnostics: Sequence[Diagnostic], arguments: Sequence[str]) -> int:
    """Report errors of the input, the call or the system: as text, and with --json as JSON too."""
    from apet.cli.output import warn
    from apet.ground.diagnostics import render_all

    warn(render_all(diagnostics))
    if "--json" in arguments[: [*arguments, "--"].index("--")]:
        from apet.cli.diagnostics_json import show_errors

        show_errors(diagnostics)
    return WRONG


def _internal(error: Exception, debug: bool) -> int:
    """APET itself failed: one line, and the traceback where it was asked for."""
    import os

    if debug or os.environ.get("APET_DEBUG", "0") not in ("", "0"):
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    detail = " ".join(str(error).split())[:200]
    _report(f"apet failed: {type(error).__name__}{': ' if detail else ''}{detail}")
    _report("  This is a bug in APET, not an error in your input. Please report it with the command, its")
    _report("  input files, and what it prints when --debug is added.")
    return FAILED


def _report(text: str) -> None:
    from apet.cli.output import warn
    from apet.ground.diagnostics import visible

    warn(visible(text))


def _fill_descriptors() -> None:
    """Let no file that is opened later take the place of a standard stream that is closed."""
    import os

    while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(descriptor)


if __name__ == "__main__":
    sys.exit(command())
