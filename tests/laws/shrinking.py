"""Smaller programs that break the law in the same way: parts of the text are left out or made plain.

What may stand for a part follows from the grammar: a part of the same symbol inside it, or a plain one of that symbol.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from lark import Token, Tree
from tests.laws.drawing import Program
from tests.laws.grammar import PRODUCTIONS, Node, number_of, parsed

MOST_TRIES = 1000
DECLARED = re.compile(r"param (\w+)")
PLAIN = {
    **{
        "step": ("delay(1)",),
        "branches": ("delay(1)",),
        "process": ("delay(1)",),
        "bare_number": ("1",),
        "value": ("",),
    },
    **dict.fromkeys(("expr", "addition", "product", "signed", "power", "atom"), ("1", "0", "2", "n", "x", "i")),
    **{"range": ("",), "server_count": ("",), "exprs": ("1",)},
}
"""By symbol, what stands for the least of it."""


def shrunk(program: Program, still_breaks: Callable[[Program], bool], tries: int = MOST_TRIES) -> Program:
    """The smallest program found within so many tries; `still_breaks` says whether one is of interest."""
    while tries > 0:
        for candidate in islice(_simpler(program), tries):
            tries -= 1
            if still_breaks(candidate):
                program = candidate
                break
        else:
            break
    return program


def _simpler(program: Program) -> Iterator[Program]:
    """Programs with less text, or with plainer values."""
    if program.machine:
        yield replace(program, machine=0)
    if program.branches != "probability":
        yield replace(program, branches="probability")
    for text in _shorter(program.text):
        gone = set(DECLARED.findall(program.text)) - set(DECLARED.findall(text))
        words = set(re.findall(r"\w+", text)) - gone
        settings = {n: v for n, v in program.settings.items() if n in words}
        yield replace(program, text=text, settings=settings)
    for name, (low, high) in program.settings.items():
        for value in ([] if low == high else [low, high]) or ([1, 0] if low not in (0, 1) else []):
            yield replace(program, settings={**program.settings, name: (value, value)})


def _shorter(text: str) -> Iterator[str]:
    """The text with one part less, the greatest first; then without what it need not have."""
    tree = parsed(text)
    for node in sorted(tree.iter_subtrees(), key=lambda n: -_length(n)):
        symbol = PRODUCTIONS[number_of(node)].origin.name
        before = _text(node)
        inner = [
            _text(n) for n in node.iter_subtrees() if n is not node and PRODUCTIONS[number_of(n)].origin.name == symbol
        ]
        for plain in (*PLAIN.get(symbol, ()), *sorted(set(inner), key=len)):
            if len(plain) < len(before) or (len(plain) == len(before) and plain < before):
                yield _replaced(tree, node, plain)


def _length(node: Node) -> int:
    return sum(len(token) for token in node.scan_values(lambda _: True))


def _text(node: Node | Token) -> str:
    if isinstance(node, Token):
        return str(node)
    return " ".join(str(token) for token in node.scan_values(lambda _: True))


def _replaced(tree: Node, node: Node, text: str) -> str:
    """The text of a tree with another one in place of a node."""

    def words(part: Node | Token) -> Iterator[str]:
        if part is node:
            yield text
        elif isinstance(part, Tree):
            for child in part.children:
                yield from words(child)
        else:
            yield str(part)

    return re.sub(r"(?<=\w) (?=[\[(])|(?<=[\[(]) | (?=[\]),;])", "", " ".join(words(tree)))
