"""The file that a call is about: where it stands among the arguments, and of which kind it is.

A verb has different options for a model, runs, a queue, a trace or a job log, so its parser is made after this.
"""

from __future__ import annotations

import argparse
import os
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Any

FILES = frozenset(("--gantt", "--paje", "--at", "--sizes", "--save-pingpong"))
"""Options with the name of a file that only some kinds have: what follows one of them is not what the call is about."""


class OptionNames:
    """Stands for a parser of files of all kinds, and notes only which options take a value, and what options are where
    they are not given: a parser itself takes much longer to make."""

    kind = ""

    def __init__(self) -> None:
        self.valued: set[str] = set(FILES)
        self.defaults: dict[str, Any] = {}

    def add_argument(self, *names: str, action: str = "store", dest: str = "", **settings: Any) -> argparse.Action:
        """Note the names of an option."""
        if action in ("store", "append"):
            self.valued.update(name for name in names if name.startswith("-"))
        long = next((name for name in names if name.startswith("--")), names[0])
        default = settings.get("default", False if action == "store_true" else None)
        self.defaults.setdefault(dest or long.lstrip("-").replace("-", "_"), default)
        return argparse.Action([], "")

    def add_argument_group(self, *_: object, **__: object) -> OptionNames:
        """As the parser itself."""
        return self

    add_mutually_exclusive_group = add_argument_group

    def set_defaults(self, **_: object) -> None:
        """Nothing to note."""

    @property
    def _option_string_actions(self) -> Any:
        """An action for any name."""
        return defaultdict(lambda: argparse.Action([], ""))


def positionals(arguments: Sequence[str], valued: Collection[str]) -> Iterator[int]:
    """The places of what is neither an option nor the value of one, up to `--`."""
    previous = ""
    for place, word in enumerate(arguments):
        if word == "--":
            return
        if (not word.startswith("-") or word == "-") and previous not in valued:
            yield place
        previous = word


def subjects(arguments: Sequence[str], valued: Collection[str], several: bool = False) -> list[str]:
    """The file that a call is about: the first that exists, else the first that is named; or all, of some verbs."""
    from apet.ground.resources import located

    named = [arguments[place] for place in positionals(arguments, valued)]
    if several:
        return named
    return [word for word in named if os.path.exists(located(word))][:1] or named[:1]
