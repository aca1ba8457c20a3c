"""What a core cannot overlap: mispredictions, library calls, allocation, elements from far away."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Protocol

from apet.frontends.java import types
from apet.frontends.java.algebra import ZERO, Value, apply, as_value, substituted
from apet.frontends.java.core.memory import levels, traffic, weight_of_miss
from apet.frontends.java.core.units import is_library
from apet.frontends.java.ir import Branch, Items, Loop, Op, Weighted
from apet.frontends.java.operations import operation_name
from apet.frontends.java.syntax import Place

MISSES = Fraction(3, 5)
"""Mispredictions of a branch that depends on data, as a part of the rarer side: a static guess."""
OFTEN = 10**6
LIKELY = Fraction(18, 100)
"""A selection whose rarer side is rarer than this is compiled to a branch, else to a conditional move."""


class Namer(Protocol):
    """What gives the mispredictions of a branch a name in the model."""

    def missed(self, text: str, at: Place, value: Value) -> Value:
        """The parameter."""

    def parameters(self) -> frozenset[str]:
        """Names that its value may be made of."""


def events(items: Items, loop: Loop | None, around: Sequence[Loop], touched: Value, namer: Namer) -> dict[str, Value]:
    """Events of straight code by operation, with their weights; `around` are the loops that it runs in."""
    found: dict[str, Value] = {}
    _collect(items, as_value(1), found, around, namer)
    if loop is not None and touched.terms:
        for extent, far in traffic(loop).scattered:
            for level, here in levels(touched if extent is None else extent):
                found[f"gather_{level}"] = found.get(f"gather_{level}", ZERO) + far * here
    return found


def times(around: Sequence[Loop], known: frozenset[str]) -> Value:
    """How often the innermost of some loops runs in all, with indices of outer loops at the middle of their ranges.

    Where that cannot be told, often: nothing is learnt then.
    """
    total = as_value(1)
    middles: dict[str, Value] = {}
    for loop in around:
        total = total * substituted(loop.rounds, middles)
        if loop.low is not None and loop.high is not None:
            middles[loop.index] = substituted((loop.low + loop.high) * Fraction(1, 2), middles)
    return total if total.names <= known else as_value(OFTEN)


def _collect(items: Items, weight: Value, found: dict[str, Value], around: Sequence[Loop], namer: Namer) -> None:
    for item in items:
        if isinstance(item, Op):
            name = _event(item)
            if name:
                found[name] = found.get(name, ZERO) + weight
        elif isinstance(item, Weighted):
            _collect(item.body, weight * item.probability, found, around, namer)
        elif isinstance(item, Branch):
            q = item.probability
            missed = _missed(item, around, namer)
            if missed.terms:
                found["mispredict"] = found.get("mispredict", ZERO) + weight * missed
            _collect(item.then, weight * q, found, around, namer)
            _collect(item.otherwise, weight * (1 - q), found, around, namer)


def _event(op: Op) -> str:
    if is_library(op):
        return operation_name(op)
    return op.name if op.name in ("new", "new_byte") else ""


def _missed(branch: Branch, around: Sequence[Loop], namer: Namer) -> Value:
    """Expected mispredictions of one run of a branch, as a parameter of the model."""
    if branch.condition is None or branch.condition.predictable:
        return ZERO
    q = branch.probability
    rarer = apply("min", q, 1 - q)
    missed = rarer * MISSES
    if selects(branch):
        missed = missed * apply("<", rarer, LIKELY)
    known = namer.parameters()
    if not q.names <= known:
        return ZERO
    value = missed * weight_of_miss(missed * times(around, known))
    return namer.missed("mispredictions of this branch, each time", branch.at, value)


def selects(branch: Branch) -> bool:
    """Whether a branch only gives one int variable a value: then it may become a conditional move."""
    stores = [i for i in (*branch.then, *branch.otherwise) if isinstance(i, Op) and i.store]
    plain = all(isinstance(i, Op) and i.memory is None for i in (*branch.then, *branch.otherwise))
    return plain and len({s.variable for s in stores}) == 1 and all(s.type == types.INT for s in stores)


def exit_misses(loop: Loop, around: Sequence[Loop], known: frozenset[str]) -> Value:
    """Expected mispredictions at the end of a loop: seldom where it counts, mostly where it does not."""
    if not around:
        return ZERO
    once = as_value(Fraction(1, 10) if loop.counted and not loop.leaves.terms else Fraction(4, 5))
    return once * weight_of_miss(once * times(around, known))
