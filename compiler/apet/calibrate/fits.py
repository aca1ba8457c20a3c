"""A count as a function of the size: a polynomial where one passes through all points exactly, else a power law."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

MOST_DIGITS = 10**6
CLOSE = 1e-9


def fitted(sizes: Sequence[int], values: Sequence[float], name: str) -> str:
    """The fit as text in the size's name, exact or with its largest relative error; "" where there is none.

    Exact means a polynomial with rational coefficients of a degree less than the number of points minus one, so that at
    least one point confirms it.
    """
    exact = [Fraction(v).limit_denominator(MOST_DIGITS) for v in values]
    if all(abs(float(e) - v) <= CLOSE * max(1.0, abs(v)) for e, v in zip(exact, values, strict=True)):
        coefficients = _newton([Fraction(n) for n in sizes], exact)
        while coefficients and coefficients[-1] == 0:
            coefficients.pop()
        if len(coefficients) <= max(1, len(sizes) - 1):
            return _polynomial(coefficients, name)
    if len(set(values)) == 1:
        return f"{values[0]:.6g}"
    if min(values) <= 0:
        return ""
    return _power(sizes, values, name)


def _newton(xs: Sequence[Fraction], ys: Sequence[Fraction]) -> list[Fraction]:
    """Coefficients of the polynomial through all points, lowest first (Newton's divided differences)."""
    differences = list(ys)
    for k in range(1, len(xs)):
        for i in range(len(xs) - 1, k - 1, -1):
            differences[i] = (differences[i] - differences[i - 1]) / (xs[i] - xs[i - k])
    found = [Fraction(0)]
    for k in range(len(xs) - 1, -1, -1):
        shifted = [Fraction(0), *found]
        for i, c in enumerate(found):
            shifted[i] -= c * xs[k]
        shifted[0] += differences[k]
        found = shifted
    return found


def _polynomial(coefficients: Sequence[Fraction], name: str) -> str:
    terms: list[str] = []
    for power in range(len(coefficients) - 1, -1, -1):
        c = coefficients[power]
        if c == 0:
            continue
        variable = "" if power == 0 else name if power == 1 else f"{name}^{power}"
        size = str(abs(c)) if abs(c) != 1 or not variable else ""
        text = f"{size} {variable}".strip()
        sign = "-" if c < 0 else "+" if terms else ""
        terms.append(f"{sign} {text}".strip() if terms else f"{sign}{text}")
    return " ".join(terms) or "0"


def _power(sizes: Sequence[int], values: Sequence[float], name: str) -> str:
    xs, ys = [math.log(n) for n in sizes], [math.log(v) for v in values]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)
    factor = math.exp(y - slope * x)
    worst = max(abs(factor * n**slope / v - 1) for n, v in zip(sizes, values, strict=True))
    return f"{factor:.4g} {name}^{slope:.4g} (within {worst:.2%})"
