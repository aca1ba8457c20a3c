"""Formulas of bounds in the parameters: polynomials, maxima, products, logarithms and powers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import inf, prod
from typing import Literal, assert_never

from apet.program.rounds.polynomial import Number, Polynomial, as_polynomial


@dataclass(frozen=True, slots=True)
class Plain:
    polynomial: Polynomial


@dataclass(frozen=True, slots=True)
class Joined:
    kind: Literal["+", "*", "max", "min"]
    parts: tuple[Bound, ...]


@dataclass(frozen=True, slots=True)
class Ceiling:
    """ceil(of / by), for what divides by at least 1."""

    of: Bound
    by: Bound


@dataclass(frozen=True, slots=True)
class Digits:
    """How often a number can be divided until less than 1 is left: floor(log of it) + 1 from 1 up, else 0."""

    of: Bound
    base: int


@dataclass(frozen=True, slots=True)
class Power:
    base: int
    exponent: Bound


@dataclass(frozen=True, slots=True)
class Where:
    """The bound where every condition is at least 0, else 0."""

    conditions: tuple[Polynomial, ...]
    bound: Bound


Bound = Plain | Joined | Ceiling | Digits | Power | Where


def plain(value: Polynomial | Number) -> Bound:
    return Plain(as_polynomial(value))


def constant(bound: Bound) -> Number | None:
    return bound.polynomial.constant if isinstance(bound, Plain) else None


def add(*bounds: Bound) -> Bound:
    total, rest = as_polynomial(0), list[Bound]()
    for b in bounds:
        for part in b.parts if isinstance(b, Joined) and b.kind == "+" else (b,):
            if isinstance(part, Plain):
                total = total + part.polynomial
            else:
                rest.append(part)
    if total.terms or not rest:
        rest.append(Plain(total))
    return rest[0] if len(rest) == 1 else Joined("+", tuple(rest))


def times(a: Bound, b: Bound) -> Bound:
    for one, other in ((a, b), (b, a)):
        if constant(one) == 1:
            return other
        if constant(one) == 0:
            return one
    if isinstance(a, Plain) and isinstance(b, Plain):
        return Plain(a.polynomial * b.polynomial)
    return Joined("*", (a, b))


def extreme(kind: Literal["max", "min"], *bounds: Bound) -> Bound:
    """The largest or least of some; numbers among them are one."""
    flat = [p for b in bounds for p in (b.parts if isinstance(b, Joined) and b.kind == kind else (b,))]
    numbers = [n for b in flat if (n := constant(b)) is not None]
    rest = list(dict.fromkeys(b for b in flat if constant(b) is None))
    if numbers:
        number = max(numbers) if kind == "max" else min(numbers)
        rest.append(plain(number))
    return rest[0] if len(rest) == 1 else Joined(kind, tuple(rest))


def positive(bound: Bound) -> Bound:
    return extreme("max", bound, plain(0))


def ceiling(bound: Bound, by: Bound) -> Bound:
    number, divisor = constant(bound), constant(by)
    if number is not None and divisor is not None:
        return plain(-(-number // divisor))
    return bound if divisor == 1 and _is_whole(bound) else Ceiling(bound, by)


def _is_whole(bound: Bound) -> bool:
    match bound:
        case Plain(polynomial):
            return all(f.denominator == 1 for f in polynomial.terms.values())
        case Joined(_, parts):
            return all(_is_whole(p) for p in parts)
        case _:
            return True


def value(bound: Bound, at: Mapping[str, int]) -> Number:
    """The bound at values of the parameters, exactly."""
    match bound:
        case Plain(polynomial):
            return polynomial.value(at.__getitem__)
        case Joined(kind, parts):
            numbers = [value(p, at) for p in parts]
            if kind in ("+", "*"):
                return sum(numbers) if kind == "+" else prod(numbers)
            return max(numbers) if kind == "max" else min(numbers)
        case Ceiling(of, by):
            return -(-value(of, at) // value(by, at))
        case Digits(of, base):
            rest, digits = value(of, at), 0
            while rest >= 1:
                rest, digits = Fraction(rest) / base, digits + 1
            return digits
        case Power(base, exponent):
            return Fraction(base) ** int(value(exponent, at))
        case Where(conditions, inner):
            return value(inner, at) if all(c.value(at.__getitem__) >= 0 for c in conditions) else 0
        case _:
            assert_never(bound)


def degree(bound: Bound) -> float:
    """The exponent of its growth in the largest parameter; a logarithm counts as .01, an exponential as infinite."""
    match bound:
        case Plain(polynomial):
            return polynomial.degree
        case Joined(kind, parts):
            degrees = [degree(p) for p in parts]
            return sum(degrees) if kind == "*" else min(degrees) if kind == "min" else max(degrees)
        case Ceiling(of, _):
            return degree(of)
        case Digits(of, _):
            return 0.01 if degree(of) else 0
        case Power(_, exponent):
            return inf if degree(exponent) else 0
        case Where(_, inner):
            return degree(inner)
        case _:
            assert_never(bound)


def text(bound: Bound) -> str:
    match bound:
        case Plain(polynomial):
            return str(polynomial)
        case Joined("+" | "*" as kind, parts):
            inner = [text(p) if isinstance(p, Power | Digits) else f"({text(p)})" for p in parts]
            return f" {kind} ".join(inner)
        case Joined(kind, parts):
            return f"{kind}({', '.join(text(p) for p in parts)})"
        case Ceiling(of, by):
            return f"ceil(({text(of)}) / {text(by) if constant(by) is not None else f'({text(by)})'})"
        case Digits(of, base):
            return f"digits({text(of)}, {base})"
        case Power(base, exponent):
            return f"{base}^({text(exponent)})"
        case Where(conditions, inner):
            return f"[{' and '.join(f'{c} >= 0' for c in conditions)}] ({text(inner)})"
        case _:
            assert_never(bound)
