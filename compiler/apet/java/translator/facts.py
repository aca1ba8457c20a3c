"""What is known of a Java value before the program runs: a symbolic number, or the lengths of an array."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from apet.java.parse.declarations import JavaMethod
from apet.java.parse.syntax import Type
from apet.java.parse.types import UNKNOWN
from apet.java.translator.algebra import Value, substituted

HIDDEN = "@"
"""Marks a symbol for what changes at run time: it tells two subscripts apart, and is never written into a model."""


class Lengths(NamedTuple):
    """The lengths of an array by dimension, outermost first; None where unknown."""

    lengths: tuple[Value | None, ...]

    def element(self) -> Lengths | None:
        """What is known of an element."""
        return Lengths(self.lengths[1:]) if len(self.lengths) > 1 else None


class Functional(NamedTuple):
    """The method that runs when a method of a functional interface is called: that of a lambda, or one referred to."""

    method: JavaMethod


class Instance(NamedTuple):
    """The class that an object was made of."""

    type: Type


class Stream(NamedTuple):
    """A stream: how many elements it has (None where unknown), and of which type."""

    length: Value | None
    element: Type


Fact = Value | Lengths | Functional | Instance | Stream | None


NO_VALUE = -1
"""Stands for the number of a value that no operation makes: that of a literal."""


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
    return substituted(fact, values) if isinstance(fact, Value) else fact


def merged(one: Fact, other: Fact) -> Fact:
    """What is known of a value that comes from either of two places."""
    if one == other:
        return one
    if isinstance(one, Lengths) and isinstance(other, Lengths) and len(one.lengths) == len(other.lengths):
        pairs = zip(one.lengths, other.lengths, strict=True)
        return Lengths(tuple(a if a == b else None for a, b in pairs))
    return None
