"""Models, machines and platforms: reading, compiling, translating. It knows which language a file is in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from apet.api.arguments import BRANCHES, TOPOLOGIES, one_of
from apet.api.errors import NoTables
from apet.ground.diagnostics import ApetError
from apet.ground.resources import located
from apet.trials.languages import front_end, is_c, is_program, is_source, is_task_graph

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apet.cost import Application
    from apet.java import Translation
    from apet.machine import Machines
    from apet.machine.fitted import FitReference, FittedTime
    from apet.model.given_tables import Table
    from apet.model.terms import Model
    from apet.pasl import Outcome
    from apet.traces.platform.platform import Platform

Path = str | os.PathLike[str]


def read(
    path: Path, entry: str | None = None, usual_level: str = "core", tables: Mapping[str, Table] | None = None
) -> Model:
    """The model in a file, or in a shipped sample of that name; `ApetError` with every mistake.

    `tables` take the place of those of the model.
    Of a Java task, whose `entry` is a method, that at the usual level; of a task graph that at its own, if any.
    """
    place = located(path)
    if tables and is_program(place):
        raise ApetError([NoTables(None, None, os.fspath(path), name) for name in tables])
    if is_source(place):
        from apet.ground.source import Source
        from apet.ground.source_files import read_source
        from apet.model.pamela import parse

        source = read_source(place)
        text = front_end(place)(source, entry, usual_level).text
        return parse(Source(f"{source.name} (translated)", text), None)
    if is_task_graph(place):
        from apet import java
        from apet.pasl import read_model as read_graph

        return read_graph(place, java.translate_resolved, entry, usual_level)
    from apet.model.given_tables import declarations_of
    from apet.model.pamela import read_model

    return read_model(place, entry, declarations_of(tables))


def compile(
    path: Path,
    *,
    entry: str | None = None,
    branches: str = "probability",
    network: str = "none",
    tables: Mapping[str, Table] | None = None,
) -> Application:
    """Compile a PAMELA-E file to formulas.

    `entry` overrides the equation to begin with; `branches` is "probability", "average", "best" or "worst"; `network`
    the topology to assume without a machine model, "bus", "switch" or "none". `tables` take the place of those of the
    model: numbers, or the name of a CSV or TOML file. Raises `ApetError` with every mistake.
    """
    return _analysed(read(path, entry, tables=tables), branches, network)


def compile_text(
    text: str, name: str = "<text>", *, entry: str | None = None, branches: str = "probability", network: str = "none"
) -> Application:
    """Compile a PAMELA-E text; otherwise as `compile`."""
    from apet.ground.source import Source
    from apet.model.pamela import parse

    return _analysed(parse(Source(name, text), entry), branches, network)


def _analysed(model: Model, branches: str, network: str) -> Application:
    from apet.cost import Setting, analyse

    return analyse(model, Setting(one_of("branches", branches, BRANCHES), one_of("network", network, TOPOLOGIES)))


def translate(
    path: Path,
    *,
    entry: str | None = None,
    level: str = "",
    parser: str = "auto",
    source_path: Sequence[str] = (),
    resolved: bool = True,
) -> Translation | Outcome:
    """The PAMELA-E model of a PASL file, or of a Java or C task from `entry` (a method or function; else main or run).

    `level` is "core" (usual, unless a PASL file names one) or "flat" (as published), `parser` "auto", "javalang" or
    "tree-sitter". Java classes are looked for beside the file and in the folders of `source_path`; with `resolved`,
    javac is asked for what sources leave open, where there is a JDK. Raises `ApetError`.
    """
    from apet import java
    from apet.ground.source_files import read_source
    from apet.ground.values import NotAllowed

    for what, value, allowed in (("level", level, ("", *java.LEVELS)), ("parser", parser, java.PARSERS)):
        if value not in allowed:
            raise ApetError(NotAllowed(None, None, what, value, ", ".join(a for a in allowed if a)))

    source = read_source(located(path))
    if is_task_graph(path):
        from apet import pasl

        return pasl.translate(source, java.translate, level)
    if is_c(path):
        return front_end(path)(source, entry, level or "core")
    return java.translate(source, entry, level or "core", parser, source_path, resolved)


def load_machines(name: Path) -> Machines:
    """A machine model: a TOML file, the name of a shipped one (`"join-2005"`), or "this" for the machine at hand.

    The last is measured where the user's cache has no file that holds: about ten seconds. `ApetError` with every
    error.
    """
    from apet.machine import load_machines as load

    if os.fspath(name) == "this":
        from apet.java.measure.this_machine import is_this, this_machine

        if is_this(name):
            return load(this_machine())
    return load(name, _fit)


def read_platform(path: Path, hostfile: Path | None = None, trace: Path | None = None) -> tuple[Platform, list[int]]:
    """A platform (SimGrid's XML, or a machine file in TOML) and the hosts of ranks in turn: those of a host file, or
    all; of a trace of processes that are several ranks each, one for each process. `ApetError`."""
    from apet.traces.front import processes_of
    from apet.traces.lines.actions import MOST_RANKS
    from apet.traces.platform import read_hostfile
    from apet.traces.platform import read_platform as read_simgrid

    if os.fspath(path).endswith(".toml"):
        from apet.traces.platform.machine_file import platform_of

        platform = platform_of(load_machines(path))
    else:
        platform = read_simgrid(located(path))
    hosts = list(range(len(platform.hosts))) if hostfile is None else read_hostfile(located(hostfile), platform)
    processes = 0 if trace is None else min(processes_of(trace), MOST_RANKS)
    # where there are fewer hosts, all ranks of a process are still on one
    return platform, [hosts[p % len(hosts)] for p in range(processes)] if processes and hosts else hosts


def _fit(reference: FitReference) -> FittedTime:
    """The time of an operation by its arguments, from runs over sizes; `ApetError` with every error of the runs."""
    from apet.runs.cost_model import fitted_time
    from apet.runs.read import read_experiment, read_runs
    from apet.runs.surface_grid import fitted_surface

    name, where = os.path.basename(os.fspath(reference.path)), dict(reference.where)
    if len(reference.parameters) > 1:
        of = read_experiment(
            reference.path, parameters=reference.parameters, conditions=where, metric=reference.metric
        ).experiment
        return fitted_surface(name, of, reference.parameters)
    curve = read_runs(reference.path, curve=reference.curve, metric=reference.metric, where=where).curve
    return fitted_time(name, curve._replace(kind="size"), reference.method)
