"""The text of a model that is swept."""

from __future__ import annotations

from dataclasses import dataclass

FORMULAS = "closed"
"""In place of an equation's name: the text is that of a cost model without a process."""


@dataclass(frozen=True)
class ModelText:
    """A model as its text, its file's name, the equation to begin with, and the path that errors name."""

    name: str
    text: str
    entry: str
    path: str
