"""Loads gathered by the members of a resource family that they meet."""

from __future__ import annotations

from typing import Any

from apet.formula.evaluate.environment import Environment
from apet.formula.evaluate.steps import Step, span, spend
from apet.formula.graph.nodes import Binder, Load
from apet.ground.interval import Number

Member = tuple[Number, ...]


class Scatter:
    """Runs over the binders of one load and gives (member, load, head, tail) for each."""

    def __init__(self, load: Load, loops: list[tuple[Binder, list[Step]]], steps: list[Step]) -> None:
        self.load = load
        self.loops = loops
        self.steps = steps

    def into(self, found: dict[Member, list[Any]], values: list[Any], environment: Environment, depth: int = 0) -> None:
        """Add what this load does to the members that it meets: [load, head, tail, certain]."""
        load = self.load
        if depth < len(self.loops):
            binder, prepare = self.loops[depth]
            for step in prepare:
                step(values, environment)
            rounds = span(values[binder.low], values[binder.high])
            spend(values, len(rounds))
            for i in rounds:
                values[binder.index] = i
                self.into(found, values, environment, depth + 1)
            return
        for step in self.steps:
            step(values, environment)
        member = tuple([values[s] for s in load.subscripts])
        use = found.get(member)
        head, tail = values[load.head], values[load.tail]
        if use is None:
            found[member] = [values[load.load], head, tail, load.certain]
            return
        use[0] += values[load.load]
        use[1] = min(use[1], head)
        use[2] = min(use[2], tail)
        use[3] = use[3] or load.certain


def gather(scatter: list[Scatter], values: list[Any], environment: Environment) -> dict[Member, list[Any]]:
    """Per member of a family: total load, least head, least tail, and whether it is certainly used."""
    found: dict[Member, list[Any]] = {}
    for one in scatter:
        # a load may bind a variable that a loop around it has bound as well, and that other loads depend on
        inside = values.copy() if one.loops else values
        one.into(found, inside, environment)
        values[-1] = inside[-1]
    return found
