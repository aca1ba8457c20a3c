"""`apet measure`: run a command at growing sizes, and write a file of runs."""

from __future__ import annotations

import argparse

from apet.cli import measure_designs, output, rules
from apet.cli.errors import WrongCall
from apet.cli.measuring import measured_runs
from apet.cli.runs_surface import plan as planned
from apet.ground.diagnostics import ApetError
from apet.ground.notation import count, duration
from apet.ground.run_errors import BadPlan, NoPlace
from apet.runs.measure.growing_sizes import MeasuringPlan

DESCRIPTION = """Run a command at growing sizes, or on growing numbers of processors, several times each, and write a
file for `apet predict`. {n} in the command stands for the size. The sizes to run next are chosen
by what narrows the interval of the prediction most within the budget. What the file holds already is not run again."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("command", nargs="*", metavar="COMMAND", help="after --: the command, with {n} where n belongs")
    text = "the smallest n (default: where the run time begins to grow; of processors 1)"
    parser.add_argument("--from", dest="first", metavar="N", help=text)
    parser.add_argument("--most", metavar="N", help="the largest n that may be run")
    parser.add_argument("--for", dest="target", metavar="N", help="the n to predict (default: 4 times the largest)")
    parser.add_argument("--procs", action="store_true", help="n is the number of processors, not the size of the input")
    text = "a range of a parameter, n=100:1600, for runs over several: {n} in the command; the design has few points"
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=RANGE", help=text)

    text = "print a design of few runs over ranges, as a table to fill in, and run nothing: n=100..1600,P=1..16"
    parser.add_argument("--plan", metavar="RANGES", help=text)
    parser.add_argument("--repeat", metavar="K", default="3", help="runs of each n (default: 3)")
    parser.add_argument("--budget", metavar="TIME", default="60 s", help="time for all runs (default: 60 s)")
    parser.add_argument(
        "--run-limit", dest="limit", metavar="TIME", help="time after which a single run is ended (default: the budget)"
    )

    parser.add_argument(
        "-o", "--output", metavar="F", default="runs.json", help="the file of runs (default: runs.json)"
    )
    for name, action in parser._option_string_actions.items():
        if name not in ("--plan", "-h", "--help"):
            rules.without(action, "--plan", *(["--vary"] if name in ("--from", "--most", "--for", "--procs") else []))


def run(options: argparse.Namespace) -> None:
    """Measure; the file is written after each run, so that an interrupted call can be continued."""
    if options.plan:
        output.show(planned(options.plan))
        return
    if not options.command:
        raise ApetError(WrongCall(None, None, "which command?", "apet measure -- ./program {n}"))
    if options.vary:
        measure_designs.run(options)
        return
    plan = _plan(options)
    output.check_writable(options.output)
    measured = measured_runs(plan, options.output)
    number = sum(map(len, measured.runs.values()))
    output.show(
        f"{number} runs at {len(measured.runs)} sizes in {options.output}; next: apet predict {options.output} --to N"
    )


def _plan(options: argparse.Namespace) -> MeasuringPlan:
    command = tuple(options.command)
    if not any("{n}" in part for part in command):
        raise ApetError(NoPlace(None, None, " ".join(command)))

    budget = float(duration("--budget", options.budget))
    limit = budget if options.limit is None else float(duration("--run-limit", options.limit))
    for option, text, value in (("--budget", options.budget, budget), ("--run-limit", options.limit, limit)):
        if value <= 0:
            _refuse(option, text, "must be above 0")
    first = 1 if options.first is None and options.procs else options.first and count("--from", options.first, 1)
    most = None if options.most is None else count("--most", options.most, 1)
    if most is not None and first is not None and most < first:
        _refuse("--most", options.most, f"is below the smallest n, {first}")
    target = None if options.target is None else float(count("--for", options.target, 1))
    kind = "procs" if options.procs else "size"
    return MeasuringPlan(command, kind, first, most, target, count("--repeat", options.repeat, 1), budget, limit)


def _refuse(option: str, text: str, reason: str) -> None:
    raise ApetError(BadPlan(None, None, option, text, reason))
