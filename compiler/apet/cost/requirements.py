"""What must hold of the numbers in a model: durations and sizes are not negative, subscripts whole, processors there.

What is decided by the model alone is an error at once; what depends on values becomes a node that must not be negative.
"""

from __future__ import annotations

from collections.abc import Sequence

from apet.cost import errors
from apet.cost.cost import FIRST, LAST, WHOLE, Requirement
from apet.cost.expressions import Expressions
from apet.formula.graph.nodes import NodeId, Symbol
from apet.formula.show.text import text
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.source import Span

Requirements = tuple[Requirement, ...]


class RequirementRules:
    """Finds requirements on nodes; of equal ones the first place stands for all."""

    def __init__(self, expressions: Expressions) -> None:
        self.graph = expressions.graph
        self.source = expressions.source
        self.processors = expressions.processors
        self._expressions = expressions
        self._of_subscripts: dict[tuple[NodeId, str, bool], Requirements] = {}

    @property
    def is_guarded(self) -> bool:
        """Whether what is required need not hold in every run."""
        return self._expressions.is_guarded

    def amount(self, node: NodeId, kind: str, span: Span) -> Requirements:
        """That an amount of this kind is not negative."""
        if self.graph.nonnegative(node):
            return ()
        if self._is_certain(node):
            raise ApetError(self._negative(kind, span, text(self.graph, node)))
        return (Requirement(node, kind, span),)

    def _negative(self, kind: str, span: Span, expression: str) -> Diagnostic:
        if kind == "duration":
            return errors.NegativeDuration(self.source, span, expression)
        if kind == "size":
            return errors.NegativeSize(self.source, span, expression)
        return errors.ProbabilityOutside(self.source, span, self.source.text[span.start : span.end])

    def members(self, subscripts: Sequence[NodeId], spans: Sequence[Span]) -> Requirements:
        """That the subscripts of a resource are whole."""
        return tuple([r for node, span in zip(subscripts, spans, strict=True) for r in self._whole(node, span)])

    def processors_of(self, subscripts: Sequence[NodeId], spans: Sequence[Span]) -> Requirements:
        """That subscripts are processors: whole, and from 0 to P."""
        return tuple([r for node, span in zip(subscripts, spans, strict=True) for r in self._processor(node, span)])

    def _whole(self, node: NodeId, span: Span) -> Requirements:
        if self.graph.integral[node]:
            return ()
        key = (node, WHOLE, self.is_guarded)
        if key not in self._of_subscripts:
            self._of_subscripts[key] = self._fraction(node, span)
        return self._of_subscripts[key]

    def _fraction(self, node: NodeId, span: Span) -> Requirements:
        g = self.graph
        if self._is_named(node):
            return ()
        if self._is_certain(node):
            raise ApetError(errors.FractionalSubscript(self.source, span, text(g, node)))
        return (Requirement(g.scale(g.call("mod", [node, g.one]), -1), WHOLE, span),)

    def _processor(self, node: NodeId, span: Span) -> Requirements:
        key = (node, LAST, self.is_guarded)
        if key not in self._of_subscripts:
            self._of_subscripts[key] = (*self._whole(node, span), *self._within(node, span))
        return self._of_subscripts[key]

    def _within(self, node: NodeId, span: Span) -> Requirements:
        g = self.graph
        if self._is_named(node):
            return ()

        requirements = []
        if not g.nonnegative(node):
            if self._is_certain(node):
                raise ApetError(errors.NegativeProcessor(self.source, span, text(g, node)))
            requirements.append(Requirement(node, FIRST, span))

        rest = g.minus(g.symbol("P"), node)
        if not g.nonnegative(rest):
            requirements.append(Requirement(rest, LAST, span))
        return tuple(requirements)

    def _is_certain(self, node: NodeId) -> bool:
        """Whether a mistake in a number is one whatever the values of parameters."""
        return self.graph.value(node) is not None and not self.is_guarded and not self._expressions.is_conditional

    def _is_named(self, node: NodeId) -> bool:
        """Whether a subscript is a named processor, whose number is checked where it is given."""
        symbol = self.graph.nodes[node]
        return isinstance(symbol, Symbol) and symbol.name in self.processors
