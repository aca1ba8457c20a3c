"""Declarations of Java: what a class has, with bodies that are read when they are first asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apet.frontends.java.syntax import Block, Expression, Place, Type


@dataclass(frozen=True)
class Formal:
    """A formal of a method."""

    type: Type
    name: str


@dataclass(frozen=True, eq=False)
class Field:
    """A field of a class; `initial` reads its initialiser."""

    type: Type
    name: str
    static: bool
    final: bool
    read: Callable[[], Expression | None]
    at: Place

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
    read: Callable[[], Block | None]
    at: Place

    @cached_property
    def body(self) -> Block | None:
        """The body; None where there is none (abstract, native)."""
        return self.read()

    @cached_property
    def assigned(self) -> frozenset[str]:
        """Simple names that the body assigns."""
        from apet.frontends.java.scan import assigned

        return frozenset(assigned(self.body))

    @cached_property
    def called(self) -> frozenset[str]:
        """Names of methods that the body calls; `new Name` for constructors."""
        from apet.frontends.java.scan import called

        return frozenset(called(self.body))

    @property
    def title(self) -> str:
        """`Class.name(type, type)`."""
        shown = ", ".join(f.type.name + "[]" * f.type.dimensions for f in self.formals)
        return f"{self.owner}.{self.name}({shown})"


@dataclass(frozen=True)
class Class:
    """A class, record, enum or interface; `parents` are the simple names of what it extends and implements."""

    name: str
    kind: str
    parents: tuple[str, ...]
    fields: dict[str, Field]
    methods: tuple[Method, ...]
    constructors: tuple[Method, ...]
    at: Place
    file: str = field(default="")

    @cached_property
    def named(self) -> dict[str, list[Method]]:
        """The methods by name."""
        found: dict[str, list[Method]] = {}
        for m in self.methods:
            found.setdefault(m.name, []).append(m)
        return found


@dataclass(frozen=True)
class Unit:
    """A compilation unit: its classes, inner ones included, in the order of the text."""

    classes: tuple[Class, ...]
