"""What the verbs do before they differ: read, analyse, advise."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from apet.api.any_file import needs_no_machines
from apet.api.models import read

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from apet.cost import Application, CostModel
    from apet.ground.interval import Interval, Number
    from apet.machine import Machines

    Values = dict[str, Number | Interval]

LONGEST_ADVISED = 200_000


class Subject(NamedTuple):
    """What a verb is asked about: a cost model, and machines to put it on unless it needs none."""

    app: CostModel
    machines: Machines | None

    def processors(self, found: Sequence[int | None]) -> list[int | None]:
        """The numbers of processors asked for; where none is named, those that a model is about."""
        return [self.app.usual_processors if p is None else p for p in found]

    def values(self, given: Values, *sought: str) -> Values:
        """The values that were set, and the intervals that a model knows, but for what is asked for."""
        return {**{n: v for n, v in self.app.intervals.items() if n not in sought}, **given}


def subject(options: argparse.Namespace) -> Subject:
    """What the options of a verb name; `ApetError` with the mistakes of all files."""
    return subject_of(options, options.model, options.machines)


def subject_of(options: argparse.Namespace, path: str, machines: str | None) -> Subject:
    """A file of any kind: a model on a machine model, or a cost model that needs none."""
    from apet import api

    if not needs_no_machines(path):
        from apet.api.any_file import refuse_options

        refuse_options(path, given_options(options))
        if machines is None:
            from apet.api.errors import NoMachines
            from apet.ground.diagnostics import ApetError

            raise ApetError(NoMachines(None, None, path))
        return Subject(*application_on(path, options.entry, machines, options.branches))
    if machines is not None:
        from apet.api.errors import NeedsNoMachines
        from apet.ground.diagnostics import ApetError

        raise ApetError(NeedsNoMachines(None, None, path))
    return Subject(api.load_model(path, entry=options.entry, **given_options(options)), None)


def compiled(options: argparse.Namespace, network: str = "none") -> CostModel:
    """The formulas of a file of any kind, without machines."""
    from apet import api

    if options_machines(options) is not None:
        return subject(options).app
    given = given_options(options)
    return api.load_model(options.model, entry=options.entry, branches=options.branches, network=network, **given)


def options_machines(options: argparse.Namespace) -> str | None:
    """The machine model that was named, of verbs that take one."""
    found: str | None = getattr(options, "machines", None)
    return found


def given_options(options: argparse.Namespace) -> dict[str, str]:
    """The options that say how to make a formula of runs, queues and traces, as they are given."""
    names = ("of", "method", "kind", "curve", "metric", "platform", "hostfile")
    found = {name: getattr(options, name, None) for name in names}
    found["of"] = getattr(options, "quantity", found["of"])
    return {name: value for name, value in found.items() if value and (name, value) != ("method", "auto")}


def application_on(path: str, entry: str | None, machines: str, branches: str) -> tuple[Application, Machines]:
    """A model analysed for a machine model; `ApetError` with the mistakes of both files."""
    from apet import api
    from apet.cost import analyse
    from apet.ground.diagnostics import ApetError
    from apet.prediction import setting_of

    try:
        model = read(path, entry, _usual_level(path, machines))
    except ApetError as first:
        try:
            api.load_machines(machines)
        except ApetError as second:
            raise ApetError((*first.diagnostics, *second.diagnostics)) from None
        raise
    loaded = api.load_machines(machines)
    return analyse(model, setting_of(loaded, branches)), loaded


def _usual_level(path: str, machines: str) -> str:
    """The cost level of a program, or a task graph that names none: what the machine file has operations for."""
    if not path.lower().endswith((".pasl", ".java")):
        return "core"
    from apet import api
    from apet.ground.diagnostics import ApetError

    try:
        operations = api.load_machines(machines).operations
    except ApetError:
        return "core"  # the mistakes of the machine file are told later
    return "core" if any(name.startswith("tp_") for name in operations) else "flat"


def advise(app: CostModel) -> None:
    """Print the advice that concerns what the formulas mean; `check` prints all of it.

    A very long model is left to `check`: nobody wrote it by hand.
    """
    from apet.cost import Application

    if not isinstance(app, Application) or len(app.source.text) > LONGEST_ADVISED:
        return
    from apet.cli.output import complain
    from apet.ground.diagnostics import render
    from apet.model.lints import mixed_separators, opposite_nesting

    for found in (*mixed_separators(app.model), *opposite_nesting(app.model, app.processors)):
        complain(render(found))


def branches_matter(app: CostModel) -> bool:
    """Whether the model branches at all."""
    from apet.cost import Application
    from apet.model.lints import processes
    from apet.model.terms import Branch

    return isinstance(app, Application) and any(isinstance(p, Branch) for p in processes(app.model))
