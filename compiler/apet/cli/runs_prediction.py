"""`apet predict` of measured runs: larger inputs, more processors, or points over several parameters."""

from __future__ import annotations

import argparse

from apet.cli import arguments, pictures, predict, rules, runs_curve, runs_surface
from apet.cli.emitted import FORMS
from apet.cli.errors import WrongCall
from apet.ground.diagnostics import ApetError
from apet.runs.errors import SeveralParameters

DESCRIPTION = """Predict the run time beyond a few measured runs: no model of the program is needed. Over one parameter,
the size or the processors, five runs or more are best, each at least 1.2 times the one before; over several, eight
points are enough: all corners, the middle, and three more (apet measure --plan)."""
OF_CURVES = ("--method", "--kind", "--at", "--curve", "--deadline", "--efficiency", "--view")
OF_SEVERAL = ("--parameters", "--role", "--name-pattern", "--phase", "--tree", "--next")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    text = "runs: CSV (long or wide), JSON, Extra-P's files, hyperfine, Google Benchmark, JMH, pytest-benchmark, "
    text += "sacct -P, target/criterion, profiles or a folder of them; or a shipped sample"
    parser.add_argument("runs", metavar="RUNS", nargs="*", help=text)
    text = "what to predict: 64000 or 1000..64000:2x, or of several parameters n=8000,P=128 or n=2x for twice the "
    text += "largest; may be repeated (default: 2 and 4 times the largest)"
    parser.add_argument("--to", action="append", default=[], metavar="N | n=N,P=N", help=text)
    text = "a parameter as an interval or a number, for the fit as a formula"
    setting = parser.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", dest="settings", help=text
    )
    rules.without(setting, "--to", "--at", "--deadline", "--efficiency", "--view", "--phase", "--tree", "--next")
    text = "with --set: the numbers of processors, if the runs are over P"
    processors = parser.add_argument("-P", "--processors", metavar="N", help=text)
    rules.needs(processors, "--set")
    runs_curve.declare(parser)
    runs_surface.declare(parser)
    emit = parser.add_argument("--emit", choices=FORMS, help="print the likeliest formula instead")
    rules.without(emit, "--to", "--set", "--deadline", "--efficiency", "--view", "--tree", "--next", "--plot")
    plot = pictures.option(parser, "runs, fit and interval")
    rules.needs(parser._option_string_actions["--view"], "--plot")
    rules.without(arguments.results(parser), "--emit")
    rules.without(plot, "--emit")
    for option in OF_CURVES:
        rules.without(parser._option_string_actions[option], *OF_SEVERAL)


def run(options: argparse.Namespace) -> None:
    """Fit one curve, or a surface where several parameters vary or are asked for."""
    if options.settings:
        _with_formula(options)
        return
    if _several(options):
        _refuse_curves(options)
        runs_surface.run(options)
        return
    try:
        runs_curve.run(options)
    except ApetError as error:
        if not all(isinstance(d, SeveralParameters) for d in error.diagnostics):
            raise
        _refuse_curves(options)
        runs_surface.run(options)


def _several(options: argparse.Namespace) -> bool:
    """Whether a call is about several parameters: what only they have is given, or a target names them."""
    given = options.role or options.name_pattern or options.phase or options.tree or options.next
    return bool(given or options.parameters or len(options.runs) > 1 or any("=" in text for text in options.to))


def _refuse_curves(options: argparse.Namespace) -> None:
    for option in OF_CURVES:
        value = getattr(options, option.removeprefix("--"))
        if value not in (None, "", [], "auto", "time"):
            raise ApetError(
                WrongCall(None, None, f"{option} is for runs over one parameter", "fix others: --where P=1")
            )


def _with_formula(options: argparse.Namespace) -> None:
    """The fit as a formula, which takes intervals."""
    if len(options.runs) != 1:
        raise ApetError(WrongCall(None, None, "--set needs one file of runs", "ask for points: --to"))
    options.model = options.runs[0]
    predict.run(options)
