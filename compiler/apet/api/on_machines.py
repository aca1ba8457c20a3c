"""A model and the machines to put it on, from the names of their files: what most questions begin with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apet.api.any_file import load_model, needs_no_machines, refuse_options
from apet.api.errors import NeedsNoMachines, no_machines
from apet.api.models import load_machines, read
from apet.cost import Application, CostModel, analyse
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Interval, Number
from apet.java.task_values import usual_level
from apet.machine import Machines
from apet.machine.plain import plain_machines
from apet.model.given_tables import Table
from apet.prediction import setting_of
from apet.prediction.processor_count import declared_count
from apet.trials.languages import is_program

Subject = tuple[CostModel, Machines | None]
"""What a question is about: a cost model, and machines to put it on unless it needs none."""


def load_subject(
    path: str,
    machines: str | None,
    *,
    entry: str | None = None,
    branches: str = "probability",
    reading: dict[str, Any] | None = None,
    tables: Mapping[str, Table] | None = None,
    cores: int | None = None,
    values: Mapping[str, Number | Interval] = {},
) -> Subject:
    """A model for a machine model, or what needs none; `reading` are options of runs, queues and traces.

    Without a machine model, a model without operations and messages is put on so many `cores`; 0 for as many as the
    model declares for these values, else one; None refuses it.

    Raises `ApetError` with the mistakes of both files, and where a machine model is missing or not needed.
    """
    reading = reading or {}
    if not needs_no_machines(path):
        refuse_options(path, reading)
        if machines is None:
            app = analyse(read(path, entry, tables=tables))  # what is wrong with the model comes first
            if not app.operations and cores is not None:
                machines_in_call = plain_machines(cores or declared_count(app, values, plain=True) or 1)
                return app.under(setting_of(machines_in_call, branches)), machines_in_call
            raise ApetError(no_machines(path, app.operations))
        return load_application(path, machines, entry=entry, branches=branches, tables=tables)

    if machines is not None:
        raise ApetError(NeedsNoMachines(None, None, path))
    return load_model(path, entry=entry, tables=tables, **reading), None


def load_application(
    path: str,
    machines: str,
    *,
    entry: str | None = None,
    branches: str = "probability",
    tables: Mapping[str, Table] | None = None,
) -> tuple[Application, Machines]:
    """A model analysed for a machine model; `ApetError` with the errors of both files. A program, or a task graph that
    names none, has the cost level that the machine file has operations for."""
    loaded, wrong = None, tuple[Diagnostic, ...]()
    try:
        loaded = load_machines(machines)
    except ApetError as error:
        wrong = tuple(error.diagnostics)
    try:
        model = read(path, entry, usual_level(loaded) if loaded and is_program(path) else "core", tables)
    except ApetError as error:
        raise ApetError((*error.diagnostics, *wrong)) from None
    if loaded is None:
        raise ApetError(wrong)

    return analyse(model, setting_of(loaded, branches)), loaded
