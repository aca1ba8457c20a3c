"""Numbers from formulas.

The steps run along a tape, on which operands come before the nodes made of them. Arithmetic is that of the values
given: whole numbers and fractions stay exact (10^15 iterations are an `int`), and if every value is exact, so is the
result.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from apet.formula.evaluate.arithmetic import Member
from apet.formula.evaluate.environment import Environment, EvaluationError
from apet.formula.evaluate.families import leaves
from apet.formula.evaluate.interpreter import Interpreter
from apet.formula.evaluate.number_arithmetic import ExactNumbers, Numbers, quotient
from apet.formula.evaluate.tape import Tape
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Peak
from apet.ground.interval import Number

__all__ = ["Environment", "EvaluationError", "Plan"]


class Plan(Interpreter[Number]):
    """How to evaluate some nodes of a graph with numbers."""

    def __init__(self, graph: Graph, roots: Sequence[NodeId], exact: bool = False) -> None:
        """`exact`: functions without exact values are computed to 60 digits, as fractions; jumps allow for that."""
        self.tape = Tape(graph, roots)
        arithmetic = (ExactNumbers if exact else Numbers)(self.tape)
        super().__init__(self.tape, self.tape.roots, arithmetic, self.tape.outside())

    @classmethod
    def of_members(cls, graph: Graph, table: NodeId) -> Plan:
        """A plan that `members` can be asked of: for the node of a family's peak."""
        assert isinstance(graph.nodes[table], Peak)
        return cls(graph, [table])

    def members(self, environment: Environment) -> dict[Member, Number]:
        """The load per server of every member of the family."""
        values = self._blank.copy()
        for step in self.steps:
            step(values, environment)

        peak = self.nodes[self.roots[0]]
        assert isinstance(peak, Peak)
        servers = partial(self._servers(peak.members, peak.servers), values, environment)
        uses = self.arithmetic.gathered(leaves(self._scatters(peak.loads), values, environment))
        return {member: quotient(use[0], servers(member)) for member, use in uses.items()}
