"""The parsers of the command line: of each verb, for the kind of file that a call is about, with help and hints."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from apet.cli.verbs import EXAMPLES, FORMS, INSTEAD, MODULES, OF_KINDS, PLURALS, VERBS, WHAT, overview

if TYPE_CHECKING:
    from apet.cli.subject import OptionNames

UNLIMITED = ("serve", "lsp", "completion")
"""Verbs that run as long as somebody wants them, or do next to nothing."""
MOST_LISTED = 16
"""Choices up to which an error lists all of them."""
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


class HelpAll(argparse.Action):
    """`--help-all`: print each option with all that is said of it, and stop."""

    def __call__(self, parser: Any, *_: object) -> None:
        parser.whole_help = True
        parser.print_help()
        parser.exit()


class Parser(argparse.ArgumentParser):
    """An argument parser that says what was probably meant, and points to the help instead of repeating it."""

    verbs: dict[str, Parser]
    kind = ""
    """Of files that the options are for; empty for all kinds."""
    whole_help = False
    """Whether help says all of each option."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(formatter_class=Formatter, **settings)
        self._negative_number_matcher = NEGATIVE

    def format_help(self) -> str:
        """The help of a verb on one screen, or with all that is said of it; or all verbs by task."""
        if self.prog == "apet":
            return overview()
        from apet.cli.short_help import lines

        name = self.prog.removeprefix("apet ")
        own = EXAMPLES[name] if self.kind in ("", "model") else f"apet {name} {OF_KINDS[name][self.kind]}"
        examples = [f"apet {name} {example}" for kind, example in OF_KINDS.get(name, {}).items() if kind != self.kind]
        remark = f" of files of each kind (apet help {name} FILE shows its options)" if examples else ""
        options = [super().format_help().rstrip()] if self.whole_help else lines(self, _columns() - 2)
        listed = [*(f"  {example}" for example in examples if example != own), f"  {own}"]
        return "\n".join([*options, "", f"example{'s' * (len(listed) > 1)}{remark}:", *listed, ""])

    def chosen(self, verb: str | None) -> Parser:
        """The parser of a verb, or this one."""
        return self if verb is None else self.verbs[verb]

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """The value of an option, of a type that names the option where it refuses."""
        parsed = getattr(action.type, "parsed", None)
        if parsed is not None:
            return parsed((action.option_strings or [action.dest])[-1], arg_string)
        return super()._get_value(action, arg_string)

    def _print_message(self, message: str, file: Any = None) -> None:
        """Print help; unlike that of `argparse`, it says so where nobody reads it."""
        if message and file is not None:
            file.write(message)

    def refuse(self, unknown: Sequence[str]) -> NoReturn:
        """End with the options that nobody knows."""
        first = unknown[0].partition("=")[0]
        if not first.startswith("-"):
            self.error(f"unexpected: {' '.join(unknown)}")
        kinds = [kind for kind in OF_KINDS.get(self.prog.removeprefix("apet "), {}) if kind != self.kind]
        of = [kind for kind in kinds if first in self.for_kind(kind)._option_string_actions]
        if of:
            files = " and ".join(PLURALS[kind] for kind in of)
            self.error(f"{first} is for {files}, and the file is {WHAT[self.kind]}")
        self.error(f"unknown option {first}{_nearest(first, self._option_string_actions)}")

    def for_kind(self, kind: str) -> Parser:
        """The parser of the same verb for another kind of file."""
        name = self.prog.removeprefix("apet ")
        parser = Parser(prog=self.prog, add_help=False)
        parser.kind = kind
        _module(name, kind).declare(parser)
        return parser

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


def verb_of(arguments: Sequence[str]) -> str | None:
    """The verb of a call, if it begins with one behind options of the command itself."""
    first = next((a for a in arguments if not a.startswith("-")), None)
    return first if first in VERBS else None


def whole_parser() -> Parser:
    """The parser of every verb with all its options, for what is made of it: completion of words, pages."""
    return parser_of(None, whole=True)


def parser_of(named: str | None, arguments: Sequence[str] = (), whole: bool = False) -> Parser:
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
            rest = arguments[arguments.index(name) + 1 :] if name == named else None
            parser.verbs[name] = _declared(verbs, name, summary, rest)
        elif named is None:
            parser.verbs[name] = verbs.add_parser(name, help=summary, add_help=False)

    return parser


def _declared(
    verbs: argparse._SubParsersAction[Parser], name: str, summary: str, arguments: Sequence[str] | None
) -> Parser:
    """The parser of a verb: for the kind of file that the arguments are about, or for all kinds."""
    from apet.cli.arguments import limits

    kind, others = "", dict[str, Any]()
    if name in OF_KINDS and arguments is not None:
        from apet.cli.subject import OptionNames

        names = OptionNames()
        _module(name, "").declare(names)
        kind, others = _kind(name, arguments, names), names.defaults
    if kind and kind not in OF_KINDS[name]:
        kind, others = "", {}  # refused where --input-kind is read
    module = _module(name, kind)
    verb = verbs.add_parser(name, help=summary, description=module.DESCRIPTION, allow_abbrev=False)
    verb.kind = kind
    module.declare(verb)
    for other in FORMS.get(name, {}) if arguments is None else ():
        for action in verb.for_kind(other)._actions:
            if action.option_strings and not set(action.option_strings) & set(verb._option_string_actions):
                verb._add_action(action)
    own = {action.dest for action in verb._actions}
    verb.set_defaults(run=module.run, **{dest: value for dest, value in others.items() if dest not in own})
    for option in (("--debug",), ("--quiet", "-q")):
        verb.add_argument(*option, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    verb.add_argument("--help-all", nargs=0, action=HelpAll, help="show this help with all that options take and do")
    if name in OF_KINDS:
        text = "what the file is, where its content does not show it"
        verb.add_argument("--input-kind", choices=[*OF_KINDS[name]], help=text)
    if name not in UNLIMITED:
        limits(verb)
    return verb


def _module(name: str, kind: str) -> Any:
    """The module of a verb for a kind of file: one of its own, or that of the verb."""
    from importlib import import_module

    return import_module(f"apet.cli.{FORMS.get(name, {}).get(kind) or MODULES.get(name, name)}")


def _kind(name: str, arguments: Sequence[str], names: OptionNames) -> str:
    """The kind of the file that a call is about; that of models where none is named, empty where kinds are mixed."""
    from apet.api.kinds import MACHINES, MODEL, answerable
    from apet.cli.errors import WrongCall
    from apet.cli.subject import subjects
    from apet.ground.resources import located

    if "--input-kind" in arguments[:-1]:
        return arguments[arguments.index("--input-kind") + 1]
    paths = [located(path) for path in subjects(arguments, names.valued, several=name == "compare")]
    kinds = {answerable(path) for path in paths}
    kind = kinds.pop() if len(kinds) == 1 else MODEL if not kinds else ""
    kind = MODEL if kind == MACHINES else kind
    if kind in OF_KINDS[name] or not kind or (kind == MODEL and not any(os.path.exists(path) for path in paths)):
        return kind
    verbs = ", ".join(verb for verb, kinds_of_verb in OF_KINDS.items() if kind in kinds_of_verb)
    from apet.ground.diagnostics import ApetError

    advice = INSTEAD.get((name, kind), f"ask: {verbs}")
    raise ApetError(WrongCall(None, None, f"apet {name} has no answer for {WHAT[kind]}", advice))


def _nearest(name: str, names: object) -> str:
    from apet.ground.diagnostics import nearest

    return nearest(name, names)  # type: ignore[arg-type]
