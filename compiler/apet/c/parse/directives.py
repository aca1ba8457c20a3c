"""Directives of OpenMP, which libclang reads as comments: what stands before which statement, and what is not modelled.

Syntax and schedules: OpenMP Application Programming Interface 5.2, sections 3 (directives) and 11.5 (loops).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from apet.ground.source import Source
from apet.program import syntax as s

DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+((?:\\\r?\n|.)*)", re.MULTILINE)
BETWEEN = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/|#(?:\\\r?\n|[^\n])*)*", re.DOTALL)
"""What may stand between a directive and its statement: spaces, comments, other directives."""
CLAUSE = re.compile(r"(\w+)[ \t]*(?:\(([^()]*(?:\([^()]*\)[^()]*)*)\))?")
LOOP = frozenset(("parallel", "for", "simd"))
SILENT = frozenset(
    (
        "critical",
        "private",
        "firstprivate",
        "lastprivate",
        "shared",
        "default",
        "num_threads",
        "safelen",
        "simdlen",
        "aligned",
    )
)
"""Clauses that change no count; P says how many threads there are."""
ADDED = ("+", "*", "-", "&", "|", "^")
"""Operators of reductions that are operators of C, too."""


class Directive(NamedTuple):
    """The names of a directive, and its clauses with what stands in their brackets."""

    names: frozenset[str]
    clauses: tuple[tuple[str, str], ...]

    @property
    def is_dealt(self) -> bool:
        """Whether threads share the rounds of the loop behind it."""
        return "for" in self.names

    @property
    def lock(self) -> str:
        """What a critical section holds; "" for any other directive."""
        own = dict(self.clauses).get("critical")
        return "" if own is None else f"critical_{own.strip()}" if own.strip() else "critical_section"

    def team(self, numbers: dict[str, str]) -> s.Team:
        """The threads that share the loop; `numbers` are macros."""
        kind, _, chunk = (part.strip() for part in dict(self.clauses).get("schedule", "static").partition(","))
        kind = kind.rpartition(":")[2].strip()
        size = numbers.get(chunk, chunk)
        own = int(size) if size.isdigit() else 0 if kind == "static" else 1
        reduced = [pair for name, inside in self.clauses if name == "reduction" for pair in _reduced(inside)]
        return s.Team(own, kind in ("dynamic", "guided"), tuple(reduced))


class Directives:
    """The directives of one source, by the place of the statement behind them."""

    def __init__(self, source: Source) -> None:
        self.at: dict[s.LineColumn, Directive] = {}
        self.notes: dict[s.LineColumn, str] = {}
        self.numbers = dict(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)[ \t]+(\d+)[ \t]*$", source.text, re.MULTILINE))
        for found in DIRECTIVE.finditer(source.text):
            own = _directive(found[1])
            behind = BETWEEN.match(source.text, found.end())
            place = s.LineColumn(*source.position(behind.end() if behind is not None else found.end()))
            held = self.at.get(place, Directive(frozenset(), ()))
            self.at[place] = Directive(held.names | own.names, (*held.clauses, *own.clauses))
            unmodelled = ", ".join(_unmodelled(own, self.numbers))
            if unmodelled:
                start = s.LineColumn(*source.position(found.start()))
                self.notes[start] = f"of OpenMP this is not modelled: {unmodelled}"


def _directive(text: str) -> Directive:
    """A directive of the words behind `omp`: names up to the first clause."""
    words = [(name, inside) for name, inside in CLAUSE.findall(re.sub(r"\\\r?\n", " ", text.partition("//")[0]))]
    names = frozenset(name for name, _ in words if name in LOOP)
    return Directive(names, tuple((name, inside) for name, inside in words if name not in LOOP))


def _reduced(inside: str) -> list[tuple[str, str]]:
    """The variables of a reduction with their operators; none where these are no plain ones."""
    operator, _, names = (part.strip() for part in inside.partition(":"))
    variables = [name.strip() for name in names.split(",")]
    plain = operator in ADDED and all(name.isidentifier() for name in variables)
    return [("+" if operator == "-" else operator, name) for name in variables] if plain else []


def _unmodelled(directive: Directive, numbers: dict[str, str]) -> Iterator[str]:
    if directive.names == {"parallel"}:
        yield "a parallel region counts as one thread runs it, but for its loops"
    for name, inside in directive.clauses:
        if name == "schedule":
            kind, _, chunk = (part.strip() for part in inside.partition(","))
            if kind.rpartition(":")[2].strip() not in ("static", "dynamic"):
                yield f"schedule({kind})"
            elif chunk and not numbers.get(chunk, chunk).isdigit():
                yield f"a chunk of {chunk} rounds"
        elif name not in SILENT and not (name == "reduction" and _reduced(inside)):
            yield f"{name}({inside})" if inside else name
