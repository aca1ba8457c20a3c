"""That subscripts of tables are entries: what must not be negative of the expressions of a process."""

from __future__ import annotations

from collections.abc import Iterator

from apet.cost.cost import Requirement
from apet.cost.expressions import Expressions, Names
from apet.cost.loop_loads import least_over
from apet.cost.requirements import ENTRY, WHOLE
from apet.formula.graph.nodes import NodeId
from apet.ground.source import Span
from apet.model.terms import Expression, Lookup, SumOver
from apet.model.walk import operands


def table_bounds(x: Expressions, expression: Expression, scope: Names) -> Iterator[Requirement]:
    """What must hold of the subscripts of tables in an expression: whole, from 1 to the number of entries."""
    match expression:
        case Lookup(table, index, span):
            yield from table_bounds(x, index, scope)
            yield from _entry(x, x.node(index, scope), len(table.entries), span)
        case SumOver():
            yield from _summed(x, expression, scope)
        case _:
            for inner in operands(expression):
                yield from table_bounds(x, inner, scope)


def _entry(x: Expressions, node: NodeId, entries: int, span: Span) -> Iterator[Requirement]:
    g = x.graph
    if not g.integral[node]:
        yield Requirement(g.scale(g.call("mod", [node, g.one]), -1), WHOLE, span)
    ends = [end for end in (g.shift(node, -1), g.minus(g.const(entries), node)) if not g.nonnegative(end)]
    if ends:
        yield Requirement(g.minimum(ends), ENTRY, span)


def _summed(x: Expressions, total: SumOver, scope: Names) -> Iterator[Requirement]:
    g = x.graph
    for end in (total.low, total.high):
        yield from table_bounds(x, end, scope)
    low, high = x.whole(total.low, scope, "ceil"), x.whole(total.high, scope, "floor")
    index, filled = g.index(total.index, low, high), g.compare("<=", low, high)
    for inner in table_bounds(x, total.body, {**scope, total.index: index}):
        yield inner._replace(node=g.times(filled, least_over(g, index, low, high, inner.node)))
