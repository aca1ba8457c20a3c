"""How values show themselves in notebooks, though the room that draws lies above them.

Values call `html`; whoever imports `apet` has named the function that draws.
"""

from __future__ import annotations

from collections.abc import Callable

Draw = Callable[[object], str | None]


def nothing(value: object) -> None:
    """What draws where `apet` was not imported as a whole."""


draw: Draw = nothing


def html(value: object) -> str | None:
    """HTML of a value, everything in it escaped; None where nothing draws it, and a notebook shows its `repr`."""
    return draw(value)


def drawn_by(function: Draw) -> None:
    """Let a function draw all values."""
    global draw
    draw = function


def lists_in_notebooks() -> None:
    """In a running IPython, let lists that `draw` knows be shown as one table; other lists stay as they are."""
    import sys

    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return
    formatter = shell.display_formatter.formatters["text/html"]
    if list not in formatter.type_printers:
        formatter.for_type(list, html)
