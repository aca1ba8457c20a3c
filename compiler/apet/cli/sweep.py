"""`apet sweep`: predictions for every point of a design space."""

from __future__ import annotations

import argparse
from dataclasses import replace

from apet import api
from apet.api.kinds import MODEL
from apet.cli import answering, arguments, output, pictures
from apet.cli.limits import Stopped
from apet.cli.loading import advise, held, target_of
from apet.cost import CostModel
from apet.ground.diagnostics import ApetError, Diagnostic, raise_all, render
from apet.ground.interval import Interval
from apet.machine import Machines
from apet.questions.sweep import report as sweep_report
from apet.questions.sweep.allocation import keep_freed_memory
from apet.questions.sweep.build import SweepRequest, build
from apet.questions.sweep.errors import NothingToWrite, OnlyForDask
from apet.questions.sweep.evaluator import Evaluator
from apet.questions.sweep.execute import SweepOptions, execute
from apet.questions.sweep.libraries import need
from apet.questions.sweep.loop import Interrupted
from apet.questions.sweep.notation import parse_variation, read_points
from apet.questions.sweep.report import SweepOccasion
from apet.questions.sweep.space import Axis
from apet.questions.sweep.summary import SweepSummary
from apet.questions.sweep.task import PARQUET, form_of
from apet.queueing.errors import lacks_formulas

DESCRIPTION = """Predict every combination of values of parameters, numbers of processors and machine models: a table,
the best and worst points, and those that no other beats in time and cost at once. In the rows, machine models vary
slowest, then P and figures of machines, then parameters; each in the order given, the last one fastest."""
DEFAULT_LIMIT = 10_000_000
INTERRUPTED = 130
OF_ROWS: dict[str, tuple[str, object]] = {
    "--output": ("output", None),
    "--plot": ("plot", None),
    "--pareto": ("pareto", None),
    "--points": ("points", None),
    "--of": ("of", ""),
    "--cost": ("against", "P"),
    "--minimise": ("by", "guaranteed"),
    "--most-points": ("limit", DEFAULT_LIMIT),
    "--skip-undefined": ("skip_undefined", False),
}
"""Options that are about rows of formulas: where they are kept, and what they are without."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    if arguments.takes(parser, MODEL):
        text = "machine files (TOML), or names of shipped ones; several are swept in turn"
        text += "; runs, queues and traces need none"
        parser.add_argument("--machines", "-m", metavar="M", action="append", default=[], help=text)
    arguments.formulas(parser)
    text = """what varies: P=1:64, n=1e6,1e7, q=0:1:0.1 (step), n=1e3:1e9:10x (factor), P,n=4:1e6,8:2e6 (together);
    also figures of machines: t_OP, scale.t_OP, machine.network.latency_s and more; may be repeated"""
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=VALUES", help=text)
    text = "points from a table: names in the first line, then one point per line"
    parser.add_argument("--points", metavar="F", help=text)
    arguments.configuration(parser, "as --vary P=N")
    parser.add_argument("-o", "--output", metavar="F", help="write all rows: F.csv or F.parquet")
    parser.add_argument("--resume", action="store_true", help="continue an interrupted sweep into this file")
    text = "leave points without a prediction empty instead of stopping at the first"
    parser.add_argument("--skip-undefined", action="store_true", help=text)

    _declare_front(parser)
    arguments.engine(parser, "number of Dask workers to start on this machine (default: one for each core)")
    text = f"reject more points than this (default: {DEFAULT_LIMIT:,})"
    parser.add_argument(
        "--most-points", dest="limit", metavar="N", type=arguments.Whole(1), default=DEFAULT_LIMIT, help=text
    )
    parser.add_argument("--yes", action="store_true", help="sweep any number of points")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def _declare_front(parser: argparse.ArgumentParser) -> None:
    text = "write the Pareto front, the points that no other beats in both time and cost, as CSV"
    parser.add_argument("--pareto", metavar="F", help=text)
    text = "the cost to weigh against time: processors, or the machines' cost_per_hour (default: P)"
    parser.add_argument("--cost", dest="against", choices=("P", "cost_per_hour"), default="P", help=text)
    text = "the time to minimise: the upper end of the guaranteed interval (default), or of the estimate"
    parser.add_argument("--minimise", dest="by", choices=("guaranteed", "estimate"), default="guaranteed", help=text)
    pictures.option(parser, "these points")


def run(options: argparse.Namespace) -> int:
    """Sweep, then show what was found."""
    keep_freed_memory()
    form = _check(options)
    try:
        app, machines = _read(options)
    except ApetError as error:
        if not options.vary or not lacks_formulas(error):
            raise
        _in_numbers(options)
        return 0
    axes, settings = _axes(options), arguments.parsed_settings(options.settings)
    each = [pair for axis in axes for pair in zip(axis.names, axis.values, strict=True)]
    varied = {name: Interval(*values.ends) for name, values in each}
    app = held(options, options.model, app, {**settings, **varied})
    request = SweepRequest(
        app=app,
        machines=machines,
        names=options.machines or [app.origin],
        axes=axes,
        settings=settings,
        schedule=options.schedule,
        form=form,
        skip_undefined=options.skip_undefined,
        objective=options.by,
        against=options.against,
    )
    task, advice = build(request)
    for diagnostic in advice:
        output.warn(render(diagnostic))
    limit = None if options.yes else options.limit
    way = SweepOptions(options.output, options.resume, options.engine, options.scheduler, options.workers, limit)
    try:
        summary = execute(task, Evaluator(task, app), way)
    except Interrupted as stopped:
        output.warn(how_to_resume(stopped))
        if isinstance(stopped.__context__, Stopped):
            raise stopped.__context__ from None
        return INTERRUPTED

    _show(options, _occasion(request), summary)
    return 0


def _in_numbers(options: argparse.Namespace) -> None:
    """Of a queue without formulas: all combinations of values."""
    from apet.cli.queue import against, refuse_in_numbers, with_settings

    refuse_in_numbers(options, OF_ROWS)
    file = api.read_queue(options.model)
    file = replace(file, problem=with_settings(file.problem, options.settings))
    answering.write(against(file, options.vary), options)


def _check(options: argparse.Namespace) -> str:
    """What can be wrong with the options alone; the kind of output."""
    form = "" if options.output is None else form_of(options.output)
    if options.resume and not form:
        raise ApetError(NothingToWrite(None, None))
    for path in (options.output, options.pareto):
        output.check_writable(path)
    if form == PARQUET:
        need("writing Parquet", "pyarrow", "parquet")
    if options.scheduler is not None:
        options.engine = "dask"
    if options.engine == "dask":
        need("--engine dask", "distributed", "dask")
    else:
        if options.workers is not None:
            raise ApetError(OnlyForDask(None, None, "--workers"))

    return form


def _axes(options: argparse.Namespace) -> list[Axis]:
    """The axes in the order of the rows; `ApetError` with all that is wrong with them."""
    axes: list[Axis] = []
    errors: list[Diagnostic] = []
    if options.points is not None:
        axes.append(read_points(options.points))
    for text in [*([] if options.processors is None else [f"P={options.processors}"]), *options.vary]:
        try:
            axes.append(parse_variation(text))
        except ApetError as error:
            errors += error.diagnostics
    raise_all(errors)
    return axes


def _read(options: argparse.Namespace) -> tuple[CostModel, list[Machines | None]]:
    cores = arguments.cores_needed(options)
    app, first = target_of(options, options.model, options.machines[0] if options.machines else None, cores)
    advise(app)
    return app, [first, *(api.load_machines(name) for name in options.machines[1:])]


def how_to_resume(stopped: Interrupted) -> str:
    """What is kept of an interrupted sweep, and how to go on."""
    finished, chunks, folder = stopped.finished, stopped.chunks, stopped.folder
    if not finished:
        return "interrupted: no part was finished"
    advice = "go on with the same command and --resume"
    return f"interrupted: {finished:,} of {chunks:,} parts are kept in {folder}\n  hint: {advice}"


def _occasion(request: SweepRequest) -> SweepOccasion:
    models = [m for m in request.machines if m is not None]
    networks = tuple(dict.fromkeys(m.network.topology for m in models)) or ("none",)
    names = tuple(m.name for m in models) or (request.app.origin,)
    files = tuple(m.file for m in models) or (request.app.origin,)
    return SweepOccasion(request.app, names, files, networks, request.schedule, request.fixed)


def _show(options: argparse.Namespace, occasion: SweepOccasion, summary: SweepSummary) -> None:
    if options.pareto:
        output.write_result(sweep_report.front_csv(occasion, summary), options.pareto)
    answer = sweep_report.sweep_answer(occasion, summary)
    answering.draw(answer, options.plot)
    output.show(answering.shown(answer, options))  # --output is the file of all rows
