"""`apet run` of a program at growing sizes, or on growing numbers of processors: runs, their fit, and a forecast."""

from __future__ import annotations

import json
import math
import os
import shlex
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from apet import api
from apet.api.report_pictures import pictures_of
from apet.cli import output
from apet.cli.errors import WrongCall
from apet.cli.forecast import Forecast, ForecastTable, RunOrder, program_name
from apet.cli.measure import earlier, step_text
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.host import cores
from apet.ground.notation import count
from apet.ground.run_errors import BadPlan
from apet.ground.timed_run import Timed, run_once
from apet.runs.answer import RunsAnswer, answer
from apet.runs.fit.methods import METHODS
from apet.runs.measure.growing_sizes import MeasuredRuns, MeasuringPlan, measure
from apet.runs.report.answers import extrapolation_answer
from apet.show.times import single

REPETITIONS = 3
FEWEST = METHODS["auto"].runs
STEP, GROWN = 4, 2.0
"""By how much sizes grow until the run time is so many times that of the smallest: there the measuring begins."""
LARGEST_TRIED = 2**40
SCOUTING = 0.2
"""Part of the budget for finding where the measuring begins."""
NOUNS = {"size": "sizes", "procs": "numbers of processors"}
HALF = (0.5,)
"""Efficiency down to which more processors are called useful."""


def forecast(order: RunOrder, kind: str, first: str | None, most: str | None) -> Forecast:
    """Measure until the budget is spent or nothing narrows the forecast, then extrapolate. `ApetError`."""
    path = order.file("runs.json")
    measured = _measured(order, path, _plan(order, path, kind, first, most))
    if len(measured.runs) < FEWEST:
        _need_range(measured.plan)
        raise ApetError(order.too_small(f"{FEWEST} {NOUNS[kind]} were measured"))
    runs = api.read_runs(path, kind=kind)
    largest = runs.curve.runs[-1].n
    answered = answer(runs.curve, [2 * largest, 4 * largest], levels=HALF if kind == "procs" else ())

    found = extrapolation_answer(answered, runs.notes)
    return Forecast(
        answer=replace(found, results={**found.results, "runs_file": path}),
        title=f"{program_name(order.command)}, measured here",
        table=_table(answered, kind),
        model=lambda: api.load_model(path, kind=kind),
        pictures=lambda: pictures_of(path, {"kind": kind}),
        steps=_steps(order, path, kind),
    )


def _table(answered: RunsAnswer, kind: str) -> ForecastTable:
    """The predictions, and how far they may be trusted."""
    result, letter = answered.extrapolation, "P" if kind == "procs" else "n"
    rows = [
        [f"{p.n:,.0f}", single(p.t), f"{single(float(p.interval.lo))} … {single(float(p.interval.hi))}"]
        for p in result.predictions
    ]
    remarks = (f"Trust: {result.trust}.", *(f"{text[:1].upper()}{text[1:]}." for text in result.advice))
    return ForecastTable((letter, "run time", "90 % of such runs"), rows, remarks)


def _need_range(plan: MeasuringPlan) -> None:
    """`ApetError` where fewer sizes, or numbers of processors, may be run than a forecast needs."""
    if plan.most is None or plan.most >= 2 ** (FEWEST - 1) * plan.first:
        return
    few = f"up to {plan.most} there are too few {NOUNS[plan.kind]}"
    reason = f"{few}: a forecast needs {FEWEST}, each twice the one before"
    advice = "raise --most; an MPI program forecasts more ranks than cores: apet run -- mpirun -n 8 ./program"
    raise ApetError(WrongCall(None, None, reason, advice if plan.kind == "procs" else "raise --most, or lower --from"))


def _plan(order: RunOrder, path: str, kind: str, first: str | None, most: str | None) -> MeasuringPlan:
    command = tuple(
        word.replace("{size}", "{n}").replace("{procs}", "{n}").replace("{P}", "{n}") for word in order.command
    )
    least = 1 if first is None else count("--from", first, 1)
    greatest = None if most is None else count("--most", most, 1)
    if kind == "procs" and greatest is None:
        greatest = cores()
    if greatest is not None and greatest < least:
        raise ApetError(BadPlan(None, None, "--most", str(greatest), f"is below the smallest, {least}"))
    plan = MeasuringPlan(command, kind, least, greatest, None, REPETITIONS, order.budget, order.budget)

    if os.path.exists(path) and not order.fresh:
        return plan
    _need_range(plan)
    if kind == "procs" or first is not None:
        return plan
    return replace(plan, first=first_size(plan))


def first_size(plan: MeasuringPlan) -> int:
    """Where the run time begins to grow: below, it is the start of the program. `ApetError` where it fails."""
    largest, limit = min(plan.most or LARGEST_TRIED, LARGEST_TRIED), SCOUTING * plan.budget
    begun, n = time.monotonic(), 1

    def run(size: int) -> Timed:
        return run_once([word.replace("{n}", str(size)) for word in plan.command], limit)

    with Activity("finding the size at which the run time begins to grow"):
        start = run(1).wall
        while (n := n * STEP) <= largest and time.monotonic() - begun < limit:
            timed = run(n)
            if timed.stopped:
                return n // STEP
            if timed.wall > GROWN * start:
                start = run(1).wall  # again: what else runs may have made both longer
            if timed.wall > GROWN * start:
                # If what is beyond the start grows as n does, it is as long as the start at this size.
                return max(n // STEP, 1 << math.floor(math.log2(max(n * start / (timed.wall - start), 1))))
    return 1


def _measured(order: RunOrder, path: str, plan: MeasuringPlan) -> MeasuredRuns:
    """The runs of the folder and those that are worth their time; written after each."""
    points: Sequence[dict[str, Any]] = () if order.fresh else earlier(path, plan)
    measured = MeasuredRuns(plan, points)
    if points:
        output.advise(f"{path} has runs at {len(points)} sizes already; --fresh measures again")

    def predict(curve: Any, targets: Any) -> Any:
        return api.extrapolate(curve, targets).predictions

    with Activity(
        f"running {order.command[0]}",
        "% of the budget",
        lambda: round(100 - 100 * order.left / order.budget),
        whole=100,
    ):
        for step in measure(measured, predict):
            output.advise(step_text(step, plan))
            if measured.runs:
                output.write_result(json.dumps(measured.document(), indent=1), path)
    return measured


def _steps(order: RunOrder, path: str, kind: str) -> list[tuple[str, str]]:
    """What to do next with runs."""
    file = shlex.quote(path)
    unit = "P" if kind == "procs" else "n"
    reached = "the fewest processors for an hour" if kind == "procs" else "the largest n in an hour"
    return [
        (f"another {unit}", f"apet predict {file} --to N"),
        (reached, f"apet predict {file} --deadline 1h"),
        ("the formula", f"apet compile {file}{' --kind procs' if kind == 'procs' else ''}"),
        ("narrower intervals", order.longer()),
    ]
