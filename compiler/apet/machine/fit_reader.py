"""Reads `{ fit = "runs.json" }`: the time of an operation by its argument, from measured runs."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from apet.ground.diagnostics import ApetError
from apet.machine.fitted import FitReference, FittedTime

if TYPE_CHECKING:
    from apet.machine.reader import Table

KEYS = ("fit", "method", "curve", "metric", "note")


def is_fit(value: Any) -> bool:
    """Whether the value of an operation names runs."""
    return isinstance(value, dict) and "fit" in value


def fits_of(machine: Table) -> dict[str, FittedTime]:
    """The fitted operations of a machine; what is wrong with them, and with their runs, is noted."""
    found = {}
    operations = machine.content.get("op_s")
    for name, value in operations.items() if isinstance(operations, dict) else ():
        if is_fit(value):
            from apet.machine.reader import Table

            time = _fit(Table(value, (*machine.path, "op_s", name), machine.notes))
            if time is not None:
                found[name] = time
    return found


def _fit(table: Table) -> FittedTime | None:
    table.allow(KEYS)
    notes = table.notes
    path = table.text("fit")
    method, curve, metric = (table.text(key) for key in ("method", "curve", "metric"))
    if not path or notes.fit is None:
        if not path and isinstance(table.content["fit"], str):
            notes.wrong_type(table.at("fit"), "the name of a file of runs", table.content["fit"])
        return None
    beside = os.path.join(os.path.dirname(notes.source.name), path)
    where = path if re.match(r"[/\\]|[A-Za-z]:", path) or not os.path.exists(beside) else beside
    reference = FitReference(where, method or "auto", curve or None, metric or None)
    try:
        return notes.fit(reference)
    except ApetError as error:
        notes.found += error.diagnostics
        return None
