"""From a model to formulas, and from formulas to answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from apet.analysis.application import Application, Resource, analyse, deep_recursion
    from apet.analysis.costs import Setting

__all__ = ["Application", "Resource", "Setting", "analyse", "deep_recursion"]


def __getattr__(name: str) -> Any:
    """Imported when first asked for: data for queues, runs and traces needs no formulas."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from apet.analysis import application, costs

    value = costs.Setting if name == "Setting" else getattr(application, name)
    globals()[name] = value
    return value
