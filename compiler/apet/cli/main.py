"""The command `apet`: verbs, exit codes, and what is shown when something goes wrong.

Exit codes: 0 fine, 2 the input or the call is wrong, or a limit is reached, 1 APET itself failed, 130 interrupted, 141
the reader has gone.
"""

from __future__ import annotations

import argparse
import errno
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from apet.cli.parsers import UNLIMITED, parser_of, verb_of
from apet.cli.pipes import comes_once
from apet.ground import activity
from apet.ground.collection import paused_collector

if TYPE_CHECKING:
    from apet.ground.diagnostics import Diagnostic

FAILED, WRONG, INTERRUPTED, UNREAD = 1, 2, 130, 141

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
        with activity.of_one_call():
            code = _ended(arguments)
        if sys.stdout is not None:  # None where it is closed
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        return _unread()


def _ended(arguments: list[str]) -> int:
    """Run one command to its end, whatever that is; `BrokenPipeError` where nobody reads what is printed."""
    try:
        _fill_descriptors()
        return _run_with_input(arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt as stop:
        return _interrupted(stop, arguments)
    except BrokenPipeError:
        raise
    except Exception as error:
        return _failed(error, arguments)


def _run_with_input(arguments: list[str]) -> int:
    """Run the command with files in place of standard input and of pipes."""
    if arguments[:1] == ["format"] or not any(map(comes_once, arguments)):
        return _run(arguments)
    from apet.cli.standard_input import StandardInput

    with StandardInput(arguments) as given:
        return _run(given.arguments)


def _run(arguments: list[str]) -> int:
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    from apet.cli.aliases import current

    arguments = _without_compile_flags(current(arguments))
    with paused_collector():  # a verb's imports make many objects and no garbage
        parser = parser_of(verb_of(arguments), arguments)
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.chosen(options.verb).refuse(unknown)
    from apet.cli import output, rules

    output.quiet = options.quiet
    rules.check(parser.chosen(options.verb), arguments, options)
    if options.version:
        from apet.cli.version import version

        output.show(f"apet {version()}")
        return 0
    if options.verb is None:
        parser.print_help(sys.stderr)
        return WRONG

    with _limited(options), _watched(options):
        if "this" in arguments:
            from apet.cli.programs import measured_at_need

            measured_at_need(options)
        from apet.cli import pictures
        from apet.show import tables

        tables.terminal_width = output.width() if sys.stdout is not None and sys.stdout.isatty() else None
        pictures.check_results(options)
        code = options.run(options)
    return code if isinstance(code, int) else 0


def _without_compile_flags(arguments: list[str]) -> list[str]:
    """The call without what stands behind `--` where it names a C source: these are flags of its compiler."""
    own = arguments[: [*arguments, "--"].index("--")]
    if len(own) == len(arguments) or not any(word.lower().endswith(".c") for word in own):
        return arguments
    from apet.c.parse import flags

    flags.choose(arguments[len(own) + 1 :])
    return own


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


FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO)
SYSTEM_REASONS = (*FULL, errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOENT, errno.EACCES, errno.EPERM)
"""What no program can do anything about where it comes from the system in the midst of work: a full disk, a file system
that is read only, too many open files or processes, no directory for temporary files."""


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

    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in filter(None, (sys.stdout, sys.stderr)):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
            continue
        with contextlib.suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
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
