"""What `apet extrapolate` and `apet speedup` share: their options, and the way from runs to an answer."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import arguments, conditions, output, pictures
from apet.cli.emitted import FORMS, emitted
from apet.cli.errors import WrongCall
from apet.cli.version import version
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.notation import GREATEST_TARGET, duration, refuse
from apet.ground.notation import targets as targets_of
from apet.ground.values import number
from apet.runs.answer import RunsAnswer
from apet.runs.answer import answer as answer_runs
from apet.runs.report.json import extrapolation_json
from apet.runs.report.plots import extrapolation_figure, places
from apet.runs.report.text import extrapolation_text
from apet.runs.scaling_laws import DIGITS, formula

NAME_THEM = "name one, a folder of profiles, or profiles with their n: --at 64=a.csv --at 128=b.csv"
READABLE = 6
"""Digits of numbers in a formula for people."""


def declare(parser: argparse.ArgumentParser, methods: tuple[str, ...], over: str) -> None:
    """The options of both verbs; `over` says what n is."""
    text = "runs: JSON, CSV, Extra-P's files, profiles, or a folder of profiles; or the name of a sample"
    parser.add_argument("runs", metavar="RUNS", nargs="*", help=text)
    parser.add_argument("--to", metavar="N,…", help=f"{over} to predict (default: 2 and 4 times the largest run)")
    text = f"the method: {', '.join(methods)} (default: auto, with the published method next to it)"

    parser.add_argument("--method", default="auto", metavar="M", help=text)
    parser.add_argument(
        "--at", action="append", default=[], metavar="N=FILE", help="a profile and its n; may be repeated"
    )
    parser.add_argument("--curve", metavar="ID", help="the curve, if the file has several")
    parser.add_argument("--metric", metavar="M", help="which metric of an Extra-P file (default: the time)")
    conditions.option(parser)
    parser.add_argument("--within", metavar="TIME", help="also print the n reached within a time: 90, '90 s', '2 h'")

    parser.add_argument("--emit", choices=FORMS, help="print the fit as a formula instead")
    arguments.results(parser)


def run(options: argparse.Namespace, kind: str, levels: tuple[float, ...] = ()) -> None:
    """Read, predict, print, draw."""
    at = [_placed(text) for text in options.at]
    if not options.runs and not at:
        raise ApetError(WrongCall(None, None, "no file of runs is named", NAME_THEM))
    targets = None if options.to is None else targets_of("--to", options.to)
    deadline = _deadline(options.within)
    where = conditions.parsed_conditions(options.where)
    runs = api.read_runs(*options.runs, at=at, curve=options.curve, metric=options.metric, kind=kind, where=where)
    curve = runs.curve._replace(kind=kind)
    if targets is None:
        targets = [2 * curve.runs[-1].n, 4 * curve.runs[-1].n]
    if options.emit:
        result = api.extrapolate(curve, targets, options.method)
        output.write_result(_formula(result.law, result.method, options.emit, kind), options.output)
        return

    with Activity(f"fitting the runs of {curve.name}"):
        answer = answer_runs(curve, targets, options.method, deadline=deadline, levels=levels)
    output.write_result(_shown(answer, runs.notes, options.json), options.output)
    if options.plot:
        _draw(answer, options)


def _shown(answer: RunsAnswer, notes: tuple[str, ...], as_json: bool) -> str:
    if not as_json:
        return extrapolation_text(answer, notes)

    return extrapolation_json(answer, notes, version())


def _draw(answer: RunsAnswer, options: argparse.Namespace) -> None:
    n = places(answer)
    band = api.extrapolate(answer.curve, n, options.method)
    pictures.write_figure(extrapolation_figure(answer, band, getattr(options, "view", "time")), options.plot)


def _formula(law: object, method: str, form: str, kind: str) -> str:
    if law is None:
        raise ApetError(
            WrongCall(None, None, f"{method} has no formula for these runs", "choose another with --method")
        )

    digits = READABLE if form == "formula" else DIGITS
    return emitted(formula(law, "P" if kind == "procs" else "n", digits), form)  # type: ignore[arg-type]


def _deadline(text: str | None) -> float | None:
    if text is None:
        return None

    return float(duration("--within", text))


def _placed(text: str) -> tuple[float, str]:
    size, _, file = text.partition("=")
    n = number("--at", size) if size.strip() else 0
    if not 0 < n < GREATEST_TARGET or not file:
        refuse("--at", text, "a number above 0, an equals sign and a file are needed", "write --at 64=profile.csv")
    return float(n), file
