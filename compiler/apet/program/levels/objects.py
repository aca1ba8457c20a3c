"""Objects of the program beyond the first level: one after the other as they were allocated, or in any order.

Objects that are visited in the order of their allocation lie one behind the other: a part of a line for each. Of others
each visit brings a line: with the latency of its level where the object before tells which is next, else side by side.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from fractions import Fraction
from typing import NamedTuple, Protocol

from apet.program.algebra import ZERO, Value, as_value, too_long
from apet.program.free_names import walk
from apet.program.ir import Callee, CodeBranch, CodeLoop, Items, Op, Weighted
from apet.program.levels.memory import LINE, levels


class ObjectLines(NamedTuple):
    """Lines that one visit brings, out of order and in order, and the bytes visited between two visits of one line."""

    shuffled: Value
    ordered: Value
    spread: Value


OBJECTS = {
    "shuffled": "lines out of order that a visit brings, of",
    "ordered": "lines in order that a visit brings, of",
    "spread": "bytes visited between two visits of one line, by those of",
}
"""The parameters of a visit, and how their comments begin."""


class VisitNamer(Protocol):
    """What gives the lines of a visit names in the model."""

    def object_lines(self, place: str, lines: ObjectLines) -> ObjectLines:
        """The parameters."""

    def parameters(self) -> Set[str]:
        """Names that their values may be made of."""

    called: bool
    """Whether others call the method."""


def visits(items: Items, loop: CodeLoop | None, around: Sequence[CodeLoop], namer: VisitNamer) -> dict[str, Value]:
    """The lines of objects that items visit, by operation; `around` are the loops that they run in."""
    section = _VisitedObjects(loop, around, namer)
    section.collect(items, as_value(1))
    return section.weights


class _VisitedObjects:
    """Follows variables through items: an object is visited once for each value of the variable that refers to it."""

    def __init__(self, loop: CodeLoop | None, around: Sequence[CodeLoop], namer: VisitNamer) -> None:
        self.loop, self.around, self.namer = loop, around, namer
        inside = [i for i in walk(loop.body) if isinstance(i, Op)] if loop is not None else []
        self.assigned = {i.variable for i in inside if i.name == "assign"}
        self.computed = {i.result for i in walk(loop.body) if isinstance(i, Op | Callee)} if loop is not None else set()
        self.chained = _chained(inside)
        self.variables: dict[int, tuple[str, int]] = {}
        self.changes: dict[str, int] = {}
        self.visited: set[object] = set()
        self.weights: dict[str, Value] = {}

    def collect(self, items: Items, weight: Value) -> None:
        """What straight items visit, each so often."""
        for item in items:
            if isinstance(item, Op):
                self._operation(item, weight)
            elif isinstance(item, Weighted):
                self.collect(item.body, weight * item.probability)
            elif isinstance(item, CodeBranch):
                self.collect(item.then, weight * item.probability)
                self.collect(item.otherwise, weight * (1 - item.probability))

    def _operation(self, op: Op, weight: Value) -> None:
        if op.name == "assign":
            self.changes[op.variable] = self.changes.get(op.variable, 0) + 1
        elif op.name == "access" or op.variable.startswith("this."):
            self.variables[op.result] = op.variable, self.changes.get(op.variable, 0)
        elif op.name == "visit":
            variable, _ = target = self.variables.get(op.inputs[0], ("", op.inputs[0]))
            # What an outer loop has chosen is near after its first visit.
            moves = op.inputs[0] in self.computed and (not variable or variable in self.assigned)
            if (moves or self.loop is None) and target not in self.visited and variable != "this":
                self.visited.add(target)
                self._visit(op, variable, weight)

    def _visit(self, op: Op, variable: str, weight: Value) -> None:
        size = op.bytes
        static = ObjectLines(ZERO, as_value(min(Fraction(1), Fraction(size, LINE))), self._walked(size))
        shuffled, ordered, spread = self.namer.object_lines(op.place, static)
        if self.loop is None and not self.namer.called:
            return  # it runs once
        kind = "wait" if variable in self.chained else "gather"

        for name, lines, scattered in ((kind, shuffled, True), ("line", ordered, False)):
            for level, here in levels(spread, scattered=scattered):
                # The second level is as good as the first where addresses are there beforehand.
                if level == "L2" and name != "wait":
                    continue
                operation = f"{name}_{level}"
                self.weights[operation] = self.weights.get(operation, ZERO) + weight * lines * here

    def _walked(self, size: int) -> Value:
        """The bytes of as many objects as the loops around have rounds; of one where that is unknown."""
        total = as_value(size)
        for loop in dict.fromkeys((*self.around, *([self.loop] if self.loop is not None else []))):
            total = total * loop.rounds
        unknown = self.loop is None or too_long(total) or not total.names <= self.namer.parameters()
        return as_value(size) if unknown else total


def _chained(ops: Sequence[Op]) -> set[str]:
    """Variables that get a field of the object that they referred to, as in `p = p.next`."""
    origins: dict[int, set[str]] = {}
    chained: set[str] = set()
    for op in ops:
        before: set[str] = set().union(*(origins.get(i, set()) for i in op.inputs))
        if op.name == "assign" and op.variable in before:
            chained.add(op.variable)
        origins[op.result] = before | ({op.variable} if op.name == "access" else set())
    return chained
