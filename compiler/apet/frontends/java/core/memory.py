"""Memory: cache lines of streaming accesses, elements that come from anywhere, and how much is touched in all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from apet.frontends.java import types
from apet.frontends.java.algebra import ZERO, Value, apply, as_value, quotient, substituted, too_long
from apet.frontends.java.free_names import inner
from apet.frontends.java.ir import Branch, Items, Loop, Op, Weighted
from apet.frontends.java.known import HIDDEN
from apet.frontends.java.syntax import Type

LINE = 64
"""Bytes of a cache line."""


class Traffic(NamedTuple):
    """What one round of a loop asks of the memory: lines of streams, and elements from anywhere, with their weights."""

    lines: Value
    scattered: tuple[tuple[Value | None, Value], ...]


def element_size(op: Op) -> int:
    """Bytes of the element that an operation loads or stores."""
    return types.size(Type(op.variable))


def traffic(loop: Loop) -> Traffic:
    """One stream for each array; rows of one array that are read side by side come from the cache after the first."""
    streams: dict[str, Value] = {}
    scattered: list[tuple[Value | None, Value]] = []
    for op, weight in _accesses(loop.body, as_value(1)):
        assert op.memory is not None
        stride = _stride(op, loop)
        if stride is None:
            if not op.store:
                scattered.append((op.memory.extent, weight))
            continue
        lines = weight * min(Fraction(1), Fraction(abs(stride) * element_size(op), LINE))
        before = streams.get(op.memory.array, ZERO)
        streams[op.memory.array] = _larger(before, lines)
    total = ZERO
    for one in streams.values():
        total = total + one
    return Traffic(total, tuple(scattered))


def _larger(one: Value, other: Value) -> Value:
    gap = (one - other).constant
    return one if gap is not None and gap >= 0 else other


def _accesses(items: Items, weight: Value) -> Iterator[tuple[Op, Value]]:
    for item in items:
        if isinstance(item, Op) and item.memory is not None:
            yield item, weight
        elif isinstance(item, Branch):
            yield from _accesses(item.then, weight * item.probability)
            yield from _accesses(item.otherwise, weight * (1 - item.probability))
        elif isinstance(item, Weighted):
            yield from _accesses(item.body, weight * item.probability)


def _stride(op: Op, loop: Loop) -> int | None:
    """Elements between two rounds; 0 for the same one; None for no fixed distance."""
    assert op.memory is not None
    last = op.memory.subscripts[-1]
    if op.memory.gathered or last is None:
        return None
    total = 0
    for name in last.names:
        moves = name == loop.index or (HIDDEN in name and name.partition(HIDDEN)[2].isdigit())
        if moves:
            slope = last.slope(name)
            if slope is None or slope.integer is None:
                return None
            total += slope.integer * (loop.step or 1)
    rows = [v for v in op.memory.subscripts[:-1] if v is None or loop.index in v.names]
    return LINE if rows else total


def footprint(items: Items, enclosing: Sequence[Loop] = ()) -> dict[str, Value]:
    """Bytes that items touch of each array: all of it where its length is known, else as far as subscripts reach."""
    found: dict[str, Value] = {}
    for item in items:
        if isinstance(item, Op) and item.memory is not None:
            touched = item.memory.extent
            if touched is None:
                touched = _reach(item, enclosing)
            name = item.memory.array
            if name not in found or touched.names > found[name].names:
                found[name] = touched
        around = (*enclosing, item) if isinstance(item, Loop) else enclosing
        for body in inner(item):
            for name, touched in footprint(body, around).items():
                if name not in found or touched.names > found[name].names:
                    found[name] = touched
    return found


def _reach(op: Op, enclosing: Sequence[Loop]) -> Value:
    assert op.memory is not None
    names = {n for v in op.memory.subscripts if v is not None for n in v.names}
    lost = any(v is None for v in op.memory.subscripts)
    total = as_value(element_size(op))
    highest = {x.index: x.high for x in enclosing if x.high is not None}
    for loop in enclosing:
        if loop.index in names or (lost and loop is enclosing[-1]):
            total = total * substituted(loop.rounds, highest)
    return as_value(element_size(op)) if too_long(total) or any(HIDDEN in n for n in total.names) else total


def levels(touched: Value) -> tuple[tuple[str, Value], ...]:
    """Which level of the hierarchy holds so many bytes: its name, and 1 where it does, else 0."""
    above = [apply("<", f"cache_L{k}", touched) for k in (1, 2, 3)]
    within = [apply("<=", touched, f"cache_L{k}") for k in (2, 3)]
    return (("L2", above[0] * within[0]), ("L3", above[1] * within[1]), ("memory", above[2]))


def weight_of_miss(expected: Value) -> Value:
    """The part of mispredictions that a predictor does not learn: none of 8,000 in a run, all of 32,000."""
    many = quotient(apply("max", expected, 1), 8000)
    number = expected.constant
    if number is not None and number <= 8000:
        return ZERO
    return apply("max", 0, apply("min", 1, quotient(apply("log2", many), 2)))
