"""What is known of a Java value before the program runs: a symbolic number, or the lengths of an array."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NamedTuple

from apet.program.algebra import Value, substituted
from apet.program.ir import NO_VALUE
from apet.program.symbols import HIDDEN, Symbol
from apet.program.syntax.declarations import Method
from apet.program.types import UNKNOWN, Type

POINTER = Type("*")
"""Marks a formal of C that is a pointer: nobody says how many elements there are behind it."""


class Lengths(NamedTuple):
    """The lengths of an array by dimension, outermost first; None where unknown."""

    lengths: tuple[Value | None, ...]

    def element(self) -> Lengths | None:
        """What is known of an element."""
        return Lengths(self.lengths[1:]) if len(self.lengths) > 1 else None


class Functional(NamedTuple):
    """The method that runs when a method of a functional interface is called: that of a lambda, or one referred to."""

    method: Method


class Instance(NamedTuple):
    """The class that an object was made of; what its constructor was given, by symbols (None where nobody knows which
    object it is), and the constructor (None where the class has none)."""

    type: Type
    given: tuple[tuple[str, Value], ...] | None = None
    constructor: Method | None = None


class Stream(NamedTuple):
    """A stream: how many elements it has (None where unknown), and of which type."""

    length: Value | None
    element: Type


Given = Functional | Instance | None
"""What is known of an argument that an equation is written for."""
Fact = Value | Lengths | Functional | Instance | Stream | None


class Evaluated(NamedTuple):
    """An expression's type, what is known of its value, the number of its value, and whether memory gave it."""

    type: Type
    fact: Fact = None
    value: int = NO_VALUE
    loaded: bool = False

    @property
    def number(self) -> Value | None:
        """The symbolic number, or None."""
        return self.fact if isinstance(self.fact, Value) else None


def formal_symbols(name: str, kind: Type, is_number: bool) -> tuple[str, ...]:
    """The symbols that a formal may bring: its number, or its lengths by dimension."""
    if kind.dimensions:
        if POINTER in kind.arguments:
            return ()
        return tuple(f"{name}_length" if k == 0 else f"{name}_length{k + 1}" for k in range(kind.dimensions))
    return (name,) if is_number else ()


NOTHING = Evaluated(UNKNOWN)


def shown(fact: Fact) -> Value | None:
    """A number that a model may name, or None."""
    if not isinstance(fact, Value) or any(HIDDEN in n for n in fact.names):
        return None
    return fact


def put(fact: Fact, values: Mapping[str, Value]) -> Fact:
    """What is known with values put in for names."""
    if isinstance(fact, Lengths):
        return Lengths(tuple(None if v is None else substituted(v, values) for v in fact.lengths))
    if isinstance(fact, Instance):
        return Instance(fact.type)
    return substituted(fact, values) if isinstance(fact, Value) else fact


def names_of(fact: Fact) -> frozenset[str]:
    """The names in what is known."""
    values: tuple[object, ...] = fact.lengths if isinstance(fact, Lengths) else (fact,)
    if isinstance(fact, Instance):
        values = tuple(value for _, value in fact.given or ())
    return frozenset(n for v in values if isinstance(v, Value) for n in v.names)


def without_symbols(fact: Fact, gone: Set[str] | None = None) -> Fact:
    """What is known without what names in `gone` tell; by default all symbols, which last no longer than a method."""

    def is_lasting(value: Value | None) -> bool:
        names = value.names if value is not None else frozenset()
        return not (any(isinstance(n, Symbol) for n in names) if gone is None else names & gone)

    if isinstance(fact, Lengths):
        return Lengths(tuple(v if is_lasting(v) else None for v in fact.lengths))
    if isinstance(fact, Instance):
        return fact if all(is_lasting(value) for _, value in fact.given or ()) else Instance(fact.type)
    return fact if not isinstance(fact, Value) or is_lasting(fact) else None


def merged(one: Fact, other: Fact) -> Fact:
    """What is known of a value that comes from either of two places."""
    if one == other:
        return one
    if isinstance(one, Lengths) and isinstance(other, Lengths) and len(one.lengths) == len(other.lengths):
        pairs = zip(one.lengths, other.lengths, strict=True)
        return Lengths(tuple(a if a == b else None for a, b in pairs))
    if isinstance(one, Instance) and isinstance(other, Instance) and one.type == other.type:
        return Instance(one.type)
    return None
