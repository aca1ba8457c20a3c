"""What the user varies, as columns; parameters that follow from it; and whether all may have these values.

An entry that is not certainly allowed is NaN: the configuration is then looked at alone, and the mistake reported as
for a single prediction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apet.cost import CostModel
from apet.cost.expressions import Expressions
from apet.formula.columns.bands import UNIT, NoItems
from apet.formula.columns.columns import FloatColumn, Slice, Values, gathered, read, split, within
from apet.formula.columns.plan import Batch, BatchPlan
from apet.formula.evaluate.environment import MappingEnvironment
from apet.formula.evaluate.evaluation import Plan
from apet.formula.formula import Formula
from apet.formula.graph.nodes import Call, NodeId
from apet.ground.interval import Number
from apet.model.terms import Expression, Parameter
from apet.model.walk import names_in

ROUNDED = ("sqrt", "log", "log2", "pow")
DERIVED = 4 * UNIT
"""How far a derived parameter may be from its float, relatively."""


def _number(value: float) -> Number:
    """An exact number, as parameters are."""
    return int(value) if value.is_integer() else Fraction(value)


def dependent(app: CostModel, varied: set[str], fixed: set[str]) -> list[Parameter]:
    """The parameters whose defaults depend on varied ones, after those that they depend on."""
    dependents: dict[str, Parameter] = {}
    seen: set[str] = set()

    def visit(parameter: Parameter) -> None:
        if parameter.name in seen or parameter.name in fixed or parameter.value is None:
            return
        seen.add(parameter.name)
        names = [n for n in names_in(parameter.value) if n in app.declared]
        for name in names:
            visit(app.declared[name])
        if any(n in varied or n in dependents for n in names):
            dependents[parameter.name] = parameter

    for parameter in app.declared.values():
        visit(parameter)
    return list(dependents.values())


class ColumnInputs:
    """The varied parameters of a batch, derived ones among them, and which configurations are surely allowed."""

    def __init__(
        self,
        app: CostModel,
        processors: int,
        columns: Mapping[str, Values],
        fixed: Iterable[str],
        values: Mapping[str, Number],
    ) -> None:
        """`fixed` names what is fixed, `values` are those of one configuration, with all defaults."""
        self.app = app
        self.processors = processors
        self.raw: dict[str, FloatColumn | NDArray[Any]] = {name: gathered(values) for name, values in columns.items()}
        self.count = max((len(column) for column in columns.values()), default=1)
        derived = dependent(app, set(columns), {*columns, *fixed})
        self.names = frozenset(columns) | {p.name for p in derived}
        self.fixed = {n: v for n, v in values.items() if n not in self.names}
        graph = app.graph
        self.signs = {name: graph.nonnegative(graph.symbol(name)) for name in self.names}
        self.derived = [(p.name, self._rule(p.value)) for p in derived if p.value is not None]
        self.ranges = {p.name: slack for p in app.declared.values() if (slack := self._range(p)) is not None}

    def part(self, start: int, stop: int) -> ColumnSlice:
        """Configurations from start to before stop."""
        columns = {}
        for name, column in self.raw.items():
            columns[name] = (
                column.some(slice(start, stop)) if isinstance(column, FloatColumn) else read(column[start:stop])
            )
        return ColumnSlice(self, columns, stop - start)

    def chosen(self, rows: Any) -> ColumnInputs:
        """Only some configurations."""
        chosen = copy(self)
        chosen.raw = {n: g.some(rows) if isinstance(g, FloatColumn) else g[rows] for n, g in self.raw.items()}
        chosen.count = len(rows)
        return chosen

    def _rule(self, expression: Expression) -> tuple[NodeId, Batch | Plan]:
        """How a default is computed: in columns, or one at a time to be the very floats of single predictions."""
        node, graph = self._node(expression), self.app.graph
        if any(isinstance(c := graph.nodes[n], Call) and c.function in ROUNDED for n in graph.below(node)):
            return node, Plan(graph, [node])
        return node, self._batch([node])

    def _range(self, parameter: Parameter) -> tuple[list[NodeId], Batch] | None:
        """A declared range as what must not be negative, where the parameter or the range varies."""
        ends = [e for e in (parameter.low, parameter.high) if e is not None]
        moving = parameter.name in self.names or any(n in self.names for e in ends for n in names_in(e))
        if len(ends) < 2 or not moving or parameter.name not in {*self.names, *self.fixed}:
            return None
        graph = self.app.graph
        own, low, high = graph.symbol(parameter.name), self._node(ends[0]), self._node(ends[1])
        slack = [graph.minus(own, low), graph.minus(high, own)]
        return slack, self._batch(slack)

    def _node(self, expression: Expression) -> NodeId:
        return Expressions(self.app.graph, self.app.source, self.app.processors).node(expression, {})

    def _batch(self, nodes: Sequence[NodeId]) -> Batch:
        plan = BatchPlan(self.app.graph, nodes, self.names, ())
        return plan.start(MappingEnvironment(self.fixed), NoItems())


class ColumnSlice:
    """Neighbouring configurations of a batch."""

    def __init__(self, inputs: ColumnInputs, floats: dict[str, FloatColumn], count: int) -> None:
        self.inputs = inputs
        self.floats = floats
        self.count = count
        self.bad = np.zeros(count, dtype=bool)

        for name, rule in inputs.derived:
            floats[name] = self._derive(*rule)
        for name in inputs.app.processors & set(floats):
            self.bad |= ~(_whole(floats[name]) & (floats[name].value <= inputs.processors))
        for name in inputs.app.declared:
            self._check(name)
        if self.bad.any():
            for name, column in floats.items():
                floats[name] = column._replace(value=np.where(self.bad, np.nan, column.value))

    def columns(self) -> dict[str, Slice]:
        """What the batch reads."""
        return {n: Slice(g, self.inputs.signs[n]) for n, g in self.floats.items()}

    def _check(self, name: str) -> None:
        """Find the entries that are not surely whole, not negative, or in their range, as they must be."""
        column = self.floats.get(name)
        if column is not None:
            if name in self.inputs.app.whole:
                self.bad |= ~((column.value == np.floor(column.value)) & (column.error == 0))
            if name not in self.inputs.ranges and not column.positive:
                self.bad |= ~(column.value >= column.error)
        if name in self.inputs.ranges:
            slack, batch = self.inputs.ranges[name]
            for one in batch.decide(self.columns(), self.count, slack):
                self.bad |= ~np.broadcast_to(np.ravel(one.value >= one.error), (self.count,))

    def _derive(self, node: NodeId, rule: Batch | Plan) -> FloatColumn:
        if isinstance(rule, Plan):
            return self._singly(node, rule)
        band = rule.decide(self.columns(), self.count, [node])[0]
        value, error = (np.broadcast_to(np.ravel(a), (self.count,)) for a in band)
        near = error <= (DERIVED / 2) * np.abs(value)
        return FloatColumn(np.where(near, within(value), np.nan), error, DERIVED)

    def _singly(self, node: NodeId, plan: Plan) -> FloatColumn:
        fixed = self.inputs.fixed
        names = [n for n in Formula(self.inputs.app.graph, node).parameters if n in self.floats]
        sure = np.all([self.floats[n].error == 0 for n in names], axis=0)
        lists = [self.floats[n].value.tolist() for n in names]
        results = np.full((self.count, 2), np.nan)

        for row in np.flatnonzero(sure):
            try:
                values = {n: _number(numbers[row]) for n, numbers in zip(names, lists, strict=True)}
                results[row] = split(plan.run(MappingEnvironment({**fixed, **values}))[0])
            except (ArithmeticError, ValueError):
                continue  # its own prediction says what is wrong
        return FloatColumn(within(results[:, 0]), results[:, 1], DERIVED)


def _whole(column: FloatColumn) -> NDArray[np.bool_]:
    good: NDArray[np.bool_] = (column.value == np.floor(column.value)) & (column.error == 0) & (column.value >= 0)
    return good
