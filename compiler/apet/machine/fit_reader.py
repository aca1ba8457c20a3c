"""Reads `{ fit = "runs.json" }`: the time of an operation by its arguments, from measured runs."""

from __future__ import annotations

import os
import re
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.ground.documents.table import Table
from apet.machine.fitted import Fit, FitReference, FittedTime

KEYS = ("fit", "method", "curve", "metric", "parameters", "where", "note")


def is_fit(value: Any) -> bool:
    """Whether the value of an operation names runs."""
    return isinstance(value, dict) and "fit" in value


def fits_of(machine: Table, fit: Fit | None) -> dict[str, FittedTime]:
    """The fitted operations of a machine; what is wrong with them, and with their runs, is noted."""
    times = {}
    key = machine.spelled("op_s")
    operations = machine.content.get(key)
    for name, value in operations.items() if isinstance(operations, dict) else ():
        if is_fit(value):
            time = _fit(Table(value, (*machine.path, key, name), machine.notes), fit)
            if time is not None:
                times[name] = time
    return times


def _fit(table: Table, fit: Fit | None) -> FittedTime | None:
    table.allow(KEYS)
    notes = table.notes
    path = table.text("fit")
    method, curve, metric = (table.text(key) for key in ("method", "curve", "metric"))
    parameters, conditions = _texts(table, "parameters"), table.table("where")
    _refuse_idle(table, parameters)
    if not path or fit is None:
        if not path and isinstance(table.content["fit"], str):
            notes.wrong_type(table.at("fit"), "the name of a file of runs", table.content["fit"])
        return None

    beside = os.path.join(os.path.dirname(notes.source.name), path)
    where = path if re.match(r"[/\\]|[A-Za-z]:", path) or not os.path.exists(beside) else beside
    fixed = () if conditions is None else tuple((name, str(v)) for name, v in conditions.content.items())
    reference = FitReference(where, method or "auto", curve or None, metric or None, parameters, fixed)
    try:
        return fit(reference)
    except ApetError as error:
        notes.diagnostics += error.diagnostics
        return None


def _refuse_idle(table: Table, parameters: tuple[str, ...]) -> None:
    """Note the keys that a fit over one size, or over several parameters, does not use."""
    if len(parameters) == 1:
        reason = "the names of two parameters or more (without it, the time is one over sizes)"
        table.notes.wrong_type(table.at("parameters"), reason, table.content["parameters"])
    for key in ("method", "curve"):
        if len(parameters) > 1 and key in table:
            table.notes.wrong_type(table.at(key), "left out: it has no effect with parameters", table.content[key])


def _texts(table: Table, key: str) -> tuple[str, ...]:
    """A list of names; empty where there is none."""
    value = table.content.get(key, [])
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        return tuple(value)
    table.notes.wrong_type(table.at(key), 'a list of names, ["n", "m"]', value)
    return ()
