"""Polynomials over the variables of a program with exact coefficients: guards, updates and norms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

Number = int | Fraction
Monomial = tuple[str, ...]
"""Names in order, one as often as its power; () is the constant."""


@dataclass(frozen=True, slots=False)
class Polynomial:
    """A sum of monomials; coefficients of 0 are left out."""

    terms: Mapping[Monomial, Number] = field(hash=False)

    @cached_property
    def key(self) -> frozenset[tuple[Monomial, Number]]:
        return frozenset(self.terms.items())

    def __hash__(self) -> int:
        return hash(self.key)

    @cached_property
    def names(self) -> frozenset[str]:
        return frozenset(n for m in self.terms for n in m)

    @property
    def constant(self) -> Number | None:
        """The number that it is, if it is one."""
        if not self.terms:
            return 0
        return self.terms.get(()) if len(self.terms) == 1 else None

    @property
    def offset(self) -> Number:
        return self.terms.get((), 0)

    @property
    def degree(self) -> int:
        return max((len(m) for m in self.terms), default=0)

    def __add__(self, other: Polynomial | Number) -> Polynomial:
        total = dict(self.terms)
        for monomial, factor in as_polynomial(other).terms.items():
            total[monomial] = total.get(monomial, 0) + factor
        return Polynomial({m: f for m, f in total.items() if f})

    def __neg__(self) -> Polynomial:
        return Polynomial({m: -f for m, f in self.terms.items()})

    def __sub__(self, other: Polynomial | Number) -> Polynomial:
        return self + -as_polynomial(other)

    def __mul__(self, other: Polynomial | Number) -> Polynomial:
        total: dict[Monomial, Number] = {}
        for m, f in self.terms.items():
            for n, g in as_polynomial(other).terms.items():
                product = tuple(sorted(m + n)) if m and n else m or n
                total[product] = total.get(product, 0) + f * g
        return Polynomial({m: f for m, f in total.items() if f})

    def substituted(self, values: Mapping[str, Polynomial]) -> Polynomial:
        if self.names.isdisjoint(values):
            return self
        total = ZERO
        for monomial, factor in self.terms.items():
            product = as_polynomial(factor)
            for name in monomial:
                product = product * (values[name] if name in values else variable(name))
            total = total + product
        return total

    def value(self, at: Callable[[str], Number]) -> Number:
        total: Number = 0
        for monomial, factor in self.terms.items():
            for name in monomial:
                factor = factor * at(name)
            total += factor
        return total

    def __str__(self) -> str:
        parts = []
        for monomial, factor in sorted(self.terms.items(), key=lambda t: (-len(t[0]), t[0])):
            text = "*".join(monomial)
            parts.append(text if factor == 1 and text else f"-{text}" if factor == -1 and text else f"{factor}*{text}")
        return " + ".join(p.removesuffix("*") for p in parts).replace("+ -", "- ") or "0"


ZERO = Polynomial({})


def as_polynomial(value: Polynomial | Number) -> Polynomial:
    return value if isinstance(value, Polynomial) else Polynomial({(): value} if value else {})


def variable(name: str) -> Polynomial:
    return Polynomial({(name,): 1})


def names_of(many: Iterable[Polynomial]) -> set[str]:
    return {n for p in many for n in p.names}
