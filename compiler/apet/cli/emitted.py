"""A fitted formula in the notation of `--emit`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apet.formula.formula import Formula

FORMS = ("formula", "latex", "mathml", "sympy", "python", "json")


def emitted(fit: Formula, form: str) -> str:
    """The text of a formula."""
    match form:
        case "latex":
            return fit.latex()
        case "mathml":
            return fit.mathml()
        case "sympy":
            return str(fit.sympy())
        case "python":
            return fit.python("seconds")
        case "json":
            return json.dumps(fit.json(), indent=1)
        case _:
            return fit.text()
