"""The productions of `grammar/pamela.lark`, numbered, and texts as trees of them, by a parser of its own.

A *pair* is a production, the place of a symbol on its right side, and a production of that symbol.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import count
from pathlib import Path

from lark import Lark, Token, Tree
from lark.grammar import Rule

GRAMMAR = Path(__file__).resolve().parents[2] / "grammar" / "pamela.lark"
ALTERNATIVE = re.compile(r"^(\s*(?:[a-z_]+\s*:|\|))(.*?)(?:->\s*(\w+))?\s*$")
FAR = 1000

Pair = tuple[int, int, int]
Node = Tree[Token]


def _numbered(grammar: str) -> str:
    """The grammar with the number of its production behind each alternative's name."""
    numbers = count()

    def line(text: str) -> str:
        match = ALTERNATIVE.match(text)
        return text if match is None else f"{match[1]} {match[2]} -> {match[3] or 'whole'}__{next(numbers)}"

    return "\n".join(map(line, grammar.splitlines()))


PARSER = Lark(
    _numbered(GRAMMAR.read_text(encoding="utf-8")), parser="lalr", keep_all_tokens=True, maybe_placeholders=False
)
PRODUCTIONS: tuple[Rule, ...] = tuple(PARSER.rules)
"""Number k is the k-th alternative of the file."""
OF_SYMBOL = {
    rule.origin.name: [k for k, r in enumerate(PRODUCTIONS) if r.origin == rule.origin] for rule in PRODUCTIONS
}
SYMBOLS = tuple(tuple(symbol.name for symbol in rule.expansion) for rule in PRODUCTIONS)
PAIRS: tuple[Pair, ...] = tuple(
    (k, place, child)
    for k, symbols in enumerate(SYMBOLS)
    for place, symbol in enumerate(symbols)
    for child in OF_SYMBOL.get(symbol, ())
)


@lru_cache(maxsize=8)
def parsed(text: str) -> Node:
    """The tree of a model's text; each node is named `NAME__NUMBER` after its production."""
    return PARSER.parse(text)


def number_of(node: Node) -> int:
    """The number of the production of a node."""
    return int(str(node.data).rpartition("__")[2])


def kind_of(node: Node) -> str:
    """The name of the production of a node."""
    return str(node.data).rpartition("__")[0]


def used_in(tree: Node) -> Iterator[Pair | int]:
    """The productions and the pairs that a tree has."""
    for node in tree.iter_subtrees():
        yield (number := number_of(node))
        for place, child in enumerate(node.children):
            if isinstance(child, Tree):
                yield number, place, number_of(child)


def shown(pair: Pair) -> str:
    """A pair as words."""
    production, place, child = pair
    rule = PRODUCTIONS[production]
    return (
        f"{rule.origin.name}: {' '.join(SYMBOLS[production])}, place {place}: {' '.join(SYMBOLS[child]) or 'nothing'}"
    )


def _least(cost: dict[int, int], of: dict[str, int], production: int) -> int:
    return cost.get(production, FAR) if production in cost else 1 + sum(of.get(s, 0) for s in SYMBOLS[production])


@cache
def heights() -> dict[int, int]:
    """How many levels the least tree of each production has."""
    found = dict.fromkeys(range(len(PRODUCTIONS)), FAR)
    for _ in PRODUCTIONS:
        of = {symbol: min(found[k] for k in numbers) for symbol, numbers in OF_SYMBOL.items()}
        found = {k: 1 + max((of.get(s, 0) for s in symbols), default=0) for k, symbols in enumerate(SYMBOLS)}
    return found


@cache
def distances(goal: int) -> dict[int, int]:
    """How many levels below each production the production `goal` may first be found."""
    found = {k: 0 if k == goal else FAR for k in range(len(PRODUCTIONS))}
    for _ in PRODUCTIONS:
        of = {symbol: min(found[k] for k in numbers) for symbol, numbers in OF_SYMBOL.items()}
        for k, symbols in enumerate(SYMBOLS):
            found[k] = min(found[k], 1 + min((of.get(s, FAR) for s in symbols), default=FAR))
    return found
