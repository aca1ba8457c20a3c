"""What a guard says of expressions: their least and greatest values, their signs, and what a transition lowers."""

from __future__ import annotations

from fractions import Fraction

from apet.program.rounds.polynomial import Polynomial, variable
from apet.program.rounds.simplex import least
from apet.program.rounds.system import FRESH, Transition

MOST_NORMS = 12


def largest(expression: Polynomial, guard: tuple[Polynomial, ...]) -> Fraction | None:
    """The largest value of whole numbers where a guard holds, or no number; an empty one has none, so -1."""
    if expression.constant is not None:
        return Fraction(expression.constant)
    low = least(-expression, guard)
    if isinstance(low, str):
        return Fraction(-1) if low == "empty" else None
    return Fraction(-low // 1) if _whole(expression) else -low


def norms(t: Transition) -> list[Polynomial]:
    """What the guard says is at least 1, of variables; sums of two where they fall by a constant; counters."""
    changes = {
        a: t.after(a) - a
        for a in t.guard
        if a.constant is None and not any(n.startswith(FRESH) for n in a.names) and t.after(a) != a
    }
    pairs = [
        a + b + 1
        for a, change in changes.items()
        for b, other in changes.items()
        if a.key != b.key and change.constant is None and ((change + other).constant or 0) < 0
    ]
    counters = [v for n in t.update if at_least(v := variable(n), t.guard, 1)]
    found = (*(a + 1 for a in changes), *pairs, *counters)
    return list(dict.fromkeys(n for n in found if n.constant is None))[:MOST_NORMS]


def sign_of(e: Polynomial, guard: tuple[Polynomial, ...]) -> int:
    """1 or -1 where an expression has that sign or is 0, else 0."""
    return 1 if at_least(e, guard, 0) else -1 if at_least(-e, guard, 0) else 0


def is_nearer(t: Transition, e: Polynomial, sign: int, by: int) -> bool:
    """Whether |e| is less by that much afterwards."""
    after = t.after(e)
    return sign != 0 and all(at_least(e * sign - after * s, t.guard, by) for s in (1, -1))


def factor_of(e: Polynomial, after: Polynomial, guard: tuple[Polynomial, ...]) -> int:
    for factor in (2, 3, 4, 10):
        gap = largest(after - e * factor, guard)
        if gap is not None and gap <= 0:
            return factor
    return 0


def at_least(e: Polynomial, guard: tuple[Polynomial, ...], limit: int) -> bool:
    low = least(e, guard)
    return low == "empty" or (not isinstance(low, str) and (low > limit - 1 if _whole(e) else low >= limit))


def _whole(e: Polynomial) -> bool:
    return all(f.denominator == 1 for f in e.terms.values())
