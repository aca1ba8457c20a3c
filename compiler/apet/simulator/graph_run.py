"""Task graphs: a part begins at the instant in which the last of those that it comes after ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from apet.model import terms
from apet.model.resolved import Step
from apet.simulator.engine import Process, ProgramNode, Scope
from apet.simulator.graph_members import GraphMembers

if TYPE_CHECKING:
    from apet.simulator.program import Program


class GraphRun:
    """`graph { … }`."""

    __slots__ = ("members", "program", "term")

    def __init__(self, program: Program, term: terms.PartGraph[Step]) -> None:
        self.program = program
        self.term = term
        self.members = GraphMembers(program, term)

    def begin(self, process: Process, scope: Scope) -> bool:
        members = self.members.of(scope)
        waiting = [len(m.after) for m in members]
        behind: list[list[int]] = [[] for _ in members]
        for number, member in enumerate(members):
            for one in member.after:
                behind[one].append(number)

        def run(number: int) -> Iterator[ProgramNode]:
            yield self.program.node(members[number].body)
            for later in behind[number]:
                waiting[later] -= 1
                if not waiting[later]:
                    spawn(later)

        def spawn(number: int) -> None:
            self.program.engine.spawn(process, number, (run(number), members[number].scope))

        for number, count in enumerate(list(waiting)):
            if not count:
                spawn(number)
        return bool(members)
