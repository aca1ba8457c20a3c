"""What the verbs do before they differ: read, analyse, advise."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

from apet import api
from apet.api.any_file import needs_no_machines, refuse_options
from apet.api.errors import NeedsNoMachines, NoMachines
from apet.api.models import read
from apet.cli.output import warn
from apet.cost import Application, CostModel, analyse
from apet.ground.diagnostics import ApetError, render
from apet.ground.interval import Interval, Number
from apet.machine import Machines
from apet.model.lints import mixed_separators, opposite_nesting, processes
from apet.model.terms import Branch
from apet.prediction import setting_of

Values = dict[str, Number | Interval]

LONGEST_ADVISED = 200_000


class Target(NamedTuple):
    """What a verb is asked about: a cost model, and machines to put it on unless it needs none."""

    app: CostModel
    machines: Machines | None

    def processors(self, numbers: Sequence[int | None]) -> list[int | None]:
        """The numbers of processors asked for; where none is named, those that a model is about."""
        return [self.app.usual_processors if p is None else p for p in numbers]

    def values(self, settings: Values, *sought: str) -> Values:
        """The values that were set, and the intervals that a model knows, but for what is asked for."""
        return {**{n: v for n, v in self.app.intervals.items() if n not in sought}, **settings}


def load_target(options: argparse.Namespace) -> Target:
    """What the options of a verb name; `ApetError` with the mistakes of all files."""
    return target_of(options, options.model, options.machines)


def target_of(options: argparse.Namespace, path: str, machines: str | None) -> Target:
    """A file of any kind: a model on a machine model, or a cost model that needs none."""
    if not needs_no_machines(path):
        refuse_options(path, source_options(options))
        if machines is None:
            raise ApetError(NoMachines(None, None, path))
        return Target(*application_on(path, options.entry, machines, options.branches))
    if machines is not None:
        raise ApetError(NeedsNoMachines(None, None, path))
    return Target(api.load_model(path, entry=options.entry, **source_options(options)), None)


def compiled(options: argparse.Namespace, network: str = "none") -> CostModel:
    """The formulas of a file of any kind, without machines."""
    if options_machines(options) is not None:
        return load_target(options).app
    reading = source_options(options)
    return api.load_model(options.model, entry=options.entry, branches=options.branches, network=network, **reading)


def options_machines(options: argparse.Namespace) -> str | None:
    """The machine model that was named, of verbs that take one."""
    machines: str | None = getattr(options, "machines", None)
    return machines


def source_options(options: argparse.Namespace) -> dict[str, str]:
    """The options that say how to make a formula of runs, queues and traces, as they are given."""
    names = ("of", "method", "kind", "curve", "metric", "platform", "hostfile")
    values = {name: getattr(options, name, None) for name in names}
    values["of"] = getattr(options, "quantity", values["of"])
    return {name: value for name, value in values.items() if value and (name, value) != ("method", "auto")}


def application_on(path: str, entry: str | None, machines: str, branches: str) -> tuple[Application, Machines]:
    """A model analysed for a machine model; `ApetError` with the mistakes of both files."""
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

    try:
        operations = api.load_machines(machines).operations
    except ApetError:
        return "core"  # the mistakes of the machine file are told later
    return "core" if any(name.startswith("tp_") for name in operations) else "flat"


def advise(app: CostModel) -> None:
    """Print the advice that concerns what the formulas mean; `check` prints all of it.

    A very long model is left to `check`: nobody wrote it by hand.
    """
    if not isinstance(app, Application) or len(app.source.text) > LONGEST_ADVISED:
        return

    for warning in (*mixed_separators(app.model), *opposite_nesting(app.model, app.processors)):
        warn(render(warning))


def branches_matter(app: CostModel) -> bool:
    """Whether the model branches at all."""
    return isinstance(app, Application) and any(isinstance(p, Branch) for p in processes(app.model))
