"""APET: predict how long parallel programs take on machines you may not have.

In three lines::

    app = apet.compile("samples/pamela/pi.pam")
    lab = apet.load_machines("join-2005")
    apet.predict(app, lab, P=32).guaranteed
"""

from __future__ import annotations

from typing import Any

from apet.ground import notebooks

__all__ = [
    "ApetError",
    "Application",
    "Formula",
    "Interval",
    "Prediction",
    "compare",
    "compile",
    "compile_text",
    "explain",
    "extrapolate",
    "load_machines",
    "load_model",
    "predict",
    "predictor",
    "quantiles",
    "read_runs",
    "regions",
    "report_page",
    "simulate",
    "solve",
    "sweep",
]

_HOMES = {
    "ApetError": "apet.ground.diagnostics",
    "Application": "apet.cost",
    "Formula": "apet.formula",
    "Interval": "apet.ground.interval",
    "Prediction": "apet.prediction.prediction",
}
_THERE = {"report_page": "report"}
"""What is called otherwise where it is: `apet.show` is a room, and would be in the way."""


def _html(value: object) -> str | None:
    """Notebooks show values as tables, formulas and pictures; what draws them is imported when it first does."""
    from apet.page.notebook import html

    return html(value)


notebooks.drawn_by(_html)
notebooks.lists_in_notebooks()


def __getattr__(name: str) -> Any:
    """Public names, imported when first asked for: `import apet` costs nothing."""
    if name not in __all__:
        raise AttributeError(f"module 'apet' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOMES.get(name, "apet.api")), _THERE.get(name, name))
    globals()[name] = value
    return value
