"""Numbers from formulas.

The steps run along a tape, on which operands come before the nodes made of them. Arithmetic is that of the values
given: whole numbers and fractions stay exact (10^15 iterations are an `int`), and if every value is exact, so is the
result.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from apet.formula.evaluate.arithmetic import Member
from apet.formula.evaluate.environment import Environment, EvaluationError
from apet.formula.evaluate.families import leaves
from apet.formula.evaluate.interpreter import Interpreter
from apet.formula.evaluate.number_arithmetic import EXACTLY, ExactNumbers, Numbers, quotient
from apet.formula.evaluate.rounding import point
from apet.formula.evaluate.tape import Tape
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, Peak
from apet.ground.interval import Interval, Number

__all__ = ["Environment", "EvaluationError", "Plan"]


class Plan(Interpreter[Number]):
    """How to evaluate some nodes of a graph with numbers."""

    def __init__(self, graph: Graph, roots: Sequence[NodeId], exact: bool = False, checked: bool = False) -> None:
        """`exact`: with as many digits as it takes to decide every jump (a rounding, a comparison, the end of a range).
        `checked`: where the roots have values is known otherwise, so that 0 / 0 is 0 in what no run needs.

        What neither digits nor a proof decides counts as equal in `run`, and as possible on either side in `enclosed`.
        """
        self.exact = exact
        self._origin = graph, tuple(roots)
        self.tape = Tape(graph, roots)
        arithmetic = (ExactNumbers if exact else Numbers)(self.tape, checked)
        super().__init__(self.tape, self.tape.roots, arithmetic, self.tape.outside())

    def run(self, environment: Environment) -> list[Number]:
        """The values of the roots; of exact plans the nearest fractions where there are no exact ones."""
        if not self.exact:
            return super().run(environment)
        values, _ = self._decided(environment)
        return [v if type(v) in EXACTLY else _fraction(v) for v in values]

    def enclosed(self, environment: Environment) -> list[Interval]:
        """The ends, fractions, between which the values of the roots of an exact plan surely lie."""
        values, sure = self._decided(environment)
        if not sure:
            from apet.formula.evaluate.enclosure import Enclosure  # for few formulas

            return Enclosure(*self._origin).run(PointEnvironment(environment))
        return [point(v) if type(v) in EXACTLY else _interval(v) for v in values]

    def _decided(self, environment: Environment) -> tuple[list[Any], bool]:
        """The values, and whether all was decided that they depend on."""
        try:
            values: list[Any] = super().run(environment)
            if all(map(_is_sharp, values)):
                return values, True
        except Exception as error:
            from apet.formula.evaluate.reals import Undecided

            if not isinstance(error, Undecided):
                raise
        return self._with_more_digits(environment)

    def _with_more_digits(self, environment: Environment) -> tuple[list[Any], bool]:
        """As `_decided`, where the usual digits leave something undecided, or are lost to terms that cancel."""
        from apet.formula.evaluate.reals import LEVELS, PRECISION, Undecided

        for precision in (*LEVELS[1:], LEVELS[-1]._replace(settles=True)):
            before = PRECISION.set(precision)
            try:
                return super().run(environment), not precision.settles
            except Undecided:
                pass
            finally:
                PRECISION.reset(before)
        raise AssertionError("what is equal is decided")

    @classmethod
    def of_members(cls, graph: Graph, table: NodeId) -> Plan:
        """A plan that `members` can be asked of: for the node of a family's peak, which is known to have a value."""
        assert isinstance(graph.nodes[table], Peak)
        return cls(graph, [table], checked=True)

    def members(self, environment: Environment) -> dict[Member, Number]:
        """The load per server of every member of the family."""
        values = self._blank.copy()
        for step in self.steps:
            step(values, environment)

        peak = self.nodes[self.roots[0]]
        assert isinstance(peak, Peak)
        servers = partial(self._servers(peak.members, peak.servers), values, environment)
        uses = self.arithmetic.gathered(leaves(self._scatters(peak.loads), values, environment))
        return {member: quotient(use[0], servers(member)) if use[0] else 0 for member, use in uses.items()}


def _is_sharp(value: Any) -> bool:
    """Whether the ends of a number agree to nine digits, as those of loops over arrays of floats do."""
    if type(value) in EXACTLY or isinstance(value, float):
        return True
    low, high = map(Fraction, value.interval())
    return (high - low) * 10**9 <= abs(low + high) or type(value.settled()) is int


def _fraction(value: Any) -> Number:
    return value if isinstance(value, float) else value.settled()


def _interval(value: Any) -> Interval:
    if isinstance(value, float):
        return point(value)
    settled = value.settled()
    return point(settled) if type(settled) is int else value.interval()


class PointEnvironment:
    """Numbers as intervals without width."""

    def __init__(self, environment: Environment) -> None:
        self.environment = environment

    def symbol(self, name: str) -> Interval:
        """The value of a parameter."""
        return point(self.environment.symbol(name))

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Interval, ...]) -> Interval:
        """A machine quantity, which rises with its arguments."""
        low = self.environment.item(name, subscripts, tuple(a.lo for a in arguments))
        return Interval(low, self.environment.item(name, subscripts, tuple(a.hi for a in arguments)))

    def item_over(self, name: str, ranges: tuple[Interval, ...], arguments: tuple[Interval, ...]) -> Interval:
        """Of all members that a range of subscripts may name."""
        from apet.formula.evaluate.enclosure import over_members

        return over_members(self.item, name, ranges, arguments)
