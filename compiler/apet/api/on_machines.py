"""A model and the machines to put it on, from the names of their files: what most questions begin with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apet.api.any_file import load_model, needs_no_machines, refuse_options
from apet.api.errors import NeedsNoMachines, NoMachines
from apet.api.models import is_program, load_machines, read
from apet.api.programs import usual_level, with_library_times
from apet.api.tables import Table
from apet.cost import Application, CostModel, analyse
from apet.ground.diagnostics import ApetError
from apet.machine import Machines
from apet.machine.plain import plain_machines
from apet.prediction import setting_of

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
    cores: int = 0,
    profiled: bool = False,
) -> Subject:
    """A model for a machine model, or what needs none; `reading` are options of runs, queues and traces. A program that
    is going to be `profiled` gets its times of library calls by the run first.

    Without a machine model, a model without operations and messages is put on so many cores, if any.

    Raises `ApetError` with the mistakes of both files, and where a machine model is missing or not needed.
    """
    reading = reading or {}
    if not needs_no_machines(path):
        refuse_options(path, reading)
        if machines is None:
            app = analyse(read(path, entry, tables=tables))  # what is wrong with the model comes first
            if cores and not app.operations:
                return app.under(setting_of(plain_machines(cores), branches)), plain_machines(cores)
            raise ApetError(NoMachines(None, None, path))
        return load_application(
            path, machines, entry=entry, branches=branches, tables=tables, library_times=not profiled
        )

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
    library_times: bool = True,
) -> tuple[Application, Machines]:
    """A model analysed for a machine model, with `library_times` also by the source of a JDK; `ApetError` with the
    errors of both files."""
    try:
        model = read(path, entry, _level_for(path, machines), tables)
    except ApetError as first:
        try:
            load_machines(machines)
        except ApetError as second:
            raise ApetError((*first.diagnostics, *second.diagnostics)) from None
        raise

    loaded = load_machines(machines)
    app = analyse(model, setting_of(loaded, branches))
    return app, with_library_times(loaded, app) if library_times and is_program(path) else loaded


def _level_for(path: str, machines: str) -> str:
    """The cost level of a program, or a task graph that names none: what the machine file has operations for."""
    if not is_program(path):
        return "core"

    try:
        return usual_level(load_machines(machines))
    except ApetError:
        return "core"  # the errors of the machine file are reported later
