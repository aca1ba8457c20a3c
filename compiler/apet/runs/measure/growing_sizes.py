"""Measuring a command at growing sizes or numbers of processors, and choosing the next one.

First each size is twice the one before, until there are as many as a prediction needs. Then that n is chosen, among
larger ones and ones between, which is expected to narrow the interval at the target most and which the budget still
allows: its effect is tried with the predicted time in its place.
"""

from __future__ import annotations

import datetime
import math
import platform
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from apet.ground.timed_run import Timed, run_once
from apet.runs.measurements import ENOUGH_RUNS, Curve, Extrapolated, Run

WORTH = 0.03
"""A run is worth its time if it narrows the interval by three per cent."""

Predict = Callable[[Curve, Sequence[float]], Sequence[Extrapolated]]


@dataclass(frozen=True, slots=True)
class MeasuringPlan:
    """What to run: `{n}` in the command stands for n. `most` is the greatest n allowed, `target` what shall be
    predicted (None: four times the largest run), `budget` and `limit` seconds in all and for one run."""

    command: tuple[str, ...]
    kind: str
    first: int
    most: int | None
    target: float | None
    repetitions: int
    budget: float
    limit: float


@dataclass(frozen=True, slots=True)
class MeasuringStep:
    """One run, for who watches: its n, its times, seconds spent so far, and why this n."""

    n: int
    timed: Timed
    spent: float
    reason: str


class MeasuredRuns:
    """The runs so far: for each n its timed runs."""

    def __init__(self, plan: MeasuringPlan, points: Sequence[dict[str, Any]] = ()) -> None:
        """`points` are those of an earlier document."""
        self.plan = plan
        self.runs = dict[int, list[Timed]]()
        for p in points:
            times = zip(p["reps"], p["cpu_s"], p["peak_bytes"], strict=True)
            self.runs[int(p["n"])] = [Timed(t, cpu, peak, False) for t, cpu, peak in times]

    def add(self, n: int, timed: Timed) -> None:
        """Take in one run."""
        self.runs.setdefault(n, []).append(timed)

    def time(self, n: int) -> float:
        """The median of the runs at n."""
        return median(t.wall for t in self.runs[n])

    def curve(self, also: Sequence[Run] = ()) -> Curve:
        """All runs, and some that are only supposed."""
        runs = {float(n): Run(n, self.time(n), tuple(t.wall for t in timed)) for n, timed in self.runs.items()}
        runs |= {r.n: r for r in also}
        return Curve("measured", self.plan.kind, tuple(runs[n] for n in sorted(runs)))

    def document(self) -> dict[str, Any]:
        """The file of runs: times in seconds, memory in bytes."""
        return {
            "id": self.plan.command[0].replace("\\", "/").rpartition("/")[2],
            "kind": self.plan.kind,
            "unit": "s",
            "command": list(self.plan.command),
            "host": platform.node(),
            "processor": platform.processor() or platform.machine(),
            "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            "points": [
                {
                    "n": n,
                    "t": self.time(n),
                    "reps": [t.wall for t in timed],
                    "cpu_s": [t.cpu for t in timed],
                    "peak_bytes": [t.peak for t in timed],
                }
                for n, timed in sorted(self.runs.items())
            ],
        }


def measure(measured: MeasuredRuns, predict: Predict) -> Iterator[MeasuringStep]:
    """Run what the plan asks for until the budget is spent; after each run what was done.

    A run stopped at its limit counts as spent time only, and nothing larger is tried. `ApetError` where the command
    fails.
    """
    plan = measured.plan
    start, most = time.monotonic(), plan.most if plan.most is not None else 2**62

    while True:
        spent = time.monotonic() - start
        chosen = next_run(measured, predict, plan.budget - spent, most)
        if chosen is None:
            return
        n, reason = chosen
        left = plan.budget - (time.monotonic() - start)
        timed = run_once([part.replace("{n}", str(n)) for part in plan.command], min(plan.limit, max(left, 0.05)))
        if timed.stopped:
            most = n - 1 if plan.kind == "size" else most
            yield MeasuringStep(n, timed, time.monotonic() - start, "stopped at the limit")
            if plan.kind == "procs" or timed.wall >= left:
                return
            continue
        measured.add(n, timed)
        yield MeasuringStep(n, timed, time.monotonic() - start, reason)


def next_run(measured: MeasuredRuns, predict: Predict, left: float, most: int) -> tuple[int, str] | None:
    """The next n and why; None where nothing more is worth it or fits into the seconds left."""
    plan, runs = measured.plan, measured.runs
    if left <= 0:
        return None
    if not runs:
        return plan.first, "first"
    for n in sorted(runs):
        if len(runs[n]) < plan.repetitions and measured.time(n) <= left:
            return n, "repetition"

    largest = max(runs)
    if len(runs) < ENOUGH_RUNS[plan.kind]:
        if 2 * largest > most or _guess(measured, 2 * largest) > left:
            return None
        return 2 * largest, "twice the largest"
    return _most_useful(measured, predict, left, most)


def _guess(measured: MeasuredRuns, n: int) -> float:
    """Seconds at twice the largest: as the last two grew, or as long as the largest."""
    sizes = sorted(measured.runs)
    last = measured.time(sizes[-1])
    if measured.plan.kind == "procs" or len(sizes) < 2:
        return last
    growth = math.log(last / measured.time(sizes[-2])) / math.log(sizes[-1] / sizes[-2])
    return float(last * (n / sizes[-1]) ** max(growth, 0.0))


def _most_useful(measured: MeasuredRuns, predict: Predict, left: float, most: int) -> tuple[int, str] | None:
    """The run that narrows the interval at the target most, if its first time fits."""
    curve, sizes = measured.curve(), sorted(measured.runs)
    target = measured.plan.target or 4.0 * sizes[-1]
    now = _width(predict, curve, target)

    best: tuple[float, int, str] | None = None
    for n, reason in _candidates(sizes, measured.plan, most, target):
        (supposed,) = predict(curve, [n])
        if supposed.t > left:
            continue
        gain = 1.0 - _width(predict, measured.curve([Run(n, supposed.t)]), target) / now
        if gain > WORTH and (best is None or gain > best[0]):
            best = gain, n, f"{reason}: narrows the interval by about {gain:.0%}"
    if best is None:
        return None
    return best[1], best[2]


def _candidates(sizes: Sequence[int], plan: MeasuringPlan, most: int, target: float) -> Iterator[tuple[int, str]]:
    largest = sizes[-1]
    for n in (round(1.5 * largest), 2 * largest, 4 * largest):
        if largest < n <= most and n < target:
            yield n, "larger"
    for a, b in pairwise(sizes):
        between = round(math.sqrt(a * b))
        if a < between < b and b > 1.5 * a:
            yield between, "between"


def _width(predict: Predict, curve: Curve, target: float) -> float:
    (predicted,) = predict(curve, [target])
    return float(math.log(float(predicted.interval.hi) / max(float(predicted.interval.lo), 1e-300)))
