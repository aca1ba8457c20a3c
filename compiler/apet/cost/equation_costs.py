"""What the single equations of a model cost, each with values of its own."""

from __future__ import annotations

from apet.cost.application import costing_of, deep_recursion
from apet.cost.cost_model import Setting
from apet.cost.integers import whole_parameters
from apet.formula.formula import Formula
from apet.ground.diagnostics import ApetError
from apet.model.check import check
from apet.model.terms import Model


def equation_costs(model: Model, setting: Setting | None = None) -> dict[str, Formula]:
    """The time without contention of every equation in seconds, its subscripts and formals as symbols of their names.

    An equation that has no cost is left out, and all are where the names of the model are wrong.
    """
    with deep_recursion():
        checked = check(model)
        if any(diagnostic.severity == "error" for diagnostic in checked.diagnostics):
            return {}
        costing = costing_of(model, setting or Setting(), checked.processors, whole_parameters(model))
        costs: dict[str, Formula] = {}
        for name, equation in model.equations.items():
            arguments = tuple(costing.graph.symbol(n) for n in (*equation.subscripts, *equation.formals))
            try:
                costs[name] = Formula(costing.graph, costing.equation(equation, arguments, ()).t0)
            except (ApetError, ValueError, ZeroDivisionError):
                continue

        return costs
