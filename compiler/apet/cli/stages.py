"""What the verbs do before they differ: read, analyse, advise."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apet.analysis import Application
    from apet.machine import Machines

LONGEST_ADVISED = 200_000


def application_on(path: str, entry: str | None, machines: str, branches: str) -> tuple[Application, Machines]:
    """A model analysed for a machine model; `ApetError` with the mistakes of both files."""
    from apet import driver
    from apet.analysis import analyse
    from apet.backends.bounds import setting_of
    from apet.diagnostics import ApetError

    try:
        model = driver.read(path, entry, _usual_level(path, machines))
    except ApetError as first:
        try:
            driver.load_machines(machines)
        except ApetError as second:
            raise ApetError((*first.diagnostics, *second.diagnostics)) from None
        raise
    loaded = driver.load_machines(machines)
    return analyse(model, setting_of(loaded, branches)), loaded


def _usual_level(path: str, machines: str) -> str:
    """The cost level of a task graph that names none: what the machine file has operations for."""
    if not path.lower().endswith(".pasl"):
        return "core"
    from apet import driver
    from apet.diagnostics import ApetError

    try:
        operations = driver.load_machines(machines).operations
    except ApetError:
        return "core"  # the mistakes of the machine file are told later
    return "core" if any(name.startswith("tp_") for name in operations) else "flat"


def advise(app: Application) -> None:
    """Print the advice that concerns what the formulas mean; `check` prints all of it.

    A very long model is left to `check`: nobody wrote it by hand.
    """
    if len(app.model.source.text) > LONGEST_ADVISED:
        return
    from apet.cli.output import complain
    from apet.diagnostics import render
    from apet.model.lints import mixed_separators, opposite_nesting

    for found in (*mixed_separators(app.model), *opposite_nesting(app.model, app.processors)):
        complain(render(found))


def branches_matter(app: Application) -> bool:
    """Whether the model branches at all."""
    from apet.model.lints import processes
    from apet.model.terms import Branch

    return any(isinstance(p, Branch) for p in processes(app.model))
