"""What the verbs do before they differ: read, analyse, advise."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from typing import Any

from apet import api
from apet.api.arguments import other_units
from apet.api.kinds import JOBS, kind_of
from apet.api.on_machines import Subject, load_subject
from apet.cli import arguments, conditions, output
from apet.cli.errors import WrongCall, bad_option
from apet.cost import Application, Chance, CostModel
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError, render
from apet.ground.interval import Interval, Number
from apet.ground.resources import located
from apet.machine import Machines
from apet.machine.operation_classes import class_times, completed
from apet.model.lints import mixed_separators, opposite_nesting, zero_based
from apet.prediction.errors import AssumedTimes, ExampleOfProcessors
from apet.prediction.processor_count import declared_count, tied
from apet.trials.languages import is_source

JOB_CHANGE = re.compile(r"(?:allocation|partitions|skew)\.\w+\s*=")
LONGEST_ADVISED = 200_000
MOST_ASSUMED = 6


def load_target(options: argparse.Namespace) -> Subject:
    """What the options of a verb name; `ApetError` with the mistakes of all files."""
    subject = target_of(options, options.model, options.machines, arguments.cores_needed(options))
    if not getattr(options, "profile", False):  # a run may time them
        advise_of_classes(options.model, *subject)
    if options.machines is not None and getattr(options, "processors", 0) is None and "deadline" not in options:
        _advise_of_default(*subject)
    if options.machines is None and subject[1] is not None:
        options.machines = subject[1].file  # what is said of the call names the cores
    return subject


def target_of(options: argparse.Namespace, path: str, machines: str | None, cores: int) -> Subject:
    """A file of any kind: a model on a machine model or on so many cores, or a cost model that needs none."""
    reading = source_options(options) | changes(options, path)
    tables = arguments.table_settings(options)
    form = {"entry": options.entry, "branches": options.branches}
    with Activity(f"compiling {path}"):
        values = arguments.parsed_settings(getattr(options, "settings", []))
        subject = load_subject(path, machines, **form, reading=reading, tables=tables, cores=cores, values=values)
        subject = held(options, path, subject[0], values), subject[1]
    if getattr(options, "processors", None) is not None and not subject[0].counts_processors:
        raise ApetError(WrongCall(None, None, f"-P has no effect: {subject[0].name} has no processors", "leave it out"))
    _refuse_other_units(subject[0], getattr(options, "settings", ()))
    return subject


def held(options: argparse.Namespace, path: str, app: CostModel, values: Mapping[str, Number | Interval]) -> CostModel:
    """The model of a source with what is too great or too small for its type at these values as its language has it;
    any other as it is."""
    if not is_source(path) or not isinstance(app, Application):
        return app
    from apet.java.task_values import held_text  # loads the package of Java

    text = held_text(path, app.source.text, False, values)
    return app if text == app.source.text else api.compile_text(text, app.name, branches=options.branches)


def _advise_of_default(app: CostModel, machines: Machines | None) -> None:
    """Print that the number of processors in the model is an example, where all of the machines are used instead."""
    count = declared_count(app, {}, plain=True)
    if machines is not None and count not in (None, machines.processors) and tied(app) is None:
        output.advise(render(ExampleOfProcessors(None, None, app.name, str(count), machines.processors)))


def _refuse_other_units(app: CostModel, settings: Sequence[str]) -> None:
    """`ApetError` where a parameter whose value in the model is a time is set to a size, and the like."""
    mistakes = []
    for text in settings:
        name, _, value = (part.strip() for part in text.partition("="))
        mistakes += [bad_option("--set", text, reason) for reason in other_units(app, name, value)]
    if mistakes:
        raise ApetError(mistakes)


def compiled(options: argparse.Namespace, network: str = "none") -> CostModel:
    """The formulas of a file of any kind, without machines."""
    if options_machines(options) is not None:
        return load_target(options)[0]
    reading = source_options(options) | changes(options, options.model)
    tables = arguments.table_settings(options)
    form = {"entry": options.entry, "branches": options.branches, "network": network}
    with Activity(f"compiling {options.model}"):
        return api.load_model(options.model, **form, tables=tables, **reading)


def options_machines(options: argparse.Namespace) -> str | None:
    """The machine model that was named, of verbs that take one."""
    machines: str | None = getattr(options, "machines", None)
    return machines


def source_options(options: argparse.Namespace) -> dict[str, Any]:
    """The options that say how to make a formula of runs, queues and traces, as they are given."""
    names = ("of", "method", "kind", "curve", "metric", "platform", "hostfile")
    values: dict[str, Any] = {name: getattr(options, name, None) for name in names}
    values["parameters"] = tuple(n.strip() for n in getattr(options, "parameters", "").split(",") if n.strip())
    values["where"] = conditions.parsed_conditions(getattr(options, "where", ()))
    values["of"] = getattr(options, "quantity", values["of"])
    return {name: value for name, value in values.items() if value and (name, value) != ("method", "auto")}


def changes(options: argparse.Namespace, path: str) -> dict[str, Any]:
    """What `--set` changes of the tasks of a job log, as an option of its reader. These are no parameters of formulas,
    and are taken out of the settings."""
    texts = [text for text in getattr(options, "settings", ()) if JOB_CHANGE.match(text.strip())]
    if texts and kind_of(located(path)) == JOBS:
        from apet.cli.jobs import single

        options.settings = [text for text in options.settings if text not in texts]
        values = arguments.parsed_settings(texts)
        options.changes_of_job = {name: single(name, value) for name, value in values.items()}
    changed = getattr(options, "changes_of_job", None)
    return {"changes": changed} if changed else {}


def advise(app: CostModel) -> None:
    """Print the advice that concerns what the formulas mean; `check` prints all of it.

    A very long model is left to `check`: nobody wrote it by hand.
    """
    if not isinstance(app, Application) or len(app.source.text) > LONGEST_ADVISED:
        return

    for warning in (*mixed_separators(app.model), *opposite_nesting(app.resolved), *zero_based(app.resolved)):
        output.advise(render(warning))


def advise_of_classes(path: str, app: CostModel, machines: Machines | None) -> None:
    """Print which operations have no time of their own, but that of a class."""
    if machines is None:
        return
    assumed = class_times(completed(machines, app.operations))
    if assumed:
        output.advise(render(AssumedTimes(None, None, machines.file, *_counted(assumed), next(iter(assumed)))))


def _counted(operations: Mapping[str, str]) -> tuple[str, str]:
    """The first of some operations, and how many there are."""
    names = ", ".join(list(operations)[:MOST_ASSUMED]) + (", …" if len(operations) > MOST_ASSUMED else "")
    return names, f"{len(operations)} time" + ("s are" if len(operations) > 1 else " is")


def branches_matter(app: CostModel) -> bool:
    """Whether the model has branches that are not decided by comparisons."""
    return isinstance(app, Application) and app.chance != Chance.NONE
