"""Steps in floats whose rounding errors are bounded beforehand, and that notice where the bound would not hold.

Operands are finite and not negative. `Unsafe` is raised where a result underflows or overflows; a product is exactly 0
only where a factor is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import chain, islice, repeat
from operator import itemgetter, mul
from sys import intern
from typing import Any

from apet.formula.evaluate.box import Box
from apet.formula.evaluate.tape import SYMBOLS, Gather, Tape, gathering, is_slice
from apet.formula.graph.nodes import Add, Const, Extreme, Mul, Node, NodeId, Symbol, operands
from apet.ground.interval import Number

SAFE = 2.0**-1021
"""A product that is computed to be at least this has not underflowed."""

BLOCK = 64
"""Longer sums are added in blocks of this many terms."""

Values = list[Any]
Source = Callable[[Values, Box, bool], None]
FloatStep = Callable[[Values, set[NodeId]], None]
"""A step of a run for the least value, then of one for the greatest; the set remembers what is sure after the first."""


class Unsafe(Exception):  # not an error: another way is taken
    """What the proof of the bound needs does not hold here."""


def nearest(value: Number) -> float:
    """The nearest float, off by one rounding at most; `Unsafe` where it is too large or too small."""
    try:
        found = float(value)
    except OverflowError:
        raise Unsafe from None
    if found < SAFE and found != value:
        raise Unsafe
    return found


def taken(numbers: Sequence[NodeId]) -> Gather:
    """As `gathering`, for one number too."""
    if len(numbers) == 1:
        return itemgetter(slice(numbers[0], numbers[0] + 1))
    return gathering(numbers)


def _put(nodes: Sequence[NodeId]) -> Callable[[Values, Any], None]:
    start, end = nodes[0], nodes[-1] + 1

    def put(values: Values, found: Any) -> None:
        values[start:end] = found

    def put_apart(values: Values, found: Any) -> None:
        for n, value in zip(nodes, found, strict=True):
            values[n] = value

    return put if is_slice(nodes) else put_apart


def sources(tape: Tape, plain: Sequence[NodeId], ways: Mapping[NodeId, int], fused: list[list[NodeId]]) -> list[Source]:
    """How the symbols get their ends: low or high by direction, the nearest float where there is none."""
    found = [_source_of_products(tape, group) for group in fused]
    done = {f for group in fused for n in group for f in operands(tape.nodes[n])}
    for way in (1, -1, 0):
        chosen = [n for n in plain if type(tape.nodes[n]) is Symbol and ways[n] == way and n not in done]
        if chosen:
            found.append(_source(chosen, [_name(tape, n) for n in chosen], way))
    return found


def _name(tape: Tape, n: NodeId) -> str:
    node = tape.nodes[n]
    assert type(node) is Symbol
    return intern(node.name)


def fused(tape: Tape, plain: Sequence[NodeId], ways: Mapping[NodeId, int]) -> list[list[NodeId]]:
    """Neighbouring products of rising symbols that nothing else uses, and of which only sums are made.

    They take their factors from the box at once. What overflows shows in the sums.
    """
    told = {n for m in plain if type(tape.nodes[m]) is not Add for n in operands(tape.nodes[m])}
    found = []
    for kind, nodes in tape.neighbours(plain):
        factors = {f for n in nodes for f in operands(tape.nodes[n])} if kind > SYMBOLS else set()
        alone = all(type(tape.nodes[f]) is Symbol and tape.uses[f] == 1 and ways[f] == 1 for f in factors)
        if len(nodes) > 1 and factors and alone and told.isdisjoint(nodes) and tape.roots[0] not in nodes:
            found.append(nodes)
    return found


def _source_of_products(tape: Tape, nodes: list[NodeId]) -> Source:
    columns = zip(*[operands(tape.nodes[n]) for n in nodes], strict=True)
    first, *others = [itemgetter(*[_name(tape, n) for n in column]) for column in columns]
    put, count = _put(nodes), len(others) + 1

    def source(values: Values, box: Box, end: bool) -> None:
        ends = box.highs if end else box.lows
        found = first(ends)
        large = box.least > 0 and box.least**count >= 2 * SAFE
        for get in others:
            found = list(map(mul, found, get(ends)))
            if not large and min(found) < SAFE:
                _check_zeros(found, [first(ends), *(g(ends) for g in others)])
        put(values, found)

    return source


def _source(nodes: Sequence[NodeId], names: Sequence[str], way: int) -> Source:
    put = _put(nodes)
    get: Callable[[Mapping[str, float]], Any] = itemgetter(*names) if len(names) > 1 else lambda ends: (ends[names[0]],)

    def source(values: Values, box: Box, end: bool) -> None:
        put(values, get(box.highs if (way > 0) == end else box.lows))

    def source_nearest(values: Values, box: Box, end: bool) -> None:
        put(values, [nearest(box.intervals[name].lo) for name in names])

    return source if way else source_nearest


def steps(tape: Tape, plain: Sequence[NodeId], ways: Mapping[NodeId, int], done: set[NodeId]) -> list[FloatStep]:
    """The steps of the nodes that are computed in floats, but for those that are done."""
    computed = [n for n in plain if type(tape.nodes[n]) not in (Symbol, Const) and n not in done]
    # what overflows shows in a sum of it; other users must be told
    told = {tape.roots[0]}.union(*(operands(tape.nodes[n]) for n in computed if type(tape.nodes[n]) is not Add))
    found = []
    for kind, nodes in tape.neighbours(computed):
        if kind > SYMBOLS:
            columns = list(zip(*[operands(tape.nodes[n]) for n in nodes], strict=True))
            found.append(_products(nodes, columns, {ways[n] for n in nodes}, not told.isdisjoint(nodes)))
        else:
            found.append(_alone(nodes[0], tape.nodes[nodes[0]]))
    return found


def _products(nodes: Sequence[NodeId], columns: Sequence[Sequence[NodeId]], ways: set[int], told: bool) -> FloatStep:
    first, *others = [taken(column) for column in columns]
    put = _put(nodes)
    # a product of rising factors that is large enough in the run for the least value stays so
    rising, mark = ways == {1}, nodes[0]

    def step(values: Values, sure: set[NodeId]) -> None:
        found: Any = first(values)
        large = True
        for gather in others:
            found = list(map(mul, found, gather(values)))
            if mark not in sure and min(found) < SAFE:
                large = False
                _check_zeros(found, [first(values), *(g(values) for g in others)])
            if told and not sum(found) < math.inf:
                raise Unsafe
        if rising and large:
            sure.add(mark)
        put(values, found)

    return step


def _check_zeros(found: Sequence[float], columns: Sequence[Sequence[float]]) -> None:
    """`Unsafe` where a product is small, but no factor is 0."""
    for value, factors in zip(found, zip(*columns, strict=True), strict=True):
        if not value >= SAFE and 0 not in factors:
            raise Unsafe


def _alone(n: NodeId, node: Node) -> FloatStep:
    match node:
        case Add(constant, terms):
            return _sum(n, float(constant), [m for m, _ in terms], [float(c) for _, c in terms])
        case Mul(factors):
            return _quotient(n, [(m, e) for m, e in factors if e > 0], [(m, -e) for m, e in factors if e < 0])
        case Extreme(kind, found):
            return _extreme(n, kind, found)
        case _:
            raise AssertionError("a node that is not computed in floats")


def blocks(count: int) -> int:
    """Into how many blocks a sum of so many terms is cut; 0 if it is summed exactly and rounded once."""
    return -(-count // BLOCK) if count > BLOCK else 0


def _sum(n: NodeId, constant: float, terms: Sequence[NodeId], factors: Sequence[float]) -> FloatStep:
    gather, weighted = taken(terms), any(f != 1 for f in factors)
    small = min(factors) < 1
    more = [constant] if constant else []
    rounds = range(blocks(len(terms) + len(more)))
    single = len(terms) == 1 and not more

    def step(values: Values, sure: set[NodeId]) -> None:
        found: Any = gather(values)
        if weighted:
            found = map(mul, found, factors)
            if small or single:
                found = list(found)
                if min(found) < SAFE:
                    _check_zeros(found, [gather(values)])
        if rounds:
            each = chain(found, more)
            total = sum([sum(islice(each, BLOCK)) for _ in rounds])
        else:
            total = found[0] if single else math.fsum(chain(found, more))
        if not total < math.inf:
            raise Unsafe
        values[n] = total

    return step


def _extreme(n: NodeId, kind: str, found: tuple[NodeId, ...]) -> FloatStep:
    gather, pick = gathering(found), max if kind == "max" else min

    def step(values: Values, sure: set[NodeId]) -> None:
        values[n] = pick(gather(values))

    return step


def _quotient(n: NodeId, above: Sequence[tuple[NodeId, int]], below: Sequence[tuple[NodeId, int]]) -> FloatStep:
    def step(values: Values, sure: set[NodeId]) -> None:
        top = _product(values, above)
        bottom = _product(values, below)
        found = top / bottom if below else top
        if not (SAFE <= found < math.inf or top == 0):
            raise Unsafe
        values[n] = found

    return step


def _product(values: Values, factors: Sequence[tuple[NodeId, int]]) -> float:
    """By repeated multiplication; exactly 0 only if a factor is."""
    if any(values[n] == 0 for n, _ in factors):
        return 0.0
    found = 1.0
    for n, exponent in factors:
        for value in repeat(values[n], exponent):
            found *= value
            if not SAFE <= found < math.inf:
                raise Unsafe
    return found
