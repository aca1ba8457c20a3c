"""Measuring a command at the points of a design over several parameters, cheap points first, into a table."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from apet.ground.timed_run import Timed, run_once

COMMAND = "# command: "
Point = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class DesignPlan:
    """What to run: `{n}` in the command stands for the parameter n. `budget` and `limit` are seconds in all and for one
    run; `points` have a value for each of the names."""

    command: tuple[str, ...]
    names: tuple[str, ...]
    points: tuple[Point, ...]
    repetitions: int
    budget: float
    limit: float

    def at(self, point: Point) -> list[str]:
        """The command at a point."""
        parts = list(self.command)
        for name, value in zip(self.names, point, strict=True):
            parts = [part.replace(f"{{{name}}}", shown(value)) for part in parts]
        return parts


@dataclass(frozen=True, slots=True)
class DesignStep:
    """One run, for who watches: its point, its times, seconds spent so far, whether it was ended at the limit."""

    point: Point
    timed: Timed
    spent: float


def measure_design(plan: DesignPlan, earlier: Mapping[Point, Sequence[float]]) -> Iterator[DesignStep]:
    """Run what is missing of a design, once at each point and then the repetitions, until the budget is spent."""
    start = time.monotonic()
    counts = {x: len(earlier.get(x, ())) for x in plan.points}
    stopped = set[Point]()

    for repetition in range(plan.repetitions):
        for x in sorted(plan.points, key=math.prod):
            left = plan.budget - (time.monotonic() - start)
            if counts[x] > repetition or x in stopped:
                continue
            if left <= 0:
                return

            timed = run_once(plan.at(x), min(plan.limit, left))
            if timed.stopped:
                stopped.add(x)
            counts[x] += 1
            yield DesignStep(x, timed, time.monotonic() - start)


def table(plan: DesignPlan, times: Mapping[Point, Sequence[float]]) -> str:
    """The runs in the long form, the command in a remark."""
    lines = [COMMAND + " ".join(plan.command), ",".join([*plan.names, "phase", "metric", "value", "unit", "rep"])]
    for x, seconds in times.items():
        lines += [",".join([*map(shown, x), "", "time", f"{t!r}", "s", f"{k}"]) for k, t in enumerate(seconds, start=1)]
    return "\n".join(lines)


def shown(value: float) -> str:
    """A value as the command gets it."""
    return f"{value:.12g}"
