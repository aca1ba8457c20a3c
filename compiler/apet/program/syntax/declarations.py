"""Declarations of Java: what a class has, with bodies that are read when they are first asked for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property

from apet.program.ir import LineColumn
from apet.program.syntax import CodeBlock, Expression, Formal
from apet.program.syntax.scan import Facts, Scan
from apet.program.types import Type


@cache
def _assignment(name: str) -> re.Pattern[str]:
    """A name with an assignment, `++` or `--` beside it; comments between them, too."""
    gap, plain = r"(?:\s|/\*.*?\*/|//[^\n]*\n)*", re.escape(name)
    after = rf"\b{plain}{gap}\)*{gap}(?:\+\+|--|[-+*/%&|^]?=(?!=)|<<=|>>>?=)"
    return re.compile(rf"{after}|(?:\+\+|--){gap}\(*{gap}(?:this{gap}\.{gap})?{plain}\b", re.DOTALL)


@dataclass(frozen=True, eq=False)
class Field:
    """A field of a class; `initial` reads its initialiser."""

    type: Type
    name: str
    static: bool
    final: bool
    read: Callable[[], Expression | None]
    at: LineColumn

    @cached_property
    def initial(self) -> Expression | None:
        """The initialiser, or None."""
        return self.read()


@dataclass(frozen=True, eq=False)
class Method:
    """A method, or a constructor (named as its class); `result` is the type `void` for a constructor."""

    owner: str
    name: str
    formals: tuple[Formal, ...]
    result: Type
    static: bool
    variadic: bool
    read: Callable[[], CodeBlock | None]
    at: LineColumn
    text: Callable[[], str] | None = None
    """Gives the text of the body, where a parser keeps it: what it cannot assign need not be read."""
    synchronized: bool = False
    variables: tuple[str, ...] = ()
    """The names of its type parameters."""

    @property
    def has_body(self) -> bool:
        """Whether there is a body; it is not read for that where its text is at hand."""
        return self.text is not None or self.body is not None

    def accepts(self, arguments: int) -> bool:
        """Whether it can be called with so many arguments."""
        return len(self.formals) == arguments or (self.variadic and arguments >= len(self.formals) - 1)

    def assigns(self, name: str) -> bool:
        """Whether the body assigns a simple name."""
        if self.text is not None and not _assignment(name).search(self.text()):
            return False
        return name in self.assigned

    @cached_property
    def body(self) -> CodeBlock | None:
        """The body; None where there is none (abstract, native)."""
        return self.read()

    @cached_property
    def scan(self) -> Scan:
        """What has been found out about terms of the body."""
        return Scan()

    @cached_property
    def facts(self) -> Facts:
        """What the body assigns, declares and calls."""
        return self.scan.facts(self.body)

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Simple names that the body assigns."""
        return frozenset(self.facts.assigned)

    @cached_property
    def called(self) -> tuple[str, ...]:
        """Names of methods that the body calls; `new Name` for constructors."""
        return (*self.facts.called, *(f"new {n}" for n in self.facts.created))

    @cached_property
    def title(self) -> str:
        """`Class.name(type, type)`."""
        formals = ", ".join(f.type.name + "[]" * f.type.dimensions for f in self.formals)
        return f"{self.owner}.{self.name}({formals})"


@dataclass(frozen=True)
class Class:
    """A class, record, enum or interface; `parents` are the simple names of what it extends and implements."""

    name: str
    kind: str
    parents: tuple[str, ...]
    fields: dict[str, Field]
    methods: tuple[Method, ...]
    constructors: tuple[Method, ...]
    at: LineColumn
    file: str = field(default="")
    blocks: tuple[Method, ...] = ()
    """Its static initialisers."""
    variables: tuple[str, ...] = ()
    """The names of its type parameters."""
    initialisers: tuple[Method, ...] = ()
    """Its blocks that run whenever an object is made."""
    constants: int | None = None
    """How many constants an enum has, if it is known."""

    @cached_property
    def named(self) -> dict[str, list[Method]]:
        """The methods by name."""
        by_name: dict[str, list[Method]] = {}
        for m in self.methods:
            by_name.setdefault(m.name, []).append(m)
        return by_name


@dataclass(frozen=True)
class CompilationUnit:
    """A compilation unit: its classes, inner ones included, in the order of the text."""

    classes: tuple[Class, ...]


class Unused:
    """Names for what has none; a second one of a name gets a number."""

    def __init__(self) -> None:
        self._given: dict[str, int] = {}

    def __call__(self, wanted: str) -> str:
        """A name that has not been given yet."""
        self._given[wanted] = self._given.get(wanted, 0) + 1
        return wanted if self._given[wanted] == 1 else f"{wanted}_{self._given[wanted]}"
