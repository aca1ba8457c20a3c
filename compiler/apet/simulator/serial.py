"""Which side of a branch is the cheaper one: the sum of the durations of all its leaves decides.

A heuristic: with contention, the side with less work may end later. A loop whose index its body does not use is
multiplied out; the sums are kept per term and values of its names, so loops around a branch do not repeat the work.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import assert_never

from apet.cost import deep_recursion
from apet.model import terms
from apet.model.walk import parts
from apet.simulator.composites import EquationCall, Ranged, decided_side
from apet.simulator.engine import Scope
from apet.simulator.leaves import Message, Operation, Pause
from apet.simulator.program import Program

Side = Callable[[float, float], float]


def weighing(program: Program, worst: bool) -> Callable[[terms.Branch, Scope], bool]:
    """A choice of the cheaper side, or with `worst` of the dearer one; the first one if they cost the same."""
    weights = _Weights(program, max if worst else min)

    def choose(branch: terms.Branch, scope: Scope) -> bool:
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
        self._names: dict[int, frozenset[str]] = {}

    def of(self, term: terms.Process, scope: Scope) -> float:
        """The sum of the durations of all leaves; a branch inside counts as the side that will be taken."""
        names = sorted(self.names(term))
        key = (id(term), *(scope.get(name) for name in names))
        weight = self._weights.get(key)
        if weight is None:
            weight = self._weights[key] = self._sum(term, scope)
        return weight

    def _sum(self, term: terms.Process, scope: Scope) -> float:
        match term:
            case terms.Invoke() | terms.Delay():
                return self._leaf(term, scope)
            case terms.Use():
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

    def _leaf(self, term: terms.Invoke | terms.Delay, scope: Scope) -> float:
        node = self.program.node(term)
        if isinstance(node, EquationCall):
            return self.of(node.body, node.scope(scope))
        assert isinstance(node, Pause | Operation | Message)
        return node.seconds(scope)

    def _loop(self, term: terms.Loop, scope: Scope) -> float:
        node = self.program.node(term)
        assert isinstance(node, Ranged)
        indices = node.indices(scope)
        count = max(0, indices.stop - indices.start)
        if not count:
            return 0.0
        if term.index not in self.names(term.body):
            return count * self.of(term.body, scope)
        total = 0.0
        for i in indices:
            self.program.engine.count(term.span)
            total += self.of(term.body, {**scope, term.index: i})

        return total

    def names(self, term: terms.Process) -> frozenset[str]:
        """The free names of a term; those of an equation that it calls are parameters, which never change."""
        names = self._names.get(id(term))
        if names is None:
            names = self._names[id(term)] = self._free(term)
        return names

    def _free(self, term: terms.Process) -> frozenset[str]:
        match term:
            case terms.Invoke():
                lone = {term.name} if term.subscripts is None and term.arguments is None else set()
                return _all((*(term.subscripts or ()), *(term.arguments or ()))) | lone
            case terms.Delay():
                return _all((term.time,))
            case terms.Use():
                return self.names(term.body)

            case terms.Sequence() | terms.Parallel() | terms.PartGraph():
                return frozenset[str]().union(*(self.names(p) for p in parts(term)))
            case terms.Loop():
                return _all((term.low, term.high)) | (self.names(term.body) - {term.index})

            case terms.Branch():
                own = _all((term.probability,)) if term.probability is not None else frozenset[str]()
                return own | self.names(term.then) | self.names(term.otherwise)
            case _:
                assert_never(term)


def _all(expressions: Iterable[terms.Expression]) -> frozenset[str]:
    """The free names of expressions; an index of `sum` that is also a name outside counts as free."""
    names: set[str] = set()
    stack = list(expressions)
    while stack:
        match stack.pop():
            case terms.Number():
                pass
            case terms.Name() as e:
                names.add(e.name)
            case terms.Unary() as e:
                stack.append(e.operand)
            case terms.Binary() as e:
                stack += (e.left, e.right)
            case terms.Invoke() as e:
                stack += (*(e.subscripts or ()), *(e.arguments or ()))
            case terms.SumOver() as e:
                stack += (e.low, e.high, e.body)

    return frozenset(names)
