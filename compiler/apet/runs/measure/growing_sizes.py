"""Measuring a command at growing sizes or numbers of processors, and choosing the next one.

First each size is twice the one before, once, until there are as many as a prediction needs; then all are repeated.
Then that n is chosen, among larger ones and ones between, which is expected to narrow the interval at the target most
and which the budget still allows: its effect is tried with the predicted time in its place. What is left goes to sizes
whose runs differ.
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

from apet.ground.diagnostics import ApetError
from apet.ground.timed_run import Timed, run_once
from apet.runs.measurements import ENOUGH_RUNS, Curve, Extrapolated, Run

WORTH = 0.03
"""A run is worth its time if it narrows the interval by three per cent, or runs of its size differ by as much."""
PART_OF_REST = 1 / 3
"""Of the time left: what one run should take at most."""
FARTHEST = 4
"""Times the largest run: as far as is predicted where nobody asks."""
MOST_REPETITIONS = 3
"""Times those that are asked for."""
FEWEST_FOR_A_GUESS = 3

Predict = Callable[[Curve, Sequence[float]], Sequence[Extrapolated]]


@dataclass(frozen=True, slots=True)
class MeasuringPlan:
    """What to run: `{n}` in the command stands for n.

    `first` is the smallest n (None: to be found), `most` the greatest allowed, `target` what shall be predicted (None:
    four times the largest run), `budget` and `limit` seconds in all and for one run.
    """

    command: tuple[str, ...]
    kind: str
    first: int | None
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
    """The runs so far: for each n its timed runs.

    Of sizes, the times are those without waits for a core if the system tells them of all runs; else those by the
    clock, as they always are over processors, whose waits for each other count.
    """

    def __init__(self, plan: MeasuringPlan, points: Sequence[dict[str, Any]] = ()) -> None:
        """`points` are those of an earlier document."""
        self.plan = plan
        self.runs = dict[int, list[Timed]]()
        for p in points:
            unknown = [None] * len(p["reps"])
            columns = (p.get("wall_s", p["reps"]), p["cpu_s"], p["peak_bytes"], p.get("queued_s", unknown))
            self.runs[int(p["n"])] = [
                Timed(wall, cpu, peak, False, queued) for wall, cpu, peak, queued in zip(*columns, strict=True)
            ]

    def add(self, n: int, timed: Timed) -> None:
        """Take in one run."""
        self.runs.setdefault(n, []).append(timed)

    @property
    def all(self) -> list[Timed]:
        """Every run."""
        return [timed for own in self.runs.values() for timed in own]

    @property
    def without_waits(self) -> bool:
        """Whether times are without waits for a core."""
        return self.plan.kind == "size" and all(timed.queued is not None for timed in self.all)

    def times(self, n: int) -> list[float]:
        """Seconds of the runs at n."""
        return [timed.undisturbed if self.without_waits else timed.wall for timed in self.runs[n]]

    def time(self, n: int) -> float:
        """The median of the runs at n."""
        return median(self.times(n))

    @property
    def slowdown(self) -> float:
        """By how much other programs made the runs longer by the clock."""
        return sum(t.wall for t in self.all) / sum(sum(self.times(n)) for n in self.runs) if self.runs else 1.0

    def curve(self, also: Sequence[Run] = ()) -> Curve:
        """All runs, and some that are only supposed."""
        runs = {float(n): Run(n, self.time(n), tuple(self.times(n))) for n in self.runs}
        runs |= {r.n: r for r in also}
        return Curve("measured", self.plan.kind, tuple(runs[n] for n in sorted(runs)))

    def document(self, notes: Sequence[str] = ()) -> dict[str, Any]:
        """The file of runs: times in seconds, memory in bytes; and what a reader should know of the machine."""
        return {
            "id": self.plan.command[0].replace("\\", "/").rpartition("/")[2],
            "kind": self.plan.kind,
            "unit": "s",
            "command": list(self.plan.command),
            "host": platform.node(),
            "processor": platform.processor() or platform.machine(),
            "date": datetime.datetime.now().astimezone().isoformat(timespec="seconds"),
            "notes": list(notes),
            "points": [
                {
                    "n": n,
                    "t": self.time(n),
                    "reps": self.times(n),
                    "wall_s": [t.wall for t in timed],
                    "cpu_s": [t.cpu for t in timed],
                    "peak_bytes": [t.peak for t in timed],
                    "queued_s": [t.queued for t in timed],
                    "preempted": [t.preempted for t in timed],
                }
                for n, timed in sorted(self.runs.items())
            ],
        }


def measure(measured: MeasuredRuns, predict: Predict) -> Iterator[MeasuringStep]:
    """Run what the plan asks for until the budget is spent; after each run what was done.

    A run that is stopped at its limit, or fails where smaller ones did not, counts as spent time only, and nothing
    larger is tried. `ApetError` where the command fails at once.
    """
    plan = measured.plan
    start, most = time.monotonic(), plan.most if plan.most is not None else 2**62

    while True:
        left = plan.budget - (time.monotonic() - start)
        chosen = next_run(measured, predict, left, most)
        if chosen is None:
            return
        n, reason = chosen
        try:
            timed = run_once(command_at(plan, n), min(plan.limit, max(left, 0.05)))
        except ApetError:
            if plan.kind == "procs" or not measured.runs or n <= max(measured.runs):
                raise
            timed, reason = Timed(0.0, 0.0, 0, True), "fails"
        spent = time.monotonic() - start
        if timed.stopped:
            most = n - 1 if plan.kind == "size" else most
            yield MeasuringStep(n, timed, spent, "stopped at the limit" if timed.wall else reason)
            if plan.kind == "procs" or timed.wall >= left:
                return
            continue
        measured.add(n, timed)
        yield MeasuringStep(n, timed, spent, reason)


def command_at(plan: MeasuringPlan, n: int) -> list[str]:
    """The command at a size."""
    return [part.replace("{n}", str(n)) for part in plan.command]


def next_run(measured: MeasuredRuns, predict: Predict, left: float, most: int) -> tuple[int, str] | None:
    """The next n and why; None where nothing more is worth it or fits into the seconds left."""
    plan, runs = measured.plan, measured.runs
    if left <= 0:
        return None
    first = plan.first or 1
    if not runs or (first < min(runs) and _guess(measured, min(runs)) <= left):
        return first, "first"

    within = left / measured.slowdown
    largest = max(runs)
    if len(runs) < ENOUGH_RUNS[plan.kind] and 2 * largest <= most and _guess(measured, 2 * largest) <= within:
        return 2 * largest, "twice the largest"
    for count in range(1, plan.repetitions):
        for n in sorted(runs):
            if len(runs[n]) <= count and measured.time(n) <= within:
                return n, "repetition"
    if len(runs) < FEWEST_FOR_A_GUESS:
        return None
    return _most_useful(measured, predict, within, most)


def _guess(measured: MeasuredRuns, n: int) -> float:
    """Seconds at twice the largest: as the last two grew, or as long as the largest."""
    sizes = sorted(measured.runs)
    last = measured.time(sizes[-1])
    if measured.plan.kind == "procs" or len(sizes) < 2:
        return last
    growth = math.log(last / measured.time(sizes[-2])) / math.log(sizes[-1] / sizes[-2])
    return float(last * (n / sizes[-1]) ** max(growth, 0.0))


def _most_useful(measured: MeasuredRuns, predict: Predict, left: float, most: int) -> tuple[int, str] | None:
    """The run that narrows the interval at the target most; of those that take a part of the time left only, where one
    of them helps, so that what they show can change what follows."""
    curve, sizes = measured.curve(), sorted(measured.runs)
    target = measured.plan.target or aim(measured, predict, left, most)
    now = _width(predict, curve, target)
    useful, affordable = list[tuple[float, float, int, str]](), list[int]()

    for n, reason in _candidates(sizes, measured.plan, most, target):
        (supposed,) = predict(curve, [n])
        if supposed.t > left:
            continue
        if supposed.t <= PART_OF_REST * left and n > sizes[-1]:
            affordable.append(n)
        gain = 1.0 - _width(predict, measured.curve([Run(n, supposed.t)]), target) / now
        if gain > WORTH:
            useful.append((gain, supposed.t, n, reason))
    if not useful and affordable and measured.plan.kind == "size":
        return max(affordable), "larger: nearer to what is predicted"
    if not useful:
        return _again(measured, left)
    few = [each for each in useful if each[1] <= PART_OF_REST * left] or useful
    gain, _, n, reason = max(few)
    return n, f"{reason}: narrows the interval by about {gain:.0%}"


def aim(measured: MeasuredRuns, predict: Predict, left: float, most: int) -> float:
    """What to predict where nobody asked for a size: four times the largest that a part of the time left allows."""
    n = max(measured.runs)
    if measured.plan.kind == "size":
        while 2 * n <= most:
            (next_one,) = predict(measured.curve(), [2 * n])
            if next_one.t > PART_OF_REST * left or n > FARTHEST * max(measured.runs):
                break
            n *= 2
    return FARTHEST * float(n)


def _again(measured: MeasuredRuns, left: float) -> tuple[int, str] | None:
    """A repetition at the size whose runs differ most, which a median of more of them is nearer to."""
    runs, most = measured.runs, MOST_REPETITIONS * measured.plan.repetitions
    allowed = [n for n, own in runs.items() if len(own) < most and measured.time(n) <= left]
    scatter = {n: math.log(max(measured.times(n)) / min(measured.times(n))) for n in allowed}
    n = max(scatter, key=lambda n: scatter[n] / len(runs[n]), default=None)
    return None if n is None or scatter[n] < WORTH else (n, "its runs differ")


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
