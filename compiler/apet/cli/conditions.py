"""Options that are pairs of a name and a text: conditions on runs, roles, points."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apet.ground.notation import assignments

HELP = "of runs over several parameters: keep those with this value, P=1; may be repeated"


def option(parser: argparse._ActionsContainer) -> None:
    """The option --where."""
    parser.add_argument("--where", action="append", default=[], metavar="NAME=VALUE", help=HELP)


def parsed_conditions(texts: Sequence[str]) -> dict[str, str]:
    """The values that parameters shall have, as text; several may be separated by commas."""
    return assignments("--where", [part for text in texts for part in text.split(",")])
