"""Options that are pairs of a name and a text: conditions on runs, roles, points."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apet.cli.errors import bad_option
from apet.ground.diagnostics import ApetError

HELP = "of runs over several parameters: keep those with this value, P=1; may be repeated"


def option(parser: argparse._ActionsContainer) -> None:
    """The option --where."""
    parser.add_argument("--where", action="append", default=[], metavar="NAME=VALUE", help=HELP)


def parsed_conditions(texts: Sequence[str]) -> dict[str, str]:
    """The values that parameters shall have, as text; several may be separated by commas."""
    return split_pairs("--where", [part for text in texts for part in text.split(",")])


def split_pairs(name: str, texts: Sequence[str]) -> dict[str, str]:
    """Texts by name; `ApetError` where one is no pair, or a name occurs twice."""
    pairs = dict[str, str]()
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key or not value:
            raise ApetError(bad_option(name, text, "a name, an equals sign and a value are needed"))
        if key in pairs:
            raise ApetError(bad_option(name, text, f"{key} is set twice"))
        pairs[key] = value
    return pairs
