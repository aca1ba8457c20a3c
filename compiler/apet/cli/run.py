"""`apet run`: run a program here and forecast it, with a page: by a trace of an MPI program, or by measured runs."""

from __future__ import annotations

import argparse
import os

from apet import api
from apet.answers.answer import Answer
from apet.answers.blocks import Lines
from apet.cli import answering, output, run_mpi, run_sizes
from apet.cli.errors import CannotWrite, WrongCall
from apet.cli.forecast import Forecast, RunOrder, forecast_section, program_name, steps_section
from apet.cli.run_mpi import launched
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError, render_all
from apet.ground.notation import duration
from apet.ground.posix import need_posix
from apet.ground.run_errors import BadPlan
from apet.traces.mpi.flavours import program_path

DESCRIPTION = """Run a program here, and forecast what it takes elsewhere. An MPI program (mpirun -n N in front) is
recorded as a trace, this machine is calibrated, and the trace is replayed on it and on faster ones. Any other program
runs at growing sizes, {size} in its command, or on growing numbers of processors, {procs}; its runs are extrapolated.
All results are kept in a folder, with a page; the same call continues from there."""
FORMS = "mpirun -n 8 ./program, or ./program --size {size}"
PLACES = {"{size}": "size", "{n}": "size", "{procs}": "procs", "{P}": "procs"}
"""What a word in braces stands for."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("command", nargs="+", metavar="COMMAND", help=f"after --: {FORMS}")
    text = "time for all runs: '90 s', 5min (default: 2min)"
    parser.add_argument("--budget", metavar="TIME", default="2min", help=text)
    text = "the smallest size (default: where the run time begins to grow), or number of processors (default: 1)"
    parser.add_argument("--from", dest="first", metavar="N", help=text)
    text = "the largest to run (default: any size; as many processors as this machine has)"
    parser.add_argument("--most", metavar="N", help=text)
    parser.add_argument("-o", "--output", metavar="DIR", help="the folder of results (default: apet-PROGRAM)")
    parser.add_argument("--fresh", action="store_true", help="ignore results in the folder, and measure again")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(options: argparse.Namespace) -> None:
    """Measure, forecast, write the page, and print what to do next."""
    need_posix("running a program")
    command = tuple(options.command)
    kind = _kind(command)
    mpi = None if kind else launched(command)
    if not (kind or mpi):
        raise ApetError(WrongCall(None, None, "the command names neither a size nor MPI ranks", f"write {FORMS}"))
    unused = [name for name, value in (("--from", options.first), ("--most", options.most)) if mpi and value]
    if unused:
        raise ApetError([WrongCall(None, None, f"{n} has no effect on an MPI program", "leave it out") for n in unused])
    budget, measured = _budget(options.budget), mpi.command if mpi else command
    program_path(measured)  # refused before a folder is made
    order = RunOrder(command, _folder(options.output, measured), budget, options.fresh)

    try:
        forecast = run_mpi.forecast(order, mpi) if mpi else run_sizes.forecast(order, kind, options.first, options.most)
    except KeyboardInterrupt:
        output.warn(f"the measurements so far are in {order.folder}, and the same call continues")
        raise
    page = _page(order, forecast)
    output.show(answering.shown(_answer(forecast, page), options))  # --output is the folder


def _kind(command: tuple[str, ...]) -> str:
    """What varies: the size, the number of processors, or nothing; `ApetError` for both."""
    kinds = {kind for place, kind in PLACES.items() if any(place in word for word in command)}
    if len(kinds) > 1:
        advice = "vary one here, or both over ranges: apet measure --vary n=100:1600 --vary P=1:8 -- ./program {n} {P}"
        raise ApetError(WrongCall(None, None, "the command names both a size and a number of processors", advice))
    return next(iter(kinds), "")


def _budget(text: str) -> float:
    budget = float(duration("--budget", text))
    if budget <= 0:
        raise ApetError(BadPlan(None, None, "--budget", text, "must be above 0"))
    return budget


def _folder(named: str | None, command: tuple[str, ...]) -> str:
    """The folder of results, made if need be; `ApetError` where it cannot be."""
    folder = named or f"apet-{program_name(command)}"
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as error:
        raise ApetError(
            CannotWrite(None, None, folder, error.strerror or str(error), "name a folder: -o DIR")
        ) from None
    return folder


def _page(order: RunOrder, forecast: Forecast) -> str:
    """The page of a forecast; empty, after a warning, where its formula is too long."""
    path = order.file("report.html")
    output.check_writable(path)
    with Activity("writing the page"):
        try:
            lead = [forecast_section(*forecast.table), steps_section(forecast.steps)]
            text = api.report_page(forecast.model(), title=forecast.title, lead=lead, extra=forecast.pictures())
        except ApetError as error:
            output.warn(f"there is no page:\n{render_all(error.diagnostics)}")
            return ""
    output.write_result(text, path)
    return path


def _answer(forecast: Forecast, page: str) -> Answer:
    """The forecast, where its page is, and what to do next."""
    width = max(len(question) for question, _ in forecast.steps)
    listed = [*([("the page", page)] if page else []), *forecast.steps]
    lines = ["what next:", *(f"  {question:<{width}}  {step}" for question, step in listed)]
    steps = [{"question": question, "command": step} for question, step in forecast.steps]
    return forecast.answer.replace(
        results={**forecast.answer.results, "page": page or None, "next": steps},
        blocks=[*forecast.answer.blocks, [Lines(lines)]],
    )
