"""Calls of a recursion level by level, in parts of one size or in halves of a range."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from apet.program.algebra import Value, apply, as_value, quotient, substituted
from apet.program.ir import Body, Callee, CodeLoop, Items
from apet.program.symbols import HIDDEN, Symbol

ONE = as_value(1)


class Split(NamedTuple):
    """How a range is split: every call gets floor(n / parts) of its n elements, or `balanced` with two calls: the one
    floor(n / 2) and the other ceil(n / 2). A size of s stands for n = s + shift elements."""

    parts: int
    shift: int
    balanced: bool


class LeveledCalls(NamedTuple):
    """Writes the calls of a recursion level by level: what one call costs, and the values of its formals by the size
    that is left and the level."""

    step: Body
    level: Symbol
    copies: int
    formals: Callable[[Value], tuple[Value, ...]]

    def call(self, smaller: Value, deeper: int, level: Value | None = None) -> Callee:
        """One call with a size, that calls again (1) or does not (0)."""
        formals = self.formals(smaller)
        if level is not None:
            formals = tuple(substituted(v, {self.level: level}) for v in formals)
        return Callee(self.step.name, (*formals, as_value(deeper)), self.step.at)

    def loop(self, levels: Value, items: Items) -> CodeLoop:
        """Items on every level whose calls all call again."""
        return CodeLoop(self.level, as_value(0), levels - 1, levels, items, False, 1, "", as_value(0), self.step.at)

    def alike(self, levels: Value, smaller: Value) -> Items:
        """Levels of `copies` to the power of the level calls of one size each; those behind the last do not go on."""
        many = apply("^", self.copies, as_value(self.level))
        last = self.call(substituted(smaller, {self.level: levels}), 0, levels)
        if self.copies == 1:
            return self.loop(levels, (self.call(smaller, 1),)), last
        inside = times(many, self.call(smaller, 1))
        return self.loop(levels, inside), *times(substituted(many, {self.level: levels}), last)

    def parts(self, size: Value, least: int, split: Split) -> Items:
        """Calls with the same part of the size each: floor(n / p^j) on level j."""
        whole = size + split.shift
        smaller = apply("floor", quotient(whole, apply("^", split.parts, as_value(self.level)))) - split.shift
        return self.alike(_levels(whole, least + split.shift, split.parts), smaller)

    def halves(self, size: Value, least: int, split: Split) -> Items:
        """Two calls with the halves of a range, one of them rounded up: of n elements, level j has n mod 2^j parts of
        ceil(n / 2^j) and 2^j - n mod 2^j of floor(n / 2^j). On the last level those of `least` elements may go on
        where the others, of one less, do not."""
        whole, least = size + split.shift, least + split.shift
        power = apply("^", 2, as_value(self.level))
        small, larger = apply("floor", quotient(whole, power)), apply("%", whole, power)
        large = apply("ceil", quotient(whole, power))
        levels = _levels(whole, least, 2)

        def at_end(value: Value) -> Value:
            return substituted(value, {self.level: levels})

        every, further = at_end(power), at_end(larger) * apply("==", at_end(small), least - 1)
        below = [self.call(as_value(n - split.shift), 0, levels + 1) for n in (least // 2, least - least // 2)]
        inside = (
            *times(larger, self.call(large - split.shift, 1)),
            *times(power - larger, self.call(small - split.shift, 1)),
        )
        return (
            self.loop(levels, inside),
            *times(every - at_end(larger), self.call(at_end(small) - split.shift, 0, levels)),
            *times(at_end(larger) - further, self.call(at_end(large) - split.shift, 0, levels)),
            *times(further, self.call(as_value(least - split.shift), 1, levels), *below),
        )


def _levels(size: Value, least: int, parts: int) -> Value:
    """How many levels have calls of at least `least`: the j with size / parts^j >= least."""
    ratio = quotient(apply("max", size, Fraction(least, parts)), least)
    return apply("max", 0, apply("floor", quotient(apply("log2", ratio), _log2(parts))) + 1)


def _log2(parts: int) -> Value:
    return as_value(parts.bit_length() - 1) if parts & (parts - 1) == 0 else apply("log2", parts)


def times(many: Value, *calls: Callee) -> Items:
    return (CodeLoop(f"k{HIDDEN}copies", ONE, many, many, calls, False, 1, "", as_value(0), calls[0].at),)
