"""APET: predict how long parallel programs take on machines you may not have.

In three lines::

    app = apet.compile("samples/pamela/pi.pam")
    lab = apet.load_machines("join-2005")
    apet.predict(app, lab, P=32).guaranteed

The public names are those of `apet.api`, listed in its stub `api/__init__.pyi`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from apet.ground import notebooks


def _html(value: object) -> str | None:
    """Notebooks show values as tables, formulas and pictures; what draws them is imported when it first does."""
    from apet.page.notebook import html

    return html(value)


notebooks.drawn_by(_html)
notebooks.lists_in_notebooks()


def __getattr__(name: str) -> Any:
    """Public names, imported when first asked for: `import apet` costs nothing."""
    if name.startswith("_") and name != "__all__":
        raise AttributeError(f"module 'apet' has no attribute {name!r}")

    api = import_module("apet.api")
    if name != "__all__" and name not in api.__all__:
        raise AttributeError(f"module 'apet' has no attribute {name!r}")
    value = globals()[name] = getattr(api, name)
    return value


def __dir__() -> list[str]:
    return dir(import_module("apet.api"))
