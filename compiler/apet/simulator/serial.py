"""Which side of a branch is the cheaper one: the sum of the durations of all its leaves decides.

A heuristic: with contention, the side with less work may end later. A loop whose index its body does not use is
multiplied out; the sums are kept per term and values of its names, so loops around a branch do not repeat the work.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from apet.cost import deep_recursion
from apet.model import terms
from apet.model.free_names import FreeNames
from apet.model.resolved import Call, Hold, Message, Operation, Step
from apet.simulator.composites import EquationCall, Ranged, decided_side
from apet.simulator.engine import Scope
from apet.simulator.leaves import MachineOperation, Pause, Transfer
from apet.simulator.program import Program

Side = Callable[[float, float], float]


def weighing(program: Program, worst: bool) -> Callable[[terms.Branch[Step], Scope], bool]:
    """A choice of the cheaper side, or with `worst` of the dearer one; the first one if they cost the same."""
    weights = _Weights(program, max if worst else min)

    def choose(branch: terms.Branch[Step], scope: Scope) -> bool:
        with deep_recursion():
            then, otherwise = weights.of(branch.then, scope), weights.of(branch.otherwise, scope)
        return then >= otherwise if worst else then <= otherwise

    return choose


class _Weights:
    """Sums of durations in seconds, by term and values."""

    def __init__(self, program: Program, side: Side) -> None:
        self.program = program
        self.side = side
        self._weights: dict[tuple[object, ...], float] = {}
        self._free = FreeNames(program.names.resolved)

    def of(self, term: Step, scope: Scope) -> float:
        """The sum of the durations of all leaves; a branch inside counts as the side that will be taken."""
        key = (id(term), *(scope.get(name) for name in sorted(self._free.of(term))))
        weight = self._weights.get(key)
        if weight is None:
            weight = self._weights[key] = self._sum(term, scope)
        return weight

    def _sum(self, term: Step, scope: Scope) -> float:
        match term:
            case Call() | Operation() | Message() | terms.Delay():
                return self._leaf(term, scope)
            case Hold():
                return self.of(term.body, scope)

            case terms.Sequence():
                return sum(self.of(step, scope) for step in term.steps)
            case terms.Parallel():
                return sum(self.of(branch, scope) for branch in term.branches)
            case terms.PartGraph():
                return sum(self.of(part.body, scope) for part in term.parts)

            case terms.Loop():
                return self._loop(term, scope)
            case terms.Branch():
                taken = decided_side(self.program.names, term, scope)
                if taken is not None:
                    return self.of(taken, scope)
                return self.side(self.of(term.then, scope), self.of(term.otherwise, scope))
            case _:
                assert_never(term)

    def _leaf(self, term: Call | Operation | Message | terms.Delay, scope: Scope) -> float:
        node = self.program.node(term)
        if isinstance(node, EquationCall):
            return self.of(node.body, node.scope(scope))
        assert isinstance(node, Pause | MachineOperation | Transfer)
        return node.seconds(scope)

    def _loop(self, term: terms.Loop[Step], scope: Scope) -> float:
        node = self.program.node(term)
        assert isinstance(node, Ranged)
        indices = node.indices(scope)
        count = max(0, indices.stop - indices.start)
        if not count:
            return 0.0
        if term.index not in self._free.of(term.body):
            return count * self.of(term.body, scope)
        total = 0.0
        for i in indices:
            self.program.engine.count(term.span)
            total += self.of(term.body, {**scope, term.index: i})

        return total
