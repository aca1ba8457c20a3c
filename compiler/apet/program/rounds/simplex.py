"""Linear programs with exact numbers: the least value of an expression where inequalities hold.

The pivots keep whole numbers (J. Edmonds, Systems of distinct representatives and linear algebra, 1967), so that
nothing is rounded and no fraction is reduced."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Literal

from apet.program.rounds.polynomial import Polynomial

Row = list[int]
Solution = tuple[Fraction, list[Fraction]]
MOST_PIVOTS = 400
"""A program that takes more is given up: an answer that is missing proves nothing and harms nothing."""


@lru_cache(maxsize=20_000)
def least(expression: Polynomial, conditions: tuple[Polynomial, ...]) -> Fraction | Literal["unbounded", "empty"]:
    """The least real value of an expression where each condition is at least 0; a product counts as a variable of its
    own. It is that of the dual (Farkas): the largest b for which expression - b is a nonnegative sum of conditions."""
    offset = Fraction(expression.offset)
    wanted = {m: f for m, f in expression.terms.items() if m}
    if not wanted and not conditions:
        return offset
    monomials = sorted({m for c in conditions for m in c.terms if m} | wanted.keys())
    if any(m not in {n for c in conditions for n in c.terms} for m in wanted):
        return "unbounded" if not is_empty(conditions) else "empty"

    rows = [[c.terms.get(m, 0) for c in conditions] for m in monomials]
    right = [wanted.get(m, 0) for m in monomials]
    answer = minimise(rows, right, [c.offset for c in conditions])
    if answer == "infeasible":
        return "empty" if wanted and is_empty(conditions) else "unbounded"
    return "empty" if answer == "unbounded" else offset - answer[0] if not isinstance(answer, str) else "unbounded"


@lru_cache(maxsize=20_000)
def is_empty(conditions: tuple[Polynomial, ...]) -> bool:
    """Whether conditions contradict each other, over the reals."""
    if any((c.constant is not None and c.constant < 0) for c in conditions):
        return True
    monomials = sorted({m for c in conditions for m in c.terms if m})
    rows = [[c.terms.get(m, 0) for c in conditions] for m in monomials]
    return minimise(rows, [0] * len(rows), [c.offset for c in conditions]) == "unbounded"


def minimise(
    rows: Sequence[Sequence[int | Fraction]], right: Sequence[int | Fraction], cost: Sequence[int | Fraction]
) -> Solution | Literal["infeasible", "unbounded", "given up"]:
    """The least cost . x for x >= 0 with rows . x = right, and x; Bland's rule."""
    width = len(cost)
    scale = lcm(1, *(Fraction(c).denominator for c in cost))
    table = [_whole([*row, b]) for row, b in zip(rows, right, strict=True)]
    aim = [int(c * scale) for c in cost] + [0]
    phase = [-sum(column) for column in zip(*table, strict=True)] if table else [0] * (width + 1)
    basis, unit = [-1] * len(table), 1

    for goal in (phase, aim):
        for _ in range(MOST_PIVOTS):
            enter = next((j for j in range(width) if goal[j] < 0), -1)
            if enter < 0:
                break
            leave = _leaving(table, basis, enter)
            if leave < 0:
                return "unbounded"
            unit = _pivot(table, [phase, aim], leave, enter, unit)
            basis[leave] = enter
        else:
            return "given up"
        if goal is phase:
            if phase[-1]:
                return "infeasible"
            unit = _without_artificial(table, basis, [phase, aim], unit, width)

    x = [Fraction(0)] * width
    for row, j in zip(table, basis, strict=True):
        x[j] = Fraction(row[-1], unit)
    return Fraction(-aim[-1], unit * scale), x


def _whole(row: list[int | Fraction]) -> Row:
    scale = lcm(1, *(f.denominator for f in row))
    whole = [int(f * scale) for f in row]
    return [-f for f in whole] if whole[-1] < 0 else whole


def _leaving(table: list[Row], basis: list[int], enter: int) -> int:
    leave = -1
    for i, row in enumerate(table):
        if row[enter] > 0:
            if leave < 0:
                leave = i
                continue
            gap = row[-1] * table[leave][enter] - table[leave][-1] * row[enter]
            if gap < 0 or (gap == 0 and basis[i] < basis[leave]):
                leave = i
    return leave


def _pivot(table: list[Row], goals: list[Row], leave: int, enter: int, unit: int) -> int:
    chosen = table[leave]
    pivot = chosen[enter]
    for row in (*table, *goals):
        if row is not chosen:
            factor = row[enter]
            row[:] = [(a * pivot - factor * b) // unit for a, b in zip(row, chosen, strict=True)]
    return pivot


def _without_artificial(table: list[Row], basis: list[int], goals: list[Row], unit: int, width: int) -> int:
    """Rows whose artificial variable stays at 0 take another one, or say nothing and go."""
    for i in reversed(range(len(table))):
        if basis[i] >= 0:
            continue
        enter = next((j for j in range(width) if table[i][j]), -1)
        if enter < 0:
            del table[i], basis[i]
            continue
        if table[i][enter] < 0:
            table[i] = [-f for f in table[i]]
        unit = _pivot(table, goals, i, enter, unit)
        basis[i] = enter
    return unit
