"""The help of a verb on one screen: a line for each option, an example for each kind of file."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterable, Iterator

NAMES = 26
"""Columns of the names of options."""
MOST_ROWS = 2
"""Lines of the description."""
ASIDE = ("-h", "--input-kind", "--time-limit", "--memory-limit", "--help-all")
"""Options that nearly all verbs have: named in one line."""


def lines(parser: argparse.ArgumentParser, columns: int) -> Iterator[str]:
    """Usage, description, and what is given and may be given."""
    shown = [action for action in parser._actions if action.help != argparse.SUPPRESS]
    given = [action for action in shown if not action.option_strings]
    yield f"usage: {' '.join([parser.prog, *map(_place, given), '[options]'])}"
    yield from ["", *_description(" ".join((parser.description or "").split()), columns)]
    if given:
        yield ""
        yield from (_line(str(action.metavar or action.dest), action, columns) for action in given)
    options = [action for action in shown if action.option_strings and not set(ASIDE) & {*action.option_strings}]
    yield from ["", *(["options:"] if options else []), *(_line(_names(action), action, columns) for action in options)]

    aside = [name for name in ASIDE if name in parser._option_string_actions]
    yield from textwrap.wrap(
        f"and {', '.join(aside)} (all of it)", columns, initial_indent="  ", subsequent_indent="  "
    )


def _description(text: str, columns: int) -> list[str]:
    """The first sentences, as many as have room; at least one."""
    while len(rows := textwrap.wrap(text, columns)) > MOST_ROWS and ". " in text:
        text = text.rpartition(". ")[0] + "."
    return rows


def _place(action: argparse.Action) -> str:
    name = str(action.metavar or action.dest)
    return {"?": f"[{name}]", "*": f"[{name} ...]", "+": f"{name} ...", "...": f"-- {name} ..."}.get(
        str(action.nargs), name
    )


def _names(action: argparse.Action) -> str:
    """`-P, --processors N`, the short name first."""
    names = ", ".join(sorted(action.option_strings, key=len))
    value = action.metavar or (action.dest.upper() if action.choices else "")
    if action.nargs == 0 or not value:
        return names
    return f"{names} [{value}]" if action.nargs == "?" else f"{names} {value}"


def _line(name: str, action: argparse.Action, columns: int) -> str:
    said = _said(action.help or "", action.choices if action.option_strings else None)
    room = columns - max(NAMES, len(name) + 2) - 2
    if len(said) > room:
        said = f"{said[: room - 1].rpartition(' ')[0]} …"
    return f"  {name:<{NAMES - 2}}  {said}".rstrip()


def _said(text: str, choices: Iterable[object] | None) -> str:
    """The first thought of a help text, or what may be chosen."""
    if choices:
        return " | ".join(map(str, choices))
    return re.split(r"; | \(", " ".join(text.replace("%%", "%").split()))[0]
