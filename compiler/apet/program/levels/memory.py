"""Memory: cache lines of streaming accesses, elements that come from anywhere, and how much is touched in all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from apet.program import types
from apet.program.algebra import ZERO, Value, apply, as_value, quotient, substituted, too_long
from apet.program.free_names import changed_inside, inner, walk
from apet.program.ir import NO_VALUE, Access, CodeBranch, CodeLoop, Item, Items, Op, Weighted
from apet.program.signs import is_negative
from apet.program.symbols import HIDDEN
from apet.program.types import Type

FAR = ("line_", "strided_", "gather_", "scatter_", "wait_")
"""Operations of the memory beyond the first level of caches, by the beginning of their names."""
MISSED = ("mispredict",)
"""The same of mispredicted branches and targets."""
LINE = 64
"""Bytes of a cache line."""
SURELY_LEARNT = 1000
OCTAVES = 6
"""From as many mispredictions a run as a predictor learns to so many doublings more, of which it learns none."""
TARGETS, TARGET_OCTAVES = Fraction(1, 2), 2
"""The same of targets of indirect jumps: a part of the mispredictions that a predictor learns, and doublings."""
FITS = {"cache_L1": Fraction(1, 2), "cache_L2": Fraction(3, 4), "cache_L3": Fraction(1, 2)}
"""Part of a cache that a program surely keeps: the rest is code, stack, other programs, and sets that fill early."""


FIXED, MOVING, ANYHOW = "fixed", "moving", "anyhow"


def is_far(operation: str) -> bool:
    """Whether an operation waits for the memory, or for a branch predictor."""
    return operation.startswith((*FAR, *MISSED))


class CacheTraffic(NamedTuple):
    """What one round of a loop asks of the memory: by array an access and its lines, in streams and strided (lines of
    which one element is touched); and elements from anywhere: "gather" or "scatter", the bytes they lie in, their
    weight."""

    streams: Sequence[tuple[Op, Value]]
    strided: Sequence[tuple[Op, Value]]
    scattered: tuple[tuple[str, Value | None, Value], ...]


def element_size(op: Op) -> int:
    """Bytes of the element that an operation loads or stores."""
    return types.size(Type(op.variable))


def traffic(loop: CodeLoop) -> CacheTraffic:
    """One stream for each array; rows of one array that are read side by side come from the cache after the first."""
    streams: dict[str, tuple[Op, Value]] = {}
    apart: dict[str, tuple[Op, Value]] = {}
    scattered: list[tuple[str, Value | None, Value]] = []
    subscripts = _Subscripts(loop)
    for op, weight in _accesses(loop.body, as_value(1)):
        assert op.memory is not None
        stride = stride_of(op, loop)
        if stride is None and not subscripts.is_marching(op):
            if subscripts.is_new(op):
                scattered.append(("scatter" if op.store else "gather", op.memory.extent, weight))
            continue

        stride = 1 if stride is None else stride
        lines = weight * min(Fraction(1), Fraction(abs(stride) * element_size(op), LINE))
        kind = streams if abs(stride) * element_size(op) < LINE else apart
        before = kind.get(op.memory.array)
        if lines.terms and (before is None or not at_least(before[1], lines)):
            kind[op.memory.array] = op, lines
    return CacheTraffic(tuple(streams.values()), tuple(apart.values()), tuple(scattered))


class _Subscripts:
    """Where the subscripts of a loop's accesses come from, as far as these are no linear forms."""

    def __init__(self, loop: CodeLoop) -> None:
        ops = [i for i in walk(loop.body) if isinstance(i, Op)]
        self.results = {op.result: op for op in ops}
        self.assigned: dict[str, list[Op]] = {}
        self.places: set[tuple[object, ...]] = set()
        self.variables: dict[int, tuple[str, int]] = {}
        for op in ops:
            if op.name == "assign":
                self.assigned.setdefault(op.variable, []).append(op)
            elif op.name == "access":
                self.variables[op.result] = op.variable, len(self.assigned.get(op.variable, ()))

    def is_new(self, op: Op) -> bool:
        """Whether an element is elsewhere in each round, and is not near already, as where `a[k] += x` stores."""
        assert op.memory is not None
        subscript = op.inputs[1] if len(op.inputs) > 1 else NO_VALUE
        if subscript not in self.results:
            return not op.inputs
        place = self.place(op)
        before = place in self.places
        self.places.add(place)
        return not before

    def place(self, op: Op) -> tuple[object, ...]:
        """What two accesses of one element have in common: the array, and the value or variable of the subscript."""
        assert op.memory is not None
        return op.memory.array, self.variables.get(op.inputs[1], op.inputs[1])

    def is_marching(self, op: Op) -> bool:
        """Whether each round is one element further or stays, as in `queue[tail++] = v` and `best[c - weight]`."""
        return len(op.inputs) > 1 and self._motion(op.inputs[1]) == MOVING

    def _motion(self, result: int) -> str:
        """How a value changes from round to round: `FIXED`, `MOVING` by one, or `ANYHOW`."""
        op = self.results.get(result)
        if op is None:
            return FIXED
        if op.name == "access":
            changes = self.assigned.get(op.variable, ())
            return FIXED if not changes else MOVING if all(self._counts(c, op.variable) for c in changes) else ANYHOW
        parts = [self._motion(i) for i in op.inputs] if op.name in ("sum", "sub") else [ANYHOW]
        if ANYHOW in parts or parts.count(MOVING) > 1:
            return ANYHOW
        return MOVING if MOVING in parts else FIXED

    def _counts(self, assignment: Op, variable: str) -> bool:
        """Whether a variable gets its own value and a literal, as in `k++`."""
        change = self.results.get(assignment.inputs[0]) if len(assignment.inputs) == 1 else None
        if change is None or change.name not in ("sum", "sub") or len(change.inputs) != 1:
            return False
        return self.variables.get(change.inputs[0], ("", 0))[0] == variable


def at_least(one: Value, other: Value) -> bool:
    """Whether one value is surely no less than another."""
    gap = (one - other).constant
    return gap is not None and gap >= 0


def _accesses(items: Items, weight: Value) -> Iterator[tuple[Op, Value]]:
    for item in items:
        if isinstance(item, Op) and item.memory is not None:
            yield item, weight
        elif isinstance(item, CodeBranch):
            yield from _accesses(item.then, weight * item.probability)
            yield from _accesses(item.otherwise, weight * (1 - item.probability))
        elif isinstance(item, Weighted):
            yield from _accesses(item.body, weight * item.probability)


def is_scattered(op: Op) -> bool:
    """Whether nothing tells where an element is: memory gave its subscript, or it is no linear form."""
    assert op.memory is not None
    return op.memory.gathered or op.memory.subscripts[-1] is None


def stride_of(op: Op, loop: CodeLoop) -> int | None:
    """Elements between two rounds; 0 for the same one; None for no fixed distance."""
    assert op.memory is not None
    last = op.memory.subscripts[-1]
    if is_scattered(op) or last is None:
        return None

    # Counters of loops without symbolic bounds have hidden symbols that end in their line.
    total = 0
    for name in last.names:
        moves = name == loop.index or (HIDDEN in name and name.partition(HIDDEN)[2].isdigit())
        if moves:
            slope = last.slope(name)
            if slope is None or (slope.integer is None and name in slope.names):
                return None
            if slope.integer is None:
                return LINE  # a row whose length is a name, as `a[i * n + j]` goes through a matrix
            total += slope.integer * (loop.step or 1)
    # Another row in each round is another line, whatever the last subscript does.
    rows = [v for v in op.memory.subscripts[:-1] if v is None or loop.index in v.names]
    return LINE if rows else total


def footprint(items: Items, enclosing: Sequence[CodeLoop] = ()) -> dict[str, Value]:
    """Bytes that items touch of each array: all of it where its length is names, else as far as subscripts reach."""
    extents: dict[str, Value] = {}
    for item in items:
        if isinstance(item, Op) and item.memory is not None:
            touched = item.memory.extent
            if touched is None:
                touched = _reach(item, enclosing)
            name = item.memory.array
            if name not in extents or touched.names > extents[name].names:
                extents[name] = touched
        around = (*enclosing, item) if isinstance(item, CodeLoop) else enclosing
        for body in inner(item):
            for name, touched in footprint(body, around).items():
                if name not in extents or touched.names > extents[name].names:
                    extents[name] = touched

    return extents


def extents_in_scope(items: Items, names: frozenset[str]) -> Items:
    """Items with arrays of unknown length wherever a length has a name that is no parameter."""
    result: list[Item] = []
    for item in items:
        match item:
            case Op(memory=Access(extent=Value() as extent) as memory) if not extent.names <= names:
                result.append(replace(item, memory=replace(memory, extent=None)))
            case _:
                result.append(changed_inside(item, lambda inside: extents_in_scope(inside, names)))
    return tuple(result)


def _reach(op: Op, enclosing: Sequence[CodeLoop]) -> Value:
    assert op.memory is not None
    names = {n for v in op.memory.subscripts if v is not None for n in v.names}
    lost = any(v is None for v in op.memory.subscripts)
    total = as_value(element_size(op))
    for loop in enclosing:
        if loop.index in names or (lost and loop is enclosing[-1]):
            total = total * most_rounds(loop.rounds, enclosing)
    return as_value(element_size(op)) if too_long(total) or any(HIDDEN in n for n in total.names) else total


def most_rounds(rounds: Value, inside: Sequence[CodeLoop]) -> Value:
    """The rounds of a loop where the loops around it make them most, each by its own."""
    for loop in reversed(inside):
        if loop.index in rounds.names:
            slope = rounds.slope(loop.index)
            end = loop.low if slope is not None and is_negative(slope) else loop.high
            rounds = rounds if end is None else substituted(rounds, {loop.index: end})
    return rounds


def levels(touched: Value, beside: Value = ZERO, scattered: bool = False) -> tuple[tuple[str, Value], ...]:
    """Which part of accesses to so many bytes each level beyond the first serves. All that is touched `beside` it
    streams through the last level, too. Accesses are in order, or `scattered` evenly over the bytes."""
    beyond = _scattered_beyond if scattered else _beyond
    first, second = beyond(touched, "cache_L1"), beyond(touched, "cache_L2")
    third = beyond(beside if beside.terms else touched, "cache_L3")
    # What fits into the second level is there, whatever streams through the last one.
    third = apply("min", second, third) if scattered and beside.terms and beside != touched else third
    shares = (apply("max", 0, first - second), apply("max", 0, second - third), third)
    return tuple(zip(("L2", "L3", "memory"), shares, strict=True))


def _beyond(touched: Value, cache: str) -> Value:
    """The part of accesses in order that a cache does not serve: none up to `FITS` of its size, all from its size on.
    The second level does not evict in strict order and goes on serving what it holds."""
    if cache == "cache_L2":
        return _scattered_beyond(touched, cache)
    fits = FITS[cache]
    past = quotient(touched, cache) - fits
    return apply("max", 0, apply("min", 1, past * (1 / (1 - fits))))


def _scattered_beyond(touched: Value, cache: str) -> Value:
    """The part of scattered accesses that a cache does not serve: it holds `FITS` of its size, any of the bytes equally
    likely."""
    usable = as_value(cache) * FITS[cache]
    return 1 - quotient(usable, apply("max", touched, usable))


def weight_of_miss(expected: Value) -> Value:
    """The part of mispredictions that a predictor does not learn from run to run: none of as many as it remembers, all
    of 2^`OCTAVES` times as many."""
    many = apply("max", expected, 1)
    number = expected.constant
    if number is not None and number <= SURELY_LEARNT:
        return ZERO
    remembered = quotient(apply("log2", quotient(many, "predictor_memory")), OCTAVES)
    return apply("max", 0, apply("min", 1, remembered))


def weight_of_target(expected: Value) -> Value:
    """The same of targets of an indirect jump."""
    many = quotient(apply("max", expected, 1), as_value("predictor_memory") * TARGETS)
    return apply("max", 0, apply("min", 1, quotient(apply("log2", many), TARGET_OCTAVES)))


def forgotten(missed: float, learnt: float, octaves: int = OCTAVES) -> float:
    """The same of a number of mispredictions, with the memory of a predictor as a number."""
    many = max(missed, 1.0)
    return min(max(math.log2(many / learnt) / octaves, 0.0), 1.0)
