"""Running a command at the sizes of a plan, for `apet measure` and `apet run`: what is shown, and the file."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from apet import api
from apet.cli import output
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.ground.documents.document import read_document
from apet.ground.host import caches, cores, free_memory, load
from apet.ground.run_errors import OtherCommand
from apet.ground.timed_run import Timed, run_once
from apet.runs.fit.methods import METHODS
from apet.runs.measure import machine, start_up
from apet.runs.measure.growing_sizes import (
    FARTHEST,
    MeasuredRuns,
    MeasuringPlan,
    MeasuringStep,
    command_at,
    measure,
)
from apet.runs.measurements import Extrapolated
from apet.show.times import single

FEWEST = METHODS["auto"].runs
FIRST_FORECAST = 1 / 3
"""Of the budget: when the first forecast is shown."""
NARROWER = 0.8
"""By how much an interval narrows until it is shown again."""


def measured_runs(plan: MeasuringPlan, path: str, fresh: bool = False) -> MeasuredRuns:
    """The runs of a file of the same command, and those that are worth their time; written after each.

    Without a first size, that where the run time begins to grow is found first. `ApetError` where the command fails.
    """
    begun, busy = time.monotonic(), load()
    points: Sequence[dict[str, Any]] = () if fresh else earlier(path, plan)
    if points:
        output.advise(f"{path} has runs at {len(points)} sizes already; --fresh measures again")
    found = None if points or plan.first else _start_up(plan)
    plan = replace(plan, first=plan.first or (found.first if found else 1))
    measured = MeasuredRuns(replace(plan, budget=plan.budget - (time.monotonic() - begun)), points)
    for n, timed in found.runs if found else ():
        if n >= (plan.first or 1):
            measured.add(n, timed)
    shown = _Shown(plan)

    for step in measure(measured, _predict):
        spent = time.monotonic() - begun
        output.advise(step_text(replace(step, spent=spent), plan))
        shown.forecast(measured, spent)
        if measured.runs:
            remarks = machine.notes(measured, busy, cores(), found, caches())
            output.write_result(json.dumps(measured.document(remarks), indent=1), path)
    return measured


def _predict(curve: Any, targets: Any) -> Sequence[Extrapolated]:
    return api.extrapolate(curve, targets).predictions


def _start_up(plan: MeasuringPlan) -> start_up.StartUp:
    """Where the run time begins to grow; `ApetError` where the smallest size fails."""
    memory = free_memory()

    def attempt(n: int, limit: float) -> Timed | None:
        try:
            return run_once(command_at(plan, n), limit, memory if n > 1 else None)
        except ApetError:
            if n == 1:
                raise
            return None

    with Activity("finding the size at which the run time begins to grow"):
        return start_up.find(attempt, plan.most, plan.budget)


class _Shown:
    """The forecasts that are shown while runs are made: the first after a third of the budget, others where they are
    clearly narrower."""

    def __init__(self, plan: MeasuringPlan) -> None:
        self.plan = plan
        self.target: float | None = plan.target
        self.width = 0.0

    def forecast(self, measured: MeasuredRuns, spent: float) -> None:
        """Show one where it is time."""
        if spent < FIRST_FORECAST * self.plan.budget or len(measured.runs) < FEWEST:
            return
        largest = max(measured.runs)
        if self.target is None or self.target <= largest:
            self.target, self.width = float(FARTHEST * largest), 0.0
        (predicted,) = _predict(measured.curve(), [self.target])
        low, high = float(predicted.interval.lo), float(predicted.interval.hi)
        if self.width and high / low > 1 + NARROWER * (self.width - 1):
            return

        self.width = high / low
        letter = "P" if self.plan.kind == "procs" else "n"
        ends = f"{single(low)} … {single(high)}"
        output.advise(f"so far: {letter} = {self.target:,.0f} takes {single(predicted.t)} ({ends})")


def earlier(path: str, plan: MeasuringPlan) -> list[dict[str, Any]]:
    """The points of a file of the same command; none where there is no file."""
    if not os.path.exists(path):
        return []
    try:
        document = read_document(path).content
        points = document["points"]
        usable = all(len(p["reps"]) == len(p["cpu_s"]) == len(p["peak_bytes"]) and p["n"] >= 1 for p in points)
    except (ApetError, TypeError, KeyError):
        raise ApetError(OtherCommand(None, None, path, "it is no file of apet measure")) from None
    if not usable or document.get("command") != list(plan.command) or document.get("kind") != plan.kind:
        command = document.get("command")
        raise ApetError(
            OtherCommand(None, None, path, " ".join(map(str, command)) if isinstance(command, list) else "unknown")
        )

    return list(points)


def step_text(step: MeasuringStep, plan: MeasuringPlan) -> str:
    """One run on a line: n, its time, why it was made, and how much of the budget is spent."""
    letter = "P" if plan.kind == "procs" else "n"
    spent = f"{step.spent:.0f} of {plan.budget:.0f} s"
    return f"{letter} = {step.n:<12,} {single(step.timed.wall):>12}   {step.reason} ({spent})"
