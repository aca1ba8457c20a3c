"""`apet validate`: predicted and measured times."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence

from apet import api
from apet.c.errors import CPlusPlus
from apet.cli import arguments, output, pictures
from apet.cli.errors import NotForThisFile, UnknownEnding, WrongCall
from apet.cli.java_runs import validated
from apet.ground import activity, host
from apet.ground.diagnostics import ApetError, render
from apet.ground.notation import count, duration
from apet.java.errors import AllKernelsFailed, NeedsSizes
from apet.java.profile.one_run import NEARBY
from apet.java.validate.page import validation_page
from apet.java.validate.plans import PlannedRun, read_plan
from apet.java.validate.points import Point, Trial
from apet.java.validate.report import (
    trials_figure,
    trials_json,
    trials_text,
    validation_figure,
    validation_json,
    validation_text,
)
from apet.java.validate.running import RunEffort
from apet.java.validate.validation import KernelMeasurements
from apet.machine import Machines
from apet.trials.languages import is_c
from apet.trials.validation import RunOptions, run_applications

DESCRIPTION = """Run programs on this machine, predict them from their source and a machine file, and show both. Of a
FILE.c the functions that --sizes names are called, with each size as their first whole number, --set the others. A
KERNEL.java has a class `extends Kernel` with setup(int n) and double run(); only run() is timed, as warm CPU time of
its thread in several JVMs, with counts of a run at the same size. An APP.pasl is run as a whole: a coordinator and
workers, each a pinned JVM, joined by sockets. A PLAN.toml lists applications and their variants."""
LEVELS = ("core", "flat")
MODES = ("C2", "C1", "Xint")
SCHEDULES = ("static", "join", "both")
OF_KERNELS = (("--sizes", "sizes"),)
OF_JAVA = (("--mode", "mode"), ("--profile", "profile"), ("--calibrate-at", "calibrate_at"), ("--page", "page"))
OF_GRAPHS = (("-P", "processors"), ("--schedule", "schedule"))
"""Options that only kernels have a use for, or only task graphs; `--set` is for functions of C, too."""
KERNEL_FORKS, APPLICATION_FORKS = "5", "2"
BUSY = 2
"""Processes that want to run, for each core, beyond which messages are expected to wait for processors."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    text = "kernels (.java), functions (.c), task graphs (.pasl), lists of applications (.toml)"
    parser.add_argument("files", metavar="FILE", nargs="+", help=text)
    parser.add_argument("--sizes", metavar="S.json", help='of kernels: sizes by class: {"axpy": [1000, 200000]}')
    arguments.machines(parser)
    text = "of task graphs: numbers of workers, more than there are cores included (default: 1,2)"
    parser.add_argument("-P", "--processors", metavar="N", help=text)
    text = "of task graphs: tasks dealt beforehand (static), half so (join), or each way (both)"
    parser.add_argument("--schedule", choices=SCHEDULES, help=text)
    arguments.setting(parser)

    text = "core: loops as a compiled program runs them (default); flat: counts of operations, as published"
    parser.add_argument("--level", choices=LEVELS, help=f"{text} (the default for Xint)")
    parser.add_argument("--mode", choices=MODES, help="how the JVM runs (default: as the machine file was measured)")
    text = "count mispredictions with a simulated predictor; of task graphs, rounds and branches too"
    parser.add_argument("--profile", action="store_true", help=text)
    text = "scale predictions by runs of this size (smallest: the least of each kernel; near: a quarter of each size, "
    text += "of task graphs a few tasks by themselves)"
    parser.add_argument("--calibrate-at", metavar="N", help=text)

    text = f"JVMs for each point (default: {KERNEL_FORKS}; of task graphs, all JVMs anew: {APPLICATION_FORKS})"
    parser.add_argument("--forks", metavar="N", help=text)
    parser.add_argument(
        "--repeat", dest="runs", metavar="N", help="of task graphs: runs timed in each fork (default: 5)"
    )
    text = "seconds after which a run is stopped, with all its JVMs (default: 120)"
    parser.add_argument("--run-limit", dest="limit", metavar="TIME", default="120", help=text)

    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, for programs")
    text = "a page of figures in Markdown, kernels both with and without --profile"
    form.add_argument("--page", action="store_true", help=text)
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")
    pictures.option(parser, "measured times in their intervals")


def run(options: argparse.Namespace) -> int:
    """Measure, predict, show; 2 if a kernel failed, and 0 otherwise."""
    kernels = [f for f in options.files if f.lower().endswith((".java", ".c"))]
    _check(options, kernels)
    output.check_writable(options.output)
    planned = _applications(options, [f for f in options.files if f not in kernels])
    machines = api.load_machines(options.machines)
    failures: dict[str, ApetError] = {}
    points = _kernels(options, kernels, machines, failures) if kernels else {}
    trials = _trials(options, planned, machines) if planned else []
    last = points[max(points)] if points else []
    if options.plot:
        _draw(options, last, trials, machines)

    output.write_result(_text(options, points, trials, machines), options.output)
    return 2 if failures else 0


def _check(options: argparse.Namespace, kernels: Sequence[str]) -> None:
    for path in options.files:
        if is_c(path) and not path.lower().endswith(".c"):
            raise ApetError(CPlusPlus(None, None, path))
        if not path.lower().endswith((".java", ".c", ".pasl", ".toml")):
            raise ApetError(
                UnknownEnding(
                    None, None, "translate", path, "Java, C, PASL, TOML", "front end: apet translate Task.java"
                )
            )
    if kernels and not options.sizes:
        raise ApetError(NeedsSizes(None, None))
    endings = {os.path.splitext(path)[1].lower() for path in options.files}
    unused = [] if kernels else [name for name, dest in OF_KERNELS if getattr(options, dest)]
    unused += [] if ".pasl" in endings else [name for name, dest in OF_GRAPHS if getattr(options, dest)]
    unused += ["--set"] if options.settings and not {".pasl", ".c"} & endings else []
    if endings == {".c"}:
        unused += [name for name, dest in OF_JAVA if getattr(options, dest)]
    unused += ["--repeat"] if options.runs and len(kernels) == len(options.files) else []
    if unused:
        raise ApetError([WrongCall(None, None, f"{n} has no effect on these files", "leave it out") for n in unused])


def _ways(options: argparse.Namespace) -> tuple[bool, ...]:
    return (True, False) if options.page else (options.profile,)


def _kernels(
    options: argparse.Namespace, files: Sequence[str], machines: Machines, failures: dict[str, ApetError]
) -> dict[bool, list[Point]]:
    """Points by whether mispredictions were counted; measured once, counts with mispredictions first.

    A kernel that cannot be measured or predicted is told at once, and left out with its reason in `failures`.
    """

    def failed(file: str, error: ApetError) -> None:
        if file not in failures:
            output.warn("\n".join([f"{file}: this kernel is left out:", *map(render, error.diagnostics)]))
        failures[file] = error

    forks = count("--forks", options.forks or KERNEL_FORKS, 1)
    limit = float(duration("--run-limit", options.limit))
    calibrate_at = arguments.calibration_size(options.calibrate_at)
    effort, measurements = (forks, limit, activity.report, calibrate_at), KernelMeasurements({}, {})
    java, in_c = ([f for f in files if f.lower().endswith(ending)] for ending in (".java", ".c"))
    points: dict[bool, list[Point]] = {way: [] for way in _ways(options)}
    for way in points if java else ():
        run = (options.sizes, machines, options.level, options.mode, way, *effort, measurements, failed)
        points[way] = validated(java, *run)
    if in_c:
        from apet.cli import c_runs

        given = arguments.parsed_settings(options.settings)
        of_c = c_runs.validated(in_c, options.sizes, machines, options.level, given, forks, limit, activity.report)
        points = {way: [*own, *of_c] for way, own in points.items()}
    if failures and not any(points.values()):
        raise ApetError(AllKernelsFailed(None, None, str(len(failures))))
    return points


def _applications(options: argparse.Namespace, files: Sequence[str]) -> list[object]:
    """All configurations to run, before the first of them is."""
    values = arguments.parsed_settings(options.settings)
    workers = arguments.parsed_processors(options.processors or "1,2")
    schedules = ("static", "join") if options.schedule == "both" else (options.schedule or "static",)
    runs: list[object] = []
    for path in files:
        if path.lower().endswith(".toml"):
            runs += read_plan(path)
            continue
        name = os.path.splitext(os.path.basename(path))[0]
        runs += [PlannedRun(name, path, p or 1, s, values) for s in schedules for p in workers]  # type: ignore[arg-type]
    return runs


def _trials(options: argparse.Namespace, planned: Sequence[object], machines: Machines) -> list[Trial]:
    forks = count("--forks", options.forks or APPLICATION_FORKS, 1)
    runs = count("--repeat", options.runs or "5", 1)
    measured_mode = machines.provenance.get("mode")
    mode = options.mode or (measured_mode if measured_mode in MODES else "C2")
    level = options.level or ("flat" if mode == "Xint" else "core")
    effort = RunEffort(1.0, 2, runs, float(duration("--run-limit", options.limit)))
    calibrate_at = arguments.calibration_size(options.calibrate_at)
    if calibrate_at not in (None, NEARBY):
        option = f"--calibrate-at {options.calibrate_at}"
        advice = "tasks are timed at their own sizes: --calibrate-at near"
        raise ApetError(NotForThisFile(None, None, option, "task graphs", advice))
    is_calibrated = calibrate_at is not None
    ways = RunOptions(mode, level, options.profile or options.page or is_calibrated, forks, effort, is_calibrated)
    # Tasks take the same processor time then, but messages wait for processors: no figure of the machine says so.
    if (load := host.load() or 0.0) > BUSY * host.cores():
        output.warn(f"the load is {load:g} on {host.cores()} cores: intervals of wall time assume a quiet machine")
    return run_applications(planned, machines, ways, activity.report)  # type: ignore[arg-type]


def _title(options: argparse.Namespace, machines: Machines, kernels: bool) -> str:
    forks = options.forks or (KERNEL_FORKS if kernels else APPLICATION_FORKS)
    if all(path.lower().endswith(".c") for path in options.files):
        return f"{machines.name}: profiled, {forks} runs for each point"
    how = "profiled" if options.profile or options.calibrate_at else "static"
    how += f", calibrated by {'one run' if kernels else 'single tasks'}" if options.calibrate_at else ""
    return f"{machines.name}: {how}, {forks} JVMs for each point"


def _text(
    options: argparse.Namespace, points: dict[bool, list[Point]], trials: Sequence[Trial], machines: Machines
) -> str:
    if options.page:
        return validation_page(machines, points, trials)
    (kernels,) = points.values() if points else ([],)
    if options.json:
        rows = [*(json.loads(validation_json(kernels)) if kernels else ()), *(json.loads(trials_json(trials)))]
        return json.dumps(rows, indent=1)
    parts = [validation_text(kernels, _title(options, machines, True))] if kernels else []
    parts += [trials_text(trials, _title(options, machines, False))] if trials else []
    return "\n\n".join(parts)


def _draw(options: argparse.Namespace, points: Sequence[Point], trials: Sequence[Trial], machines: Machines) -> None:
    title = _title(options, machines, not trials)
    pictures.write_figure(trials_figure(trials, title) if trials else validation_figure(points, title), options.plot)
