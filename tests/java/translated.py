"""Translations that several test files look at."""

from __future__ import annotations

import apet
from apet.ground.source import Source
from apet.java import translate
from apet.model.terms import Invoke
from apet.model.walk import processes


def flat(text: str, entry: str | None = None) -> str:
    """The model of a text at flat level."""
    return translate(Source("T.java", text), entry, "flat").text


def invoked(model: str) -> set[str]:
    """The operations and equations that a model invokes."""
    return {p.name for p in processes(apet.compile_text(model).model) if isinstance(p, Invoke)}
