"""The command `apet`: verbs, exit codes, and what is shown when something goes wrong.

Exit codes: 0 fine, 2 the input or the call is wrong, 1 APET itself failed, 130 interrupted, 141 the reader has gone.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from apet.cli.verbs import VERBS

DESCRIPTION = "Predict how long parallel programs take on machines you may not have."
EPILOG = "MODEL is a PAMELA-E file or the name of a shipped sample (pamela/pi.pam). More: apet VERB --help"
FAILED, WRONG, INTERRUPTED, UNREAD = 1, 2, 130, 141


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; nothing is raised but what ends the interpreter."""
    arguments = list(sys.argv[1:] if argv is None else argv)

    try:
        code = _run(arguments)
        sys.stdout.flush()
        return code
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 0
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return _unread()
    except Exception as error:
        return _failed(error, arguments)


def _run(arguments: list[str]) -> int:
    parser = _parser(_named(arguments))
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.chosen(options.verb).refuse(unknown)
    if options.version:
        from apet.cli.version import version

        print(f"apet {version()}")
        return 0
    if options.verb is None:
        parser.print_help(sys.stderr)
        return WRONG
    if "this" in arguments:
        from apet.cli.programs import measured_at_need

        measured_at_need(options)
    code = options.run(options)
    return code if isinstance(code, int) else 0


class Parser(argparse.ArgumentParser):
    """An argument parser that says what was probably meant, and points to the help instead of repeating it."""

    verbs: dict[str, Parser]

    def chosen(self, verb: str | None) -> Parser:
        """The parser of a verb, or this one."""
        return self if verb is None else self.verbs[verb]

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """End with the options that nobody knows."""
        first = unknown[0].partition("=")[0]
        if not first.startswith("-"):
            self.error(f"unexpected: {' '.join(unknown)}")
        self.error(f"unknown option {first}{_nearest(first, self._option_string_actions)}")

    def error(self, message: str) -> NoReturn:
        """End with exit code 2."""
        import re

        choice = re.fullmatch(r"argument (.*?): invalid choice: '(.*?)' \(choose from (.*)\)", message, re.DOTALL)
        if choice:
            choices = [w.strip(" '") for w in choice[3].split(",")]
            what = "verb" if choice[1] in ("verb", "VERB") else choice[1]
            message = f"unknown {what} '{choice[2]}'{_nearest(choice[2], choices)} (one of: {', '.join(choices)})"
        print(f"error: {message}\n  hint: see {self.prog} --help", file=sys.stderr)
        raise SystemExit(WRONG)


def _named(arguments: Sequence[str]) -> str | None:
    """The verb of a call, if it begins with one behind options of the command itself."""
    first = next((a for a in arguments if not a.startswith("-")), None)
    return first if first in VERBS else None


def whole_parser() -> Parser:
    """The parser of every verb with all its options, for what is made of it: completion of words, pages."""
    return _parser(None, whole=True)


def _parser(named: str | None, whole: bool = False) -> Parser:
    """The parser of one verb, or, where none is named, of all with their summaries only: most calls need but one."""
    parser = Parser(prog="apet", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False)
    parser.add_argument("--version", action="store_true", help="print the version and stop")
    text = "show the traceback if APET itself fails (or APET_DEBUG=1)"
    parser.add_argument("--debug", action="store_true", help=text)
    verbs = parser.add_subparsers(dest="verb", title="verbs")
    parser.verbs = {}
    for name, summary in VERBS.items():
        if whole or name == named:
            parser.verbs[name] = _declared(verbs, name, summary)
        elif named is None:
            parser.verbs[name] = verbs.add_parser(name, help=summary, add_help=False)

    return parser


def _declared(verbs: argparse._SubParsersAction[Parser], name: str, summary: str) -> Parser:
    from importlib import import_module

    module = import_module(f"apet.cli.{name}")
    verb = verbs.add_parser(name, help=summary, description=module.DESCRIPTION, allow_abbrev=False)
    verb.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    module.declare(verb)
    verb.set_defaults(run=module.run)
    return verb


def _nearest(name: str, names: object) -> str:
    from apet.ground.diagnostics import nearest

    return nearest(name, names)  # type: ignore[arg-type]


def _unread() -> int:
    """Whoever read the output has gone: let the interpreter's last flush go nowhere."""
    import contextlib
    import os

    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return UNREAD


def _failed(error: Exception, arguments: Sequence[str]) -> int:
    from apet.ground.diagnostics import ApetError, render

    if isinstance(error, ApetError):
        from apet.cli.output import warn

        warn("\n".join(render(d) for d in error.diagnostics))
        return WRONG
    return _internal(error, "--debug" in arguments)


def _internal(error: Exception, debug: bool) -> int:
    """APET itself failed: one line, and the traceback where it was asked for."""
    import os

    if debug or os.environ.get("APET_DEBUG", "0") not in ("", "0"):
        import traceback

        traceback.print_exception(error, file=sys.stderr)
    detail = " ".join(str(error).split())[:200]
    print(f"apet failed: {type(error).__name__}{': ' if detail else ''}{detail}", file=sys.stderr)
    print("  This is a mistake in APET, not in your input. Please report it with the command and its", file=sys.stderr)
    print("  input files, and with what it prints when --debug is added.", file=sys.stderr)
    return FAILED


if __name__ == "__main__":
    sys.exit(main())
