"""Loads of a resource family: all runs through the binders of a load."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any

from apet.formula.evaluate.arithmetic import Step, Values, spend
from apet.formula.graph.nodes import Binder, Load
from apet.ground.activity import over_many
from apet.ground.records import NamedTuple


class Scatter(NamedTuple):
    """How to run through one load.

    `loops` are its binders, each with the steps that compute its ends from the binders before it; `steps` compute
    member, load, head and tail. `rounds` is that of the arithmetic.
    """

    load: Load
    loops: list[tuple[Binder, list[Step]]]
    steps: list[Step]
    rounds: Callable[[Any, Any], Collection[Any]]

    def leaves(self, values: Values, environment: Any, depth: int = 0) -> Iterator[None]:
        """Bind the variables to all their values in turn and compute what depends on them; yields after each."""
        if not self.loops:
            yield
            return

        (index, low, high), prepare = self.loops[depth]
        for step in prepare:
            step(values, environment)
        rounds = self.rounds(values[low], values[high])
        spend(values, len(rounds))

        innermost = depth + 1 == len(self.loops)
        for i in over_many(rounds, "evaluating a loop", "rounds", "take smaller sizes"):
            values[index] = i
            if innermost:
                for step in self.steps:
                    step(values, environment)
                yield
            else:
                yield from self.leaves(values, environment, depth + 1)


def leaves(scatters: Iterable[Scatter], values: Values, environment: Any) -> Iterator[tuple[Load, Values]]:
    """Every run through the innermost part of some loads, and the values there."""
    for scatter in scatters:
        # a load may bind a variable that a loop around it has bound as well, and that other loads depend on
        inside = values.copy() if scatter.loops else values
        for _ in scatter.leaves(inside, environment):
            yield scatter.load, inside
        values[-1] = inside[-1]
