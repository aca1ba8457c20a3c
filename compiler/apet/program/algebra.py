"""Symbolic values of whole numbers: polynomials over names and over functions of polynomials.

Bounds of loops are such values. Sums are kept in normal form, so that n - 1 - 0 + 1 is n again.

This is not `formula.graph`, on purpose. A translation is text for readers, in the program's own shape: min(a, b) keeps
its order, a product of long sums stays one, what is long gets a name (`named_factors`). The formula graph rewrites
more, proves signs and closes sums; a writer that undoes that would take as much code as the normal form here, and the
terms of translated models would change their order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b

MOST_TERMS = 60
"""A value with more terms than this is given up: nobody reads it, and products of such would grow without end."""
SELDOM = Fraction(1, 10**9)
"""Stands for a probability of 0 where it is divided by: within rounding the same number of rounds."""
MOST_OF_PRODUCT = 8
"""A product of sums with more terms than this is not multiplied out: it stays one factor, with a name of its own in the
model. A chain of k conditions is written with k such names instead of 2^k terms."""
MOST_FACTORS = 24
"""A monomial with more factors than this becomes one factor, with a name of its own: the chance to come to the
innermost of k conditions in each other is written with k / 24 names instead of k factors at each level."""
MOST_WEIGHT = 1000
"""No operation is done more often in straight code: what seems to be is not bounded well."""
LONGEST_KEY = 600
"""Characters of a sort key; longer ones end in a digest, so that keys of nested functions do not grow without end."""


@dataclass(frozen=True, eq=False)
class Function:
    """`name(arguments)`, a quotient, remainder or power of values, or a comparison (1 or 0)."""

    name: str
    arguments: tuple[Value, ...]

    def __eq__(self, other: object) -> bool:
        # By 64 bits of a hash and the key, of which long ones end in a digest: chains of factors are nested deeply.
        return self is other or (isinstance(other, Function) and self._hash == other._hash and self.key == other.key)

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.arguments))

    @cached_property
    def names(self) -> frozenset[str]:
        """All names in it."""
        return frozenset().union(*(a.names for a in self.arguments))

    @cached_property
    def key(self) -> str:
        """Where it stands among others in a sum. The form of the key decides the order of terms in every translation
        ever written, so that it is frozen: a `repr` with its field names."""
        inner = ", ".join(a.key for a in self.arguments)
        text = f"Function(name={self.name!r}, arguments=({inner}{',' * (len(self.arguments) == 1)}))"
        return text if len(text) <= LONGEST_KEY else f"Function(name={self.name!r}, {digest(text)})"

    @cached_property
    def size(self) -> int:
        """Names and numbers that it is written with."""
        return sum(a.size for a in self.arguments)


def digest(text: str) -> str:
    """A short name for a long text."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _key(monomial: Monomial) -> str:
    keys = [repr(a) if type(a) is str else a.key for a in monomial]  # type: ignore[union-attr]
    return f"({keys[0]},)" if len(keys) == 1 else f"({', '.join(keys)})"


Atom = str | Function
Monomial = tuple[Atom, ...]
Coefficient = int | Fraction
"""Whole ones are mostly ints: sums of fractions take ten times as long."""
Terms = tuple[tuple[Monomial, Coefficient], ...]
SHORT = 8
"""A sum that has fewer terms than this part of another is added to it term by term."""


@dataclass(frozen=True)
class Value:
    """A sum of monomials with coefficients, in a fixed order; empty for 0."""

    terms: Terms

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.terms)

    def __add__(self, other: object) -> Value:
        added = as_value(other)
        left, right = self.terms, added.terms
        if not left or not right:
            return self if left else added
        if len(right) * SHORT > len(left):
            return _summed((*left, *right))
        for monomial, factor in right:
            left = _inserted(left, monomial, factor)
        return Value(left)

    def __radd__(self, other: object) -> Value:
        return self + other

    def __neg__(self) -> Value:
        return Value(tuple((m, -c) for m, c in self.terms))

    def __sub__(self, other: object) -> Value:
        return self + -as_value(other)

    def __rsub__(self, other: object) -> Value:
        return as_value(other) + -self

    def __mul__(self, other: object) -> Value:
        factor = as_value(other)
        right = factor.terms
        if len(right) == 1 and not right[0][0]:
            by = right[0][1]
            return self if by == 1 else Value(tuple((m, c * by) for m, c in self.terms))
        if len(self.terms) == 1 and not self.terms[0][0]:
            return factor * self

        product = _summed((_joined(m, k), c * d) for m, c in self.terms for k, d in right)
        many = len(product.terms) > MOST_OF_PRODUCT and len(self.terms) > 1 and len(right) > 1
        if many or any(len(m) > MOST_FACTORS for m, _ in product.terms):
            return of_atom(Function("*", (self, factor)))
        return product

    def __rmul__(self, other: object) -> Value:
        return self * other

    @cached_property
    def key(self) -> str:
        """Where a function of it stands among others."""
        inner = ", ".join(f"({_key(m)}, Fraction({c.numerator}, {c.denominator}))" for m, c in self.terms)
        return f"Value(terms=({inner}{',' * (len(self.terms) == 1)}))"

    @cached_property
    def size(self) -> int:
        """Names and numbers that it is written with."""
        return sum(1 if isinstance(a, str) else a.size for m, _ in self.terms for a in m) + len(self.terms)

    @cached_property
    def constant(self) -> Coefficient | None:
        """The number that this is, or None."""
        if not self.terms:
            return 0
        (monomial, factor), *more = self.terms
        return factor if not more and not monomial else None

    @property
    def integer(self) -> int | None:
        """The whole number that this is, or None."""
        number = self.constant
        return int(number) if number is not None and number.denominator == 1 else None

    @cached_property
    def names(self) -> frozenset[str]:
        """All names in it."""
        return frozenset(_names(self))

    @cached_property
    def greatest(self) -> Coefficient:
        """What a sum of products of probabilities is at most, and `MOST_WEIGHT` at most: what is subtracted is left
        out, what stands for a product of sums is followed."""
        total: Coefficient = 0
        for monomial, factor in self.terms:
            for atom in monomial if factor > 0 else ():
                if type(atom) is Function and atom.name == "*":
                    for one in atom.arguments:
                        factor = factor * one.greatest
            total += max(factor, 0)
        return min(total, MOST_WEIGHT)

    def is_whole(self) -> bool:
        """Whether it is surely whole where its names are."""
        return all(c.denominator == 1 and all(_whole(a) for a in m) for m, c in self.terms)

    def slope(self, name: str) -> Value | None:
        """The factor of a name in which this is affine; None where it is not."""
        factors: list[tuple[Monomial, Coefficient]] = []
        for monomial, factor in self.terms:
            if any(isinstance(a, Function) and name in a.names for a in monomial):
                return None
            if monomial.count(name) > 1:
                return None
            if name in monomial:
                rest = list(monomial)
                rest.remove(name)
                factors.append((tuple(rest), factor))

        return _summed(factors)


ZERO = Value(())


def as_value(item: object) -> Value:
    """A number, a name or a value as a value."""
    if isinstance(item, Value):
        return item
    if isinstance(item, str):
        return of_atom(item)
    assert isinstance(item, int | Fraction)
    return Value((((), item),)) if item else ZERO


def of_atom(atom: Atom) -> Value:
    """A single name or function."""
    return Value((((atom,), 1),))


def _summed(terms: Iterable[tuple[Monomial, Coefficient]]) -> Value:
    coefficients: dict[Monomial, Coefficient] = {}
    for monomial, factor in terms:
        before = coefficients.get(monomial)
        coefficients[monomial] = factor if before is None else before + factor
    terms_left = [t for t in coefficients.items() if t[1]]
    if len(terms_left) > 1:
        terms_left.sort(key=_place)
    return Value(tuple(terms_left))


def _inserted(terms: Terms, monomial: Monomial, factor: Coefficient) -> Terms:
    """A sum with one more term at its place: a long sum is not sorted anew for each."""
    k = bisect_left(terms, _place((monomial, factor)), key=_place)
    same = k < len(terms) and terms[k][0] == monomial
    total = factor + terms[k][1] if same else factor
    return (*terms[:k], *(((monomial, total),) if total else ()), *terms[k + same :])


def _place(term: tuple[Monomial, Coefficient]) -> tuple[bool, str]:
    return not term[0], _key(term[0]) if term[0] else ""


def _joined(left: Monomial, right: Monomial) -> Monomial:
    if not left or not right:
        return left or right
    return tuple(sorted((*left, *right), key=lambda atom: repr(atom) if isinstance(atom, str) else atom.key))


def _whole(atom: Atom) -> bool:
    if isinstance(atom, str):
        return not atom.startswith("q_")
    if atom.name in ("floor", "ceil", "<", "<=", ">", ">=", "==", "!="):
        return True
    return atom.name in ("min", "max", "abs", "%") and all(a.is_whole() for a in atom.arguments)


def _names(value: Value) -> Iterable[str]:
    for monomial, _ in value.terms:
        for atom in monomial:
            if isinstance(atom, str):
                yield atom
            else:
                yield from atom.names


def too_long(value: Value) -> bool:
    """Whether a value is not worth keeping."""
    return len(value.terms) > MOST_TERMS or any(len(m) > 8 for m, _ in value.terms)


def apply(name: str, *arguments: object) -> Value:
    """A function of values, folded where all are numbers."""
    values = tuple(as_value(a) for a in arguments)
    numbers = [v.constant for v in values]
    if all(n is not None for n in numbers):
        folded = _folded(name, [n for n in numbers if n is not None])
        if folded is not None:
            return as_value(folded)

    if name in ("floor", "ceil") and values[0].is_whole():
        return values[0]
    if name in ("min", "max"):
        return _extreme(name, values)
    if name == "^" and numbers[1] == 1:
        return values[0]
    return of_atom(Function(name, values))


def _extreme(name: str, values: tuple[Value, ...]) -> Value:
    distinct = tuple(dict.fromkeys(values))
    if len(distinct) == 2:
        gap = (distinct[0] - distinct[1]).constant
        if gap is not None:
            return distinct[0] if (gap > 0) == (name == "max") else distinct[1]
    return distinct[0] if len(distinct) == 1 else of_atom(Function(name, distinct))


def _folded(name: str, n: list[Coefficient]) -> Coefficient | None:
    match name:
        case "floor":
            return n[0].__floor__()
        case "ceil":
            return n[0].__ceil__()
        case "min":
            return min(n)
        case "max":
            return max(n)
        case "abs":
            return max(n[0], -n[0])
        case "^" if n[1].denominator == 1 and 0 <= n[1] <= 64 and -(2**32) <= n[0] <= 2**32:
            return n[0] ** int(n[1])
        case "%" if n[1]:
            return n[0] % n[1]
        case "<" | "<=" | ">" | ">=" | "==" | "!=":
            return int(COMPARE[name](n[0], n[1]))
        case _:
            return None


COMPARE: dict[str, Callable[[Coefficient, Coefficient], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def quotient(left: object, right: object) -> Value:
    """left / right, exact."""
    top, bottom = as_value(left), as_value(right)
    divisor = bottom.constant
    if divisor:
        return top * (Fraction(1) / divisor)
    if top == bottom:
        return as_value(1)
    return of_atom(Function("/", (top, bottom)))


def substituted(value: Value, values: Mapping[str, Value]) -> Value:
    """A value with other values put in for names."""
    if not values or not any(n in values for n in value.names):
        return value
    total = ZERO
    for monomial, factor in value.terms:
        product = as_value(factor)
        for atom in monomial:
            product = product * _put(atom, values)
        total = total + product
    return total


def _put(atom: Atom, values: Mapping[str, Value]) -> Value:
    if isinstance(atom, str):
        return values.get(atom, as_value(atom))
    inner = [substituted(a, values) for a in atom.arguments]
    if atom.name == "*":
        return inner[0] * inner[1]
    return quotient(*inner) if atom.name == "/" else apply(atom.name, *inner)
