"""Rounds of loops whose variables move in any way that is known: by steps, to multiples, to parts; several at once.

A condition that compares sums of such variables ends the loop after a number of rounds that follows from where they
begin: with L < R, L and R being sums of variables that go on in equal steps, after ceil((R - L) / d) rounds, d being by
how much each round brings them nearer; of x < R with x multiplied by f after floor(log_f((R - 1) / x)) + 1 rounds, and
of x > R with x divided by f after floor(log_f(x / (R + 1))) + 1. Conditions joined by && end it with the first of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from apet.program import syntax as s
from apet.program import types
from apet.program.algebra import Value, apply, as_value, quotient, substituted
from apet.program.signs import is_nonnegative, is_positive
from apet.program.symbols import HIDDEN
from apet.program.translator.arithmetic import stays_in_range
from apet.program.translator.counting import change_of
from apet.program.translator.facts import Fact, shown
from apet.program.translator.variables import symbol_of

if TYPE_CHECKING:
    from apet.program.translator.translator import Translator

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "!=": "!="}
ABOVE = Fraction(1, 10**11)
"""Added to a logarithm of whole numbers below 2^31, which is a whole number or further from the next one than this:
rounding does not make a whole number less."""
LARGEST_FACTOR = 64


class Motion(NamedTuple):
    """How a variable changes in each round: `value` is added to it, or it is multiplied ("*") or divided ("/") by it.
    `early` tells that the condition changes it (before or after it looks at it), and not the body."""

    operator: str
    value: Value
    early: str = ""

    def after(self, start: Value, rounds: Value) -> Value:
        """Its value after so many rounds."""
        if self.operator == "+":
            return start + self.value * rounds
        power = apply("^", self.value, rounds)
        return start * power if self.operator == "*" else apply("floor", quotient(start, power))


class MovingRange(NamedTuple):
    """How many rounds a loop makes, and the values of its variables in round `index`, from 1."""

    rounds: Value
    values: Mapping[str, Value]


def moving_range(
    t: Translator,
    condition: s.Expression | None,
    motions: Mapping[str, Motion],
    start: Mapping[str, Fact],
    index: str,
    at_least_once: bool,
) -> MovingRange | None:
    """The rounds of a loop with variables that move so; None where anything else may end it, or its ends are open."""
    is_early = at_least_once and any(m.early for m in motions.values())
    if condition is None or not motions or (is_early and len(list(conjuncts(condition))) > 1):
        return None
    begins = {name: fact for name in motions if isinstance(fact := start.get(name), Value) and shown(fact) is not None}
    parts = [_rounds(t, part, motions, begins, at_least_once) for part in conjuncts(condition)]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None

    # A condition at the end that steps itself has not done so in the first round.
    rounds = (known[0] if len(known) == 1 else apply("min", *known)) + is_early
    is_unequal = any(isinstance(p, s.BinaryOp) and p.operator == "!=" for p in conjuncts(condition))
    if is_unequal and rounds.constant is not None and rounds.constant < at_least_once:
        return None  # it comes to its end when it has wrapped around
    before = {n: as_value(index) - (0 if motions[n].early and not is_early else 1) for n in begins}
    return MovingRange(rounds, {n: motions[n].after(v, before[n]) for n, v in begins.items()})


def conjuncts(condition: s.Expression) -> Iterator[s.Expression]:
    """The conditions that are joined by &&."""
    if isinstance(condition, s.BinaryOp) and condition.operator == "&&":
        yield from conjuncts(condition.left)
        yield from conjuncts(condition.right)
    else:
        yield condition


def motions_of(t: Translator, steps: Sequence[s.Expression], condition: s.Expression | None) -> dict[str, Motion]:
    """The variables that expressions, each once in a round, and a condition move; not those that change otherwise."""
    moved: dict[str, Motion | None] = {}
    for step in steps:
        name, motion = _motion(t, step)
        for other in t.method.scan.facts(step).assigned:
            before = moved.get(other) if other in moved else Motion("+", as_value(0))
            is_sum = before is not None and motion is not None and before.operator == motion.operator == "+"
            if other in moved or other != name:
                motion = Motion("+", before.value + motion.value) if is_sum and other == name else None  # type: ignore[union-attr]
            moved[other] = motion if other == name else None
    for increment in _increments(condition):
        assert isinstance(increment.operand, s.Identifier)
        name, size = increment.operand.name, 1 if increment.operator == "++" else -1
        moved[name] = None if name in moved else Motion("+", as_value(size), "before" if increment.prefix else "after")
    return {name: motion for name, motion in moved.items() if motion is not None and name in t.types}


def _increments(condition: s.Expression | None) -> Iterator[s.Increment]:
    """The increments of variables in what is surely evaluated of a condition: one side of its first comparison."""
    first = next(conjuncts(condition)) if condition is not None else None
    for side in (first.left, first.right) if isinstance(first, s.BinaryOp) and first.operator in MIRRORED else ():
        if isinstance(side, s.Increment) and isinstance(side.operand, s.Identifier):
            yield side


def _motion(t: Translator, e: s.Expression) -> tuple[str, Motion | None]:
    """The variable that an expression moves, and how."""
    name, operator, by = change_of(e)
    if by is None:
        return name, Motion("+", as_value(1 if operator == "+" else -1))
    return name, _moved(t, name, operator, by) if name else None


def _moved(t: Translator, name: str, operator: str, by: s.Expression) -> Motion | None:
    if isinstance(by, s.Identifier) and by.name == name:
        return Motion("*", as_value(2)) if operator == "+" else None
    size, whole = symbol_of(t, by), t.conversions.is_integral(t.types.get(name, types.UNKNOWN))
    if size is None or shown(size) is None:
        return None
    if operator in ("+", "-"):
        number = size.constant
        is_exact = (number is not None and number.denominator & (number.denominator - 1) == 0) or size.is_whole()
        if not is_exact or (whole and not size.is_whole()):
            return None
        return Motion("+", size if operator == "+" else -size)

    factor = size.integer
    if not whole or factor is None:
        return None
    if operator in ("<<", ">>", ">>>") and 1 <= factor <= 6:
        return Motion("*" if operator == "<<" else "/", as_value(1 << factor))
    return Motion(operator, size) if operator in ("*", "/") and 2 <= factor <= LARGEST_FACTOR else None


def _rounds(
    t: Translator,
    part: s.Expression,
    motions: Mapping[str, Motion],
    begins: Mapping[str, Value],
    at_least_once: bool,
) -> Value | None:
    """After how many rounds one comparison does not hold any more."""
    if not isinstance(part, s.BinaryOp) or part.operator not in MIRRORED:
        return None
    known, t.facts = t.facts, {**t.facts, **{n: as_value(f"{n}{HIDDEN}") for n in motions}}
    sides = [symbol_of(t, side.operand if isinstance(side, s.Increment) else side) for side in (part.left, part.right)]
    t.facts = known
    left, right = sides
    if left is None or right is None:
        return None

    moving = {n: f"{n}{HIDDEN}" for n in motions if f"{n}{HIDDEN}" in left.names | right.names}
    hidden = {n for n in left.names | right.names if HIDDEN in n}
    if not moving or not moving.keys() <= begins.keys() or hidden - set(moving.values()):
        return None
    starts = {
        symbol: begins[n] + (motions[n].value if motions[n].early == "before" else 0) for n, symbol in moving.items()
    }
    if _is_below_zero_great(t, part, [substituted(side, starts) for side in (left, right)]):
        return None
    if all(motions[n].operator == "+" for n in moving):
        rates = {symbol: motions[n].value for n, symbol in moving.items()}
        found = _closing(part.operator, right - left, rates, starts)
    else:
        found = _of_one(part.operator, left, right, motions, moving, starts)
    if found is None:
        return None
    many = apply("max", 1, found) if at_least_once else found
    ends = {n: motions[n].after(begins[n], many) for n in moving if t.types[n].name in types.WRAPPING}
    return found if all(stays_in_range(t.state, end, t.types[n].name) for n, end in ends.items()) else None


def _of_one(
    relation: str,
    left: Value,
    right: Value,
    motions: Mapping[str, Motion],
    moving: Mapping[str, str],
    starts: Mapping[str, Value],
) -> Value | None:
    """Rounds of a comparison of one variable that is multiplied or divided."""
    if len(moving) > 1:
        return None
    ((name, symbol),) = moving.items()
    if left == as_value(symbol):
        return _growing(relation, motions[name], starts[symbol], right)
    return _growing(MIRRORED[relation], motions[name], starts[symbol], left) if right == as_value(symbol) else None


def _is_below_zero_great(t: Translator, part: s.BinaryOp, begins: Sequence[Value]) -> bool:
    """Whether a side may begin below 0 and is compared as a number without a sign."""
    sides = [side.operand if isinstance(side, s.Increment) else side for side in (part.left, part.right)]
    with t.writing():
        kinds = [t.evaluate(side).type for side in sides]
    if t.conversions.promoted(*kinds).name not in types.UNSIGNED:
        return False
    signed = [begin for kind, begin in zip(kinds, begins, strict=True) if kind.name not in types.UNSIGNED]
    return not all(map(is_nonnegative, signed))


def _closing(relation: str, gap: Value, rates: Mapping[str, Value], starts: Mapping[str, Value]) -> Value | None:
    """Rounds until a gap that each round makes smaller is closed."""
    rate = as_value(0)
    for symbol, value in rates.items():
        slope = gap.slope(symbol)
        if slope is None or any(n in rates for n in slope.names):
            return None
        rate = rate + slope * value
    gap = substituted(gap, starts)
    if relation in (">", ">="):
        gap, rate, relation = -gap, -rate, MIRRORED[relation]
    if relation == "!=":
        if rate.integer not in (1, -1):
            return None
        return gap if rate.integer == -1 else -gap
    if not is_positive(-rate):
        return None
    whole = quotient(gap, -rate)
    return apply("ceil", whole) if relation == "<" else apply("floor", whole) + 1


def _growing(relation: str, motion: Motion, start: Value, limit: Value) -> Value | None:
    """Rounds of a variable that is multiplied up to a limit, or divided down to one."""
    is_product = motion.operator == "*"
    if not (limit.is_whole() and start.is_whole()) or relation not in (
        ("<", "<=") if is_product else (">", ">=", "!=")
    ):
        return None
    if is_product:
        last = limit - 1 if relation == "<" else limit
        return logarithm(motion.value, last, start) if is_positive(start) and _is_not_zero(start) else None
    least = limit if relation == ">=" else limit + 1
    if not is_positive(least) or (relation == "!=" and not (limit.constant == 0 and is_nonnegative(start))):
        return None
    return logarithm(motion.value, start, least)


def _is_not_zero(value: Value) -> bool:
    return any(not monomial for monomial, _ in value.terms)


def logarithm(base: Value, of: Value, unit: Value) -> Value:
    """floor(log_base(of / unit)) + 1 for whole numbers, and 0 where `of` is less than `unit`."""
    factor = base.integer or 2
    ratio = apply("max", quotient(of, unit), Fraction(1, factor))
    bits = factor.bit_length() - 1
    whole = quotient(apply("log2", ratio), bits if 1 << bits == factor else apply("log2", factor))
    return apply("floor", whole + (0 if 1 << bits == factor else ABOVE)) + 1
