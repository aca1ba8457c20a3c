"""From a model to formulas: the time without contention T0, the load T[r] of each resource, lower and upper bound.

In: a checked `Model`. Out: an `Application` with all costs in one formula graph; it is a `CostModel`, the type that
fits, networks and traces hand over as well (`cost_model`).
Start at `costing` (one walk over the process finds everything), then `composition` (what `;`, `||`, `if` and loops
make of the costs of their parts, with the argument for the bounds) and `cost` (the costs of a process).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apet.cost.application import Application, analyse, deep_recursion
    from apet.cost.cost import Chance
    from apet.cost.cost_model import CostModel, Resource, Setting

__all__ = ["Application", "Chance", "CostModel", "Resource", "Setting", "analyse", "deep_recursion"]


def __getattr__(name: str) -> Any:
    """Imported when first asked for: data for queues, runs and traces needs no formulas."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from apet.cost import application, cost

    value = getattr(cost if name == "Chance" else application, name)
    globals()[name] = value
    return value
