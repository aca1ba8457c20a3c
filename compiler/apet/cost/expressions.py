"""Expressions of a model to nodes of the formula graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from apet.cost import errors
from apet.cost.open_shapes import KnownShape
from apet.formula.algebra.reduction import sum_over
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId
from apet.formula.graph.sums import whole
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.model.errors import ValueOutsideDomain
from apet.model.terms import Binary, Expression, Invoke, Lookup, Name, Number, SumOver, Unary

Names = Mapping[str, NodeId]


class Expressions(NamedTuple):
    """Turns expressions into nodes; names not bound in the scope are symbols.

    Where a shape is `known`, its values and shares of tasks are numbers.
    """

    graph: Graph
    source: Source
    processors: frozenset[str]
    known: KnownShape | None = None

    def node(self, expression: Expression, scope: Names) -> NodeId:
        """The node of an expression that stands for a number."""
        g = self.graph

        match expression:
            case Number(value, _, _):
                return g.const(value)
            case Name(name, _):
                node = scope[name] if name in scope else self._value(name)
                self._refuse_processor(node, expression)
                return node
            case Unary(operator, operand, _):
                return g.scale(self.node(operand, scope), -1 if operator == "-" else 1)
            case Binary():
                return self._binary(expression, scope)
            case Invoke():
                return self._invoke(expression, scope)
            case Lookup():
                return self._entry(expression, scope)
            case SumOver(index, low, high, body, _):
                a, b = self.whole(low, scope, "ceil"), self.whole(high, scope, "floor")
                i = g.index(index, a, b)
                inside = self.node(body, {**scope, index: i})
                try:
                    return sum_over(g, i, a, b, inside)
                except ZeroDivisionError:
                    raise ApetError(errors.ZeroInLoop(self.source, expression.span, index)) from None

    def _entry(self, expression: Lookup, scope: Names) -> NodeId:
        """The entry of a table: each, times whether the subscript is its number."""
        g, table = self.graph, expression.table
        index, number = self.node(expression.index, scope), len(table.entries)
        value = g.value(index)
        if value is not None and not (value == int(value) and 1 <= value <= number):
            raise ApetError(errors.NoSuchEntry(self.source, expression.span, table.name, str(value), number))
        return g.plus(*(g.scale(g.compare("==", index, g.const(k)), v) for k, v in enumerate(table.entries, 1)))

    def whole(self, expression: Expression, scope: Names, rounding: str) -> NodeId:
        """The node of a loop's bound: loops run over the integers within their bounds."""
        return self.graph.call(rounding, [self.node(expression, scope)])

    def subscript(self, expression: Expression, scope: Names) -> NodeId:
        """The node of a subscript, which may be a named processor."""
        if isinstance(expression, Name):
            return scope[expression.name] if expression.name in scope else self._value(expression.name)
        return self.node(expression, scope)

    def _value(self, name: str) -> NodeId:
        """The node of a name that nothing binds."""
        if self.known is not None and name in self.known.values:
            return self.graph.const(whole(Fraction(self.known.values[name])))
        return self.graph.symbol(name)

    def _item(self, name: str, subscripts: Sequence[NodeId], arguments: Sequence[NodeId]) -> NodeId:
        """A machine quantity; of a known shape how many tasks a processor has, where it and the tasks are numbers."""
        g, numbers = self.graph, [self.graph.value(n) for n in (*subscripts, *arguments)]
        if self.known is None or self.known.shares is None or None in numbers:
            return g.item(name, subscripts, arguments)
        values = tuple(n for n in numbers if n is not None)
        tasks = self.known.shares(name, values[: len(subscripts)], values[len(subscripts) :])
        return g.const(whole(Fraction(tasks)))

    def _refuse_processor(self, node: NodeId, at: Name) -> None:
        name = getattr(self.graph.nodes[node], "name", "")
        if name in self.processors and self.graph.symbol(name) == node:
            raise ApetError(errors.ProcessorAsNumber(self.source, at.span, name))

    def _binary(self, expression: Binary, scope: Names) -> NodeId:
        g = self.graph
        left, right = self.node(expression.left, scope), self.node(expression.right, scope)

        try:
            match expression.operator:
                case "+":
                    return g.plus(left, right)
                case "-":
                    return g.minus(left, right)
                case "*":
                    return g.times(left, right)
                case "/":
                    return g.over(left, right)
                case "%":
                    return g.call("mod", [left, right])
                case "^":
                    return g.call("pow", [left, right])
                case comparison:
                    return g.compare(comparison, left, right)
        except ZeroDivisionError:
            raise ApetError(errors.DivisionByZero(self.source, expression.right.span)) from None

    def _invoke(self, expression: Invoke, scope: Names) -> NodeId:
        g = self.graph
        if expression.subscripts is not None:
            arguments = [self.node(a, scope) for a in expression.arguments or ()]
            return self._item(expression.name, [self.subscript(s, scope) for s in expression.subscripts], arguments)
        arguments = [self.node(a, scope) for a in expression.arguments or ()]
        if expression.name == "max":
            return g.maximum(arguments)
        if expression.name == "min":
            return g.minimum(arguments)

        try:
            return g.call(expression.name, arguments)
        except ValueError as error:
            raise ApetError(ValueOutsideDomain(self.source, expression.span, str(error))) from None
