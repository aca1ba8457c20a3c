"""Long factors get a name each, so that the model grows with the source and not with its ways."""

from __future__ import annotations

import re
from collections.abc import Iterable

from apet.ground.source import Span
from apet.model.expression_text import expression_text
from apet.model.terms import Name
from apet.program.value_terms import UNNAMED, NamedFactor

LONGEST = 4_000
"""Characters of what is written where it stands because it depends on an index or a formal."""
SIGNED = ("max(", "min(", "log2(")
"""Functions whose values may be negative."""
PART = re.compile(re.escape(UNNAMED) + "[0-9a-f]+")


class NamedFactors:
    """Names of products by the mark that stands for them; what is bound in a process is written where it stands."""

    def __init__(self, parameters: Iterable[str], used: Iterable[str]) -> None:
        self.parameters = frozenset(parameters)
        self.used = set(used)
        self.lines: list[str] = []
        self._shown: dict[str, str] = {}

    def add(self, factors: Iterable[NamedFactor]) -> None:
        """Name products, those inside them first."""
        waiting = list(factors)  # a stack of its own: factors nest as deep as conditions follow each other
        while waiting:
            part = waiting[-1]
            inner = [] if part.name in self._shown else parts_of(part.definition)
            missing = [p for p in inner if p.name not in self._shown]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if part.name not in self._shown:
                self._shown[part.name] = self._named(part)

    def _named(self, part: NamedFactor) -> str:
        text = self.put(expression_text(part.definition))
        if not part.atom.names <= self.parameters and len(text) <= LONGEST:
            return f"({text})"

        name = f"part_{len(self.lines) + 1}"
        while name in self.used:
            name += "_"
        self.used.add(name)
        if part.atom.names <= self.parameters:
            # A share is cut off at 0 only outside such a part.
            signed = " in [-1e18, 1e18]" if text.startswith(SIGNED) and not text.startswith("max(0") else ""
            self.lines.append(f"param {name} = {text}{signed};  // used several times below")
        else:
            self.lines.append(f"param {name};  // a mean of too many cases to be written: it needs a value")
        return name

    def put(self, text: str) -> str:
        """A text with the names in it."""
        return PART.sub(lambda m: self._shown[m[0]], text) if self._shown else text


def parts_of(top: object) -> list[NamedFactor]:
    """The products in a process or an expression, each once, in order."""
    factors: dict[str, NamedFactor] = {}
    stack: list[object] = [top]
    while stack:
        one = stack.pop()
        if isinstance(one, NamedFactor):
            factors.setdefault(one.name, one)
        elif isinstance(one, tuple):
            stack.extend(one[::-1])
    return list(factors.values())


def names_in(process: object) -> set[str]:
    """All names in a process or an expression."""
    names: set[str] = set()
    seen: set[int] = set()  # what is shared is looked into once
    stack = [process]

    while stack:
        one = stack.pop()
        kind = type(one)
        if kind is Name:
            names.add(one.name)  # type: ignore[attr-defined]
        elif kind is NamedFactor:
            names |= one.atom.names  # type: ignore[attr-defined]
        elif kind is not Span and id(one) not in seen and isinstance(one, tuple):
            seen.add(id(one))
            stack.extend(one)
    return names
