"""Memory: cache lines of streaming accesses, elements that come from anywhere, and how much is touched in all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from apet.java.parse import types
from apet.java.parse.syntax import Type
from apet.java.translator.algebra import ZERO, Value, apply, as_value, quotient, substituted, too_long
from apet.java.translator.facts import HIDDEN
from apet.java.translator.free_names import changed_inside, inner
from apet.java.translator.ir import Access, CodeBranch, CodeLoop, Item, Items, Op, Weighted

LINE = 64
"""Bytes of a cache line."""
SURELY_LEARNT = 1000
FITS = {"cache_L1": Fraction(1, 2), "cache_L2": Fraction(3, 4), "cache_L3": Fraction(1, 2)}
"""Part of a cache that a program surely keeps: the rest is code, stack, other programs, and sets that fill early."""


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
    for op, weight in _accesses(loop.body, as_value(1)):
        assert op.memory is not None
        stride = stride_of(op, loop)
        if stride is None:
            scattered.append(("scatter" if op.store else "gather", op.memory.extent, weight))
            continue

        lines = weight * min(Fraction(1), Fraction(abs(stride) * element_size(op), LINE))
        kind = streams if abs(stride) * element_size(op) < LINE else apart
        before = kind.get(op.memory.array)
        if lines.terms and (before is None or not _at_least(before[1], lines)):
            kind[op.memory.array] = op, lines
    return CacheTraffic(tuple(streams.values()), tuple(apart.values()), tuple(scattered))


def _at_least(one: Value, other: Value) -> bool:
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


def stride_of(op: Op, loop: CodeLoop) -> int | None:
    """Elements between two rounds; 0 for the same one; None for no fixed distance."""
    assert op.memory is not None
    last = op.memory.subscripts[-1]
    if op.memory.gathered or last is None:
        return None

    # Counters of loops without symbolic bounds have hidden symbols that end in their line.
    total = 0
    for name in last.names:
        moves = name == loop.index or (HIDDEN in name and name.partition(HIDDEN)[2].isdigit())
        if moves:
            slope = last.slope(name)
            if slope is None or slope.integer is None:
                return None
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
    highest = {x.index: x.high for x in enclosing if x.high is not None}
    for loop in enclosing:
        if loop.index in names or (lost and loop is enclosing[-1]):
            total = total * substituted(loop.rounds, highest)
    return as_value(element_size(op)) if too_long(total) or any(HIDDEN in n for n in total.names) else total


def levels(touched: Value, beside: Value = ZERO) -> tuple[tuple[str, Value], ...]:
    """Which part of accesses to so many bytes each level beyond the first serves. All that is touched `beside` it
    streams through the last level, too."""
    above = [
        _beyond(t, f"cache_L{k}") for k, t in ((1, touched), (2, touched), (3, beside if beside.terms else touched))
    ]
    shares = (apply("max", 0, above[0] - above[1]), apply("max", 0, above[1] - above[2]), above[2])
    return tuple(zip(("L2", "L3", "memory"), shares, strict=True))


def _beyond(touched: Value, cache: str) -> Value:
    """The part of accesses that a cache does not serve: none up to `FITS` of its size, all from its size on."""
    fits = FITS[cache]
    past = quotient(touched, cache) - fits
    return apply("max", 0, apply("min", 1, past * (1 / (1 - fits))))


def weight_of_miss(expected: Value) -> Value:
    """The part of mispredictions that a predictor does not learn from run to run: none of as many as it remembers, all
    of four times as many."""
    many = quotient(apply("max", expected, 1), "predictor_memory")
    number = expected.constant
    if number is not None and number <= SURELY_LEARNT:
        return ZERO
    return apply("max", 0, apply("min", 1, quotient(apply("log2", many), 2)))
