"""The peer of the parser: Lark's own LALR parser and a visitor, from the same grammar to the same names.

The visitor does the least that a front end must: it visits every node and keeps the names of equations.
"""

from __future__ import annotations

import re
from typing import Any

from lark import Lark, Tree, Visitor


def parser(grammar: str) -> Lark:
    """Lark's parser of a grammar text, with places.

    Rules that hand on their first part are inlined, as one would write them for a tree: `?expr: …` without `-> first`.
    """
    rules = re.split(r"^(?=\w+:)", grammar, flags=re.MULTILINE)
    inlined = "".join(f"?{r}" if "-> first" in r else r for r in rules).replace("-> first", "")
    return Lark(inlined, parser="lalr", propagate_positions=True, maybe_placeholders=False)


class Names(Visitor[Any]):
    """Collects the names of the equations, in order."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def equation(self, tree: Tree[Any]) -> None:
        """One `NAME… = process`."""
        self.found.append(str(tree.children[0].children[0]))


def names(lark: Lark, text: str) -> list[str]:
    """The names of all equations of a model text, sorted."""
    visitor = Names()
    visitor.visit(lark.parse(text))
    return sorted(visitor.found)
