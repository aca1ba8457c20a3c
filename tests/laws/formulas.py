"""Expressions of programs, with their text and their exact value: an `int` or a `Fraction`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor, isqrt

Exact = int | Fraction
Scope = Mapping[str, Exact]


class FaultError(Exception):
    """What a program may not do: its first argument says of which kind it is."""


@dataclass(frozen=True, slots=True)
class Numeral:
    value: Exact

    def __str__(self) -> str:
        value = self.value
        return str(value) if isinstance(value, int) else f"({value.numerator} / {value.denominator})"

    def at(self, scope: Scope) -> Exact:
        return self.value


@dataclass(frozen=True, slots=True)
class Variable:
    """A parameter, an index, a formal, or a free name that was bound to a processor."""

    name: str

    def __str__(self) -> str:
        return self.name

    def at(self, scope: Scope) -> Exact:
        return scope[self.name]


@dataclass(frozen=True, slots=True)
class Apply:
    """One of `OPERATIONS` on expressions."""

    operation: str
    operands: tuple[Formula, ...]

    def __str__(self) -> str:
        return OPERATIONS[self.operation][0].format(*self.operands)

    def at(self, scope: Scope) -> Exact:
        return tidy(OPERATIONS[self.operation][1](*(operand.at(scope) for operand in self.operands)))


Formula = Numeral | Variable | Apply


def tidy(value: Exact | bool) -> Exact:
    """An `int` where the value is whole."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else value
    return int(value)


def _quotient(x: Exact, y: Exact) -> Exact:
    if y == 0:
        raise FaultError("division")
    return Fraction(x) / y


def _remainder(x: Exact, y: Exact) -> Exact:
    if y == 0:
        raise FaultError("division")
    return x - y * floor(Fraction(x) / y)


def _floor_log(base: int, x: Exact) -> int:
    """The greatest k with base^k <= x, for x of 1 or more."""
    if x < 1:
        raise FaultError("domain")
    k, power = 0, base
    while power <= x:
        k, power = k + 1, power * base
    return k


def _ceil_log(base: int, x: Exact) -> int:
    k = _floor_log(base, x)
    return k + int(base**k != x)


def _floor_root(x: Exact) -> int:
    if x < 0:
        raise FaultError("domain")
    return isqrt(floor(x))


def _ceil_root(x: Exact) -> int:
    root = _floor_root(x)
    return root + (root * root != x)


def _floor_cube_root(x: Exact) -> int:
    if x < 0:
        raise FaultError("domain")
    root = 0
    while (root + 1) ** 3 <= x:
        root += 1
    return root


OPERATIONS: dict[str, tuple[str, Callable[..., Exact]]] = {
    "add": ("({} + {})", lambda x, y: x + y),
    "subtract": ("({} - {})", lambda x, y: x - y),
    "multiply": ("({} * {})", lambda x, y: x * y),
    "divide": ("({} / {})", _quotient),
    "remainder": ("({} % {})", _remainder),
    "power": ("({}^{})", lambda x, y: x**y),
    "greater": ("({} > {})", lambda x, y: x > y),
    "equal": ("({} == {})", lambda x, y: x == y),
    "min": ("min({}, {})", min),
    "max": ("max({}, {})", max),
    "abs": ("abs({})", abs),
    "ceil": ("ceil({})", ceil),
    "floor": ("floor({})", floor),
    "square root, down": ("floor(sqrt({}))", _floor_root),
    "square root, up": ("ceil(sqrt({}))", _ceil_root),
    "cube root, down": ("floor({}^(1/3))", _floor_cube_root),
    "binary logarithm, down": ("floor(log2({}))", partial(_floor_log, 2)),
    "binary logarithm, up": ("ceil(log2({}))", partial(_ceil_log, 2)),
    "ternary logarithm, down": ("floor(log({}) / log(3))", partial(_floor_log, 3)),
    "ternary logarithm, up": ("ceil(log({}) / log(3))", partial(_ceil_log, 3)),
    "decimal logarithm, down": ("floor(log({}) / log(10))", partial(_floor_log, 10)),
    "decimal logarithm, up": ("ceil(log({}) / log(10))", partial(_ceil_log, 10)),
}
"""By name: how it is written, and its exact value."""
