"""`apet run` of a program at growing sizes, or on growing numbers of processors: runs, their fit, and a forecast."""

from __future__ import annotations

import os
import shlex

from apet import api
from apet.api.reports import pictures_of
from apet.cli.errors import WrongCall
from apet.cli.forecast import Forecast, ForecastTable, RunOrder, program_name
from apet.cli.measuring import FEWEST, measured_runs
from apet.ground.diagnostics import ApetError
from apet.ground.host import cores
from apet.ground.notation import count
from apet.ground.run_errors import BadPlan
from apet.runs.answer import RunsAnswer, answer
from apet.runs.measure.growing_sizes import MeasuringPlan
from apet.runs.report.answers import extrapolation_answer
from apet.show.times import single

REPETITIONS = 3
OF_RUNS = 0.95
"""Of the budget: the rest is for the forecast and its page."""
NOUNS = {"size": "sizes", "procs": "numbers of processors"}
HALF = (0.5,)
"""Efficiency down to which more processors are called useful."""


def forecast(order: RunOrder, kind: str, first: str | None, most: str | None) -> Forecast:
    """Measure until the budget is spent or nothing narrows the forecast, then extrapolate. `ApetError`."""
    path = order.file("runs.json")
    measured = measured_runs(_plan(order, path, kind, first, most), path, order.fresh)
    if len(measured.runs) < FEWEST:
        _need_range(measured.plan)
        raise ApetError(order.too_small(f"{FEWEST} {NOUNS[kind]} were measured"))
    runs = api.read_runs(path, kind=kind)
    largest = runs.curve.runs[-1].n
    answered = answer(runs.curve, [2 * largest, 4 * largest], levels=HALF if kind == "procs" else ())

    found = extrapolation_answer(answered, runs.notes)
    return Forecast(
        answer=found.replace(results={**found.results, "runs_file": path}),
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
    if plan.most is None or plan.most >= 2 ** (FEWEST - 1) * (plan.first or 1):
        return
    few = f"up to {plan.most} there are too few {NOUNS[plan.kind]}"
    reason = f"{few}: a forecast needs {FEWEST}, each twice the one before"
    advice = "raise --most; an MPI program forecasts more ranks than cores: apet run -- mpirun -n 8 ./program"
    raise ApetError(WrongCall(None, None, reason, advice if plan.kind == "procs" else "raise --most, or lower --from"))


def _plan(order: RunOrder, path: str, kind: str, first: str | None, most: str | None) -> MeasuringPlan:
    command = tuple(
        word.replace("{size}", "{n}").replace("{procs}", "{n}").replace("{P}", "{n}") for word in order.command
    )
    least = count("--from", first, 1) if first is not None else None if kind == "size" else 1
    greatest = None if most is None else count("--most", most, 1)
    if kind == "procs" and greatest is None:
        greatest = cores()
    if greatest is not None and greatest < (least or 1):
        raise ApetError(BadPlan(None, None, "--most", str(greatest), f"is below the smallest, {least or 1}"))
    plan = MeasuringPlan(command, kind, least, greatest, None, REPETITIONS, OF_RUNS * order.left, order.budget)

    if not os.path.exists(path) or order.fresh:
        _need_range(plan)
    return plan


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
