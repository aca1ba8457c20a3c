"""Logs of one program at several input sizes as one work graph that grows with the data.

Units are matched by their order. Of a stage the work, and every delay before it, follows a line a + b size with
a, b >= 0 (as in S. Venkataraman and others, 2016, "Ernest"); its tasks become more where their numbers did, else
longer; the shape of its task times is that of the largest log. The start of the driver is the median of all logs: it
has seen no data yet.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from statistics import median
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.elastic import measured
from apet.joblogs.job_log import JobLog, SizedLogs
from apet.joblogs.rules.work import WorkGraph, WorkUnit
from apet.joblogs.rules.work_graph import usable_executors, work_graph

MORE_TASKS = 0.5
"""The exponent of a power law of numbers of tasks from which on they are taken to be proportional to the size."""
STEPS = 10_000
"""Shares of growth are multiples of 1 / `STEPS`."""


class LoggedWork(NamedTuple):
    """The log of the largest input, the work as it grows with the data, and the work of that log as it was."""

    log: JobLog
    work: WorkGraph
    own: WorkGraph


def work_of(path: str, logs: SizedLogs) -> LoggedWork:
    """One log, or several fitted; `ApetError` where they part."""
    works = [_work(log) for log in logs.logs]
    log = logs.logs[-1]
    own = _work(log, failures=True) if works[-1].lost else works[-1]
    if len(works) == 1:
        return LoggedWork(log, works[0], own)

    sizes = ", ".join(f"{size:g}" for size in logs.sizes)
    note = f"data is estimated from sizes {sizes}: work and delays along lines, tasks in proportion or not at all"
    names = [f"{path} (size {size:g})" for size in logs.sizes]
    return LoggedWork(replace(log, notes=(*log.notes, note)), fitted(names, works, logs.sizes), own)


def _work(log: JobLog, *, failures: bool = False) -> WorkGraph:
    """The work of a log, with the rules by which its executors came and went."""
    work = work_graph(log, failures=failures)
    if log.allocation is None:
        return work
    return replace(work, elastic=measured(work, log.allocation, [executor.start for executor in usable_executors(log)]))


def fitted(names: Sequence[str], works: Sequence[WorkGraph], sizes: Sequence[float]) -> WorkGraph:
    """The work at the largest size, and how it grows; sizes ascend. `ApetError` where the logs part."""
    _check(names, works)
    largest = works[-1]

    def of(sides: Callable[[WorkGraph], Sequence[WorkUnit]]) -> tuple[WorkUnit, ...]:
        rows = zip(*(sides(work) for work in works), strict=True)
        return tuple(_unit(row, sizes) for row in rows)

    units, lean = of(lambda work: work.units), of(lambda work: work.lean)
    return replace(largest, units=units, lean=lean, profile=(), size=Fraction(str(sizes[-1])), fitted=True)


def _check(names: Sequence[str], works: Sequence[WorkGraph]) -> None:
    """`ApetError` at the first unit in which a log differs from the first one."""
    for name, work in zip(names[1:], works[1:], strict=True):
        for a, b in zip(works[0].units, work.units, strict=False):
            if (a.before, bool(a.holds), a.stage) != (b.before, bool(b.holds), b.stage):
                reason = f"{a.name} in one, {b.name} in the other"
                raise ApetError(errors.DifferentLogs(None, None, names[0], name, max(a.stage, b.stage), reason))
        if len(works[0].units) != len(work.units):
            last = min(len(works[0].units), len(work.units))
            reason = f"one has {len(works[0].units)} stages and delays, the other {len(work.units)}"
            raise ApetError(errors.DifferentLogs(None, None, names[0], name, last, reason))


def _unit(row: Sequence[WorkUnit], sizes: Sequence[float]) -> WorkUnit:
    shape, largest = row[-1], sizes[-1]
    start, slope = line(sizes, [unit.delay for unit in row])
    delay, growth = (start + slope * largest, slope * largest) if shape.before else (median(u.delay for u in row), 0)
    unit = replace(shape, delay=round(delay), delay_growth=min(round(growth), round(delay)))
    if not shape.holds:
        return unit

    start, slope = line(sizes, [unit.work for unit in row])
    factor = (start + slope * largest) / max(1, shape.work)
    share = slope * largest / max(1, start + slope * largest)
    unit = unit.with_holds([round(hold * factor) for hold in shape.holds])
    splits = _exponent(sizes, [len(each.holds) for each in row]) >= MORE_TASKS
    return replace(unit, growth=Fraction(round(share * STEPS), STEPS), splits=splits)


def line(sizes: Sequence[float], values: Sequence[float]) -> tuple[float, float]:
    """Start and slope of the line, neither of them negative, with the least squares."""
    n, sx, sy = len(sizes), sum(sizes), sum(values)
    sxx = sum(x * x for x in sizes)
    sxy = sum(x * y for x, y in zip(sizes, values, strict=True))
    determinant = n * sxx - sx * sx
    if determinant <= 0:
        return sy / n, 0.0

    slope = (n * sxy - sx * sy) / determinant
    start = (sy - slope * sx) / n
    if slope < 0:
        return sy / n, 0.0
    return (0.0, sxy / sxx) if start < 0 else (start, slope)


def _exponent(sizes: Sequence[float], counts: Sequence[int]) -> float:
    """That of the power law through counts of 1 or more, with the least squares of logarithms."""
    xs, ys = [math.log(x) for x in sizes], [math.log(y) for y in counts]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    across = sum((x - mean_x) ** 2 for x in xs)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / across if across else 0.0
