"""`apet predict` of runs over one parameter: a curve, its extrapolation, or its formula."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import answering, conditions
from apet.cli.emitted import emitted
from apet.cli.errors import WrongCall
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.notation import GREATEST_TARGET, duration, refuse, shares
from apet.ground.notation import targets as targets_of
from apet.ground.values import number
from apet.runs.answer import answer as answer_runs
from apet.runs.report.answers import extrapolation_answer
from apet.runs.scaling_laws import DIGITS, formula

METHODS = {"size": ("auto", "fractal", "powerlaw"), "procs": ("auto", "adept", "amdahl", "usl", "powerlaw")}
LEVELS = (0.8, 0.5)
NAME_THEM = "name one, a folder of profiles, or profiles with their n: --at 64=a.csv --at 128=b.csv"
READABLE = 6
"""Digits of numbers in a formula for people."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of runs over one parameter."""
    group = parser.add_argument_group("over one parameter")
    text = f"of sizes {', '.join(METHODS['size'])}, of processors {', '.join(METHODS['procs'])} (default: auto)"
    group.add_argument("--method", default="auto", metavar="M", help=text)
    text = "what varies, if the file does not state it (default: size)"
    group.add_argument("--kind", choices=("size", "procs"), default="", help=text)
    text = "a profile and its n; may be repeated"
    group.add_argument("--at", action="append", default=[], metavar="N=FILE", help=text)
    group.add_argument("--curve", metavar="ID", help="the curve, if the file has several")
    text = "also print the n reached within a time: 90, '90 s', '2 h'"
    group.add_argument("--deadline", metavar="TIME", help=text)
    text = "of processors: print the largest number with these efficiencies (default: 80%%,50%%)"
    group.add_argument("--efficiency", metavar="E,…", help=text)
    text = "of processors: what --plot draws (default: time)"
    group.add_argument("--view", choices=("time", "speedup", "efficiency"), default="time", help=text)


def run(options: argparse.Namespace) -> None:
    """Read, predict, print, draw."""
    at = [_placed(text) for text in options.at]
    if not options.runs and not at:
        raise ApetError(WrongCall(None, None, "no file of runs is named", NAME_THEM))
    targets = targets_of("--to", ",".join(options.to)) if options.to else None
    deadline = None if options.deadline is None else float(duration("--deadline", options.deadline))
    where = conditions.parsed_conditions(options.where)
    chosen = {"curve": options.curve, "metric": options.metric, "kind": options.kind}
    runs = api.read_runs(*options.runs, at=at, where=where, **chosen)
    kind = options.kind or runs.curve.kind
    curve = runs.curve._replace(kind=kind)
    levels = _levels(options, kind) if curve.unit == "s" else ()
    if curve.unit != "s" and deadline is not None:
        raise ApetError(WrongCall(None, None, "--deadline is for run times", "leave it out, or choose one: --metric"))
    if targets is None:
        targets = [2 * curve.runs[-1].n, 4 * curve.runs[-1].n]
    if options.emit:
        result = api.extrapolate(curve, targets, options.method)
        answering.write_text(_formula(result.law, result.method, options.emit, kind), options, "a formula")
        return

    with Activity(f"fitting the runs of {curve.name}"):
        answer = answer_runs(curve, targets, options.method, deadline=deadline, levels=levels)
    answering.write(extrapolation_answer(answer, runs.notes, options.view), options)


def _formula(law: object, method: str, form: str, kind: str) -> str:
    if law is None:
        raise ApetError(
            WrongCall(None, None, f"{method} has no formula for these runs", "choose another with --method")
        )

    digits = READABLE if form == "formula" else DIGITS
    return emitted(formula(law, "P" if kind == "procs" else "n", digits), form)  # type: ignore[arg-type]


def _levels(options: argparse.Namespace, kind: str) -> tuple[float, ...]:
    """The efficiencies of an answer about processors; `ApetError` where one is asked about sizes."""
    if kind == "procs":
        return LEVELS if options.efficiency is None else tuple(shares("--efficiency", options.efficiency))
    for option, is_given in (("--efficiency", options.efficiency is not None), ("--view", options.view != "time")):
        if is_given:
            advice = "if these runs are on growing numbers of processors, say so: --kind procs"
            raise ApetError(WrongCall(None, None, f"{option} is for numbers of processors", advice))
    return ()


def _placed(text: str) -> tuple[float, str]:
    size, _, file = text.partition("=")
    n = number("--at", size) if size.strip() else 0
    if not 0 < n < GREATEST_TARGET or not file:
        refuse("--at", text, "a number above 0, an equals sign and a file are needed", "write --at 64=profile.csv")
    return float(n), file
