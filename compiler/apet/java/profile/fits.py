"""A count as a function of one or several sizes: an exact polynomial where there is one, else a power law.

Exact means a polynomial with rational coefficients, of a degree in each size that leaves at least one of its values to
confirm it. A power law c n^a m^b is fitted by least squares of logarithms; its interval is the 95 % prediction interval
of a new size (Draper and Smith 1998, section 1.4), for sizes as far as those that were run.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations_with_replacement

MOST_DIGITS = 10**6
MOST_DEGREE = 6
CLOSE = 1e-9
CONFIDENCE = 0.975
Powers = tuple[int, ...]
Point = Sequence[int]


def fitted(points: Sequence[Point] | Sequence[int], values: Sequence[float], *names: str) -> str:
    """The fit as text in the names of the sizes; "" where there is none.

    `points` are sizes, one for each name (a plain number for a single name); `values` are what was counted there.
    """
    rows = [(p,) if isinstance(p, int) else tuple(p) for p in points]
    exact = [Fraction(v).limit_denominator(MOST_DIGITS) for v in values]
    if all(abs(float(e) - v) <= CLOSE * max(1.0, abs(v)) for e, v in zip(exact, values, strict=True)):
        coefficients = _polynomial_through(rows, exact)
        if coefficients is not None:
            return _polynomial(coefficients, names)

    if len(set(values)) == 1:
        return f"{values[0]:.6g}"
    if min(values) <= 0:
        return ""
    return _power(rows, values, names)


def _polynomial_through(rows: Sequence[Point], values: Sequence[Fraction]) -> dict[Powers, Fraction] | None:
    """The polynomial of least total degree through all points; None where each would have a coefficient per point."""
    many = len(rows[0])
    most = [len({row[k] for row in rows}) - 2 for k in range(many)]
    for degree in range(MOST_DEGREE + 1):
        chosen = (c for d in range(degree + 1) for c in combinations_with_replacement(range(many), d))
        counted = (_counted(c, many) for c in chosen)
        powers = [p for p in counted if all(n <= max(0, m) for n, m in zip(p, most, strict=True))]
        if len(powers) > max(1, len(rows) - 1):
            return None

        table = [[_product(row, p) for p in powers] for row in rows]
        coefficients = _solved(table, values)
        if coefficients is not None:
            return {p: c for p, c in zip(powers, coefficients, strict=True) if c}
    return None


def _counted(chosen: Sequence[int], many: int) -> Powers:
    return tuple(chosen.count(k) for k in range(many))


def _product(row: Point, powers: Powers) -> Fraction:
    return Fraction(math.prod(n**p for n, p in zip(row, powers, strict=True)))


def _solved(table: Sequence[Sequence[Fraction]], values: Sequence[Fraction]) -> list[Fraction] | None:
    """Coefficients with which every row gives its value, by elimination; None where there are none or several."""
    rows = [[*row, v] for row, v in zip(table, values, strict=True)]
    width, pivots = len(rows[0]) - 1, 0
    for column in range(width):
        pivot = next((k for k in range(pivots, len(rows)) if rows[k][column]), None)
        if pivot is None:
            return None
        rows[pivots], rows[pivot] = rows[pivot], rows[pivots]
        top = rows[pivots]
        for k in range(len(rows)):
            if k != pivots and rows[k][column]:
                factor = rows[k][column] / top[column]
                rows[k] = [a - factor * b for a, b in zip(rows[k], top, strict=True)]
        pivots += 1

    if any(row[width] for row in rows[pivots:]):
        return None
    return [rows[k][width] / rows[k][k] for k in range(width)]


def _polynomial(coefficients: dict[Powers, Fraction], names: Sequence[str]) -> str:
    text = ""
    for powers in sorted(coefficients, key=lambda p: (sum(p), p), reverse=True):
        c = coefficients[powers]
        parts = [n if p == 1 else f"{n}^{p}" for n, p in zip(names, powers, strict=True) if p]
        size = [str(abs(c))] if abs(c) != 1 or not parts else []
        sign = ("-" if c < 0 else "") if not text else " - " if c < 0 else " + "
        text += sign + " ".join((*size, *parts))
    return text or "0"


def _power(rows: Sequence[Point], values: Sequence[float], names: Sequence[str]) -> str:
    import numpy as np

    if any(n <= 0 for row in rows for n in row):
        return ""
    used = [k for k in range(len(names)) if len({row[k] for row in rows}) > 1]
    table = np.array([[1.0, *(math.log(row[k]) for k in used)] for row in rows])
    logs = np.log(np.array(values))
    if np.linalg.matrix_rank(table) < table.shape[1]:
        return ""
    coefficients = np.linalg.lstsq(table, logs, rcond=None)[0]
    residuals = logs - table @ coefficients
    worst = float(np.max(np.abs(np.expm1(-residuals))))
    powers = " ".join(f"{names[k]}^{a:.4g}" for k, a in zip(used, coefficients[1:], strict=True))
    text = f"{math.exp(coefficients[0]):.4g} {powers} (within {worst:.2%}"
    free = len(rows) - table.shape[1]
    if free < 1:
        return f"{text}; no point is left to judge it)"
    from scipy.special import stdtrit

    leverage = float(np.max(np.sum((table @ np.linalg.pinv(table.T @ table)) * table, axis=1)))
    spread = math.sqrt(float(residuals @ residuals) / free * (1 + leverage))
    return f"{text}; 95 % of new points within a factor {math.exp(float(stdtrit(free, CONFIDENCE)) * spread):.3g})"
