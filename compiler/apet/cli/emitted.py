"""A fitted formula in the notation of `--emit`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from apet.formula.formula import Formula

WRITERS: dict[str, Callable[[Formula], str]] = {
    "formula": lambda fit: fit.text(),
    "latex": lambda fit: fit.latex(),
    "mathml": lambda fit: fit.mathml(),
    "sympy": lambda fit: fit.srepr(),
    "python": lambda fit: fit.python("seconds"),
    "json": lambda fit: json.dumps(fit.json(), indent=1),
}
FORMS = tuple(WRITERS)


def emitted(fit: Formula, form: str) -> str:
    """The text of a formula."""
    return WRITERS[form](fit)
