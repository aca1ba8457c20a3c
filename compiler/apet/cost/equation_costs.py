"""What the single equations of a model cost, each with values of its own."""

from __future__ import annotations

from apet.cost.application import costing_of, deep_recursion
from apet.cost.cost_model import Setting
from apet.formula.formula import Formula
from apet.ground.diagnostics import ApetError
from apet.model.resolve import resolve
from apet.model.terms import Model


def equation_costs(model: Model, setting: Setting | None = None) -> dict[str, Formula]:
    """The time without contention of every equation in seconds, its subscripts and formals as symbols of their names.

    An equation that has no cost is left out, and all are where the names of the model are wrong.
    """
    with deep_recursion():
        try:
            resolved = resolve(model)
        except ApetError:
            return {}
        costing = costing_of(resolved, setting or Setting())
        costs: dict[str, Formula] = {}
        for name in model.equations:
            equation = resolved.equations[name]
            arguments = tuple(costing.graph.symbol(n) for n in (*equation.subscripts, *equation.formals))
            try:
                costs[name] = Formula(costing.graph, costing.equation(equation, arguments, ()).t0)
            except (ApetError, ValueError, ZeroDivisionError):
                continue

        return costs
