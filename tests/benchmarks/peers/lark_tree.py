"""The peer of the parser: Lark's own LALR parser and a visitor, from the same grammar to the same names.

The visitor does the least that a front end must: it visits every node and keeps the names of equations.
"""

from __future__ import annotations

from typing import Any

from lark import Lark, Tree, Visitor


def parser(grammar: str) -> Lark:
    """Lark's parser of a grammar text, with places."""
    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=False)


class Names(Visitor[Any]):
    """Collects the names of the equations, in order."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def equation(self, tree: Tree[Any]) -> None:
        """One `NAME… = process`."""
        self.found.append(str(tree.children[0].children[0]))  # type: ignore[union-attr]


def names(lark: Lark, text: str) -> list[str]:
    """The names of all equations of a model text, sorted."""
    visitor = Names()
    visitor.visit(lark.parse(text))
    return sorted(visitor.found)
