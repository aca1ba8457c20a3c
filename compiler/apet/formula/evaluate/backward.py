"""Backward steps over neighbours on a tape: what the root gains by many nodes, handed on at once.

What nothing else uses gains in one place only, so a whole slice of gains is put in place instead of added to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import mul
from typing import Any, Protocol

from apet.formula.evaluate.rounding import LARGEST_EXACT
from apet.formula.evaluate.tape import Tape, gathering, is_slice
from apet.formula.graph.nodes import NodeId, Rational, operands


class Pass(Protocol):
    """The part of an evaluation that backward steps use."""

    @property
    def values(self) -> list[Any]:
        """The values of all nodes, each defined."""
        ...

    @property
    def gains(self) -> list[Any]:
        """What the root gains by each node."""
        ...


Back = Callable[[Any], None]


def total(tape: Tape, node: NodeId, terms: tuple[tuple[NodeId, Rational], ...]) -> Back:
    """A sum hands on its gain times the coefficients; as floats where its value is one, which are multiplied faster."""
    numbers, factors = [n for n, _ in terms], [c for _, c in terms]
    moderate = all(-LARGEST_EXACT <= c <= LARGEST_EXACT for c in factors)
    floats: list[Any] = [float(c) for c in factors] if moderate else factors
    start, end = numbers[0], numbers[-1] + 1

    def back(done: Pass) -> None:
        gained, gains = done.gains[node], done.gains
        if gained:
            for n, factor in terms:
                gains[n] += gained * factor

    def back_slice(done: Pass) -> None:
        gained = done.gains[node]
        if gained:
            found = floats if type(done.values[node]) is float else factors
            done.gains[start:end] = found if gained == 1 else [gained * factor for factor in found]

    return back_slice if is_slice(numbers) and _used_once(tape, numbers) else back


def products(tape: Tape, nodes: Sequence[NodeId]) -> Back:
    """Products of two factors hand on their gains times the other factor."""
    start, end = nodes[0], nodes[-1] + 1
    lefts, rights = zip(*[operands(tape.nodes[n]) for n in nodes], strict=True)
    left, right = gathering(lefts), gathering(rights)
    left_start, left_end, right_start, right_end = lefts[0], lefts[-1] + 1, rights[0], rights[-1] + 1

    def back(done: Pass) -> None:
        gains, values = done.gains, done.values
        gained = gains[start:end]
        if any(gained):
            for gain, one, other in zip(gained, lefts, rights, strict=True):
                if gain:
                    gains[one] += values[other] * gain
                    gains[other] += values[one] * gain

    def back_slices(done: Pass) -> None:
        gains, values = done.gains, done.values
        gained = gains[start:end]
        if any(gained):
            gains[left_start:left_end] = map(mul, right(values), gained)
            gains[right_start:right_end] = map(mul, left(values), gained)

    once = is_slice(lefts) and is_slice(rights) and _used_once(tape, (*lefts, *rights))
    return back_slices if once else back


def _used_once(tape: Tape, numbers: Sequence[NodeId]) -> bool:
    return all(tape.uses[n] == 1 for n in numbers)
