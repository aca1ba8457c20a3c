"""What `apet extrapolate` and `apet speedup` share: their options, and the way from runs to an answer."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn

from apet import api
from apet.cli import answering, arguments, conditions
from apet.cli.durations import seconds
from apet.cli.emitted import FORMS, emitted
from apet.cli.errors import WrongCall, bad_option
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.values import range_parts
from apet.runs.answer import answer as answer_runs
from apet.runs.report.answers import extrapolation_answer
from apet.runs.scaling_laws import DIGITS, formula

STEP = re.compile(r"(\d+(?:\.\d+)?)(x?)")
MOST_TARGETS = 10_000
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
    targets = None if options.to is None else parsed_targets(options.to)
    deadline = _deadline(options.within)
    where = conditions.parsed_conditions(options.where)
    runs = api.read_runs(*options.runs, at=at, curve=options.curve, metric=options.metric, kind=kind, where=where)
    curve = runs.curve._replace(kind=kind)
    if targets is None:
        targets = [2 * curve.runs[-1].n, 4 * curve.runs[-1].n]
    if options.emit:
        result = api.extrapolate(curve, targets, options.method)
        answering.write_text(_formula(result.law, result.method, options.emit, kind), options, "a formula")
        return

    with Activity(f"fitting the runs of {curve.name}"):
        answer = answer_runs(curve, targets, options.method, deadline=deadline, levels=levels)
    answering.write(extrapolation_answer(answer, runs.notes, getattr(options, "view", "time")), options)


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

    return float(seconds("--within", text))


def _placed(text: str) -> tuple[float, str]:
    number, _, file = text.partition("=")
    try:
        n = float(number)
    except ValueError:
        n = 0.0
    if not 0 < n < float("inf") or not file:
        raise ApetError(bad_option("--at", text, "a number above 0, an equals sign and a file are needed"))
    return n, file


def parsed_targets(text: str) -> list[float]:
    """Numbers and ranges of `--to`, each once, in the order given; `ApetError` if they are none."""
    targets = dict[float, None]()
    for part in text.split(","):
        for n in _range(text, part.strip()):
            targets[n] = None
        if len(targets) > MOST_TARGETS:
            _refuse(text, f"more than {MOST_TARGETS:,} numbers")
    return list(targets)


def _range(text: str, part: str) -> list[float]:
    parts = range_parts(part)
    m = STEP.fullmatch(parts[-1])
    if len(parts) != 3 or m is None:
        return [_number(text, part)]
    low, high, step = _number(text, parts[0]), _number(text, parts[1]), float(m[1])
    if high < low:
        _refuse(text, f"the range {part} ends before it begins")
    if step <= (1 if m[2] else 0):
        _refuse(text, f"the step of {part} must be above {1 if m[2] else 0}")
    numbers = [low]
    while len(numbers) <= MOST_TARGETS:
        following = numbers[-1] * step if m[2] else numbers[-1] + step
        if following > high * (1 + 1e-12):
            break
        numbers.append(following)

    return numbers


def _number(text: str, part: str) -> float:
    try:
        n = float(part.replace("_", ""))
    except ValueError:
        n = -1.0
        _refuse(text, f"'{part}' is no number" if part else "a number is missing")
    if not 0 < n < 1e18:
        _refuse(text, f"{part} is not between 0 and 1e18")
    return n


def _refuse(text: str, reason: str) -> NoReturn:
    raise ApetError(bad_option("--to", text, reason))
