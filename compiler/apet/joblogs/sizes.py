"""Logs of one program at several input sizes, as the work at another size.

Units are matched by their order. Of a stage the number of tasks follows a power law of the size, its work and every
delay a line a + b size with a, b >= 0 (as in S. Venkataraman and others, 2016, "Ernest"); the shape of its task times
is that of the largest log. The start of the driver is the median of all logs: it has seen no data yet.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import median

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.rules.work import WorkGraph, WorkUnit
from apet.joblogs.what_if import repartitioned

MOST_TASKS = 1_000_000


def at_size(names: Sequence[str], works: Sequence[WorkGraph], sizes: Sequence[float], size: float) -> WorkGraph:
    """The work at a size, on the cores of the log of the largest one; `ApetError` where the logs part."""
    order = sorted(range(len(works)), key=lambda k: sizes[k])
    names, works, sizes = [names[k] for k in order], [works[k] for k in order], [sizes[k] for k in order]
    _check(names, works)
    largest = works[-1]

    def of(sides: Callable[[WorkGraph], Sequence[WorkUnit]]) -> tuple[WorkUnit, ...]:
        rows = zip(*(sides(work) for work in works), strict=True)
        return tuple(_unit(row, sizes, size) for row in rows)

    return replace(largest, units=of(lambda work: work.units), lean=of(lambda work: work.lean), profile=())


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


def _unit(row: Sequence[WorkUnit], sizes: Sequence[float], size: float) -> WorkUnit:
    shape = row[-1]
    delays = [unit.delay for unit in row]
    delay = round(line(sizes, delays, size) if shape.before else median(delays))
    tail = round(line(sizes, [unit.tail for unit in row], size))
    unit = replace(shape, delay=delay, tail=tail)
    if not shape.holds:
        return unit

    count = min(MOST_TASKS, max(1, round(_power(sizes, [len(unit.holds) for unit in row], size))))
    work = line(sizes, [unit.work for unit in row], size)
    unit = repartitioned(unit, count)
    factor = work / max(1, unit.work)
    holds = array("q", (round(hold * factor) for hold in unit.holds))
    late = [max(0, r - h) for h, r in zip(unit.holds, unit.results, strict=True)]
    return unit.with_tasks(holds, [h + x for h, x in zip(holds, late, strict=True)])


def line(sizes: Sequence[float], values: Sequence[float], size: float) -> float:
    """The value at a size of the line a + b size, a and b not negative, with the least squares."""
    n, sx, sy = len(sizes), sum(sizes), sum(values)
    sxx = sum(x * x for x in sizes)
    sxy = sum(x * y for x, y in zip(sizes, values, strict=True))
    determinant = n * sxx - sx * sx
    if determinant <= 0:
        return sy / n

    slope = (n * sxy - sx * sy) / determinant
    start = (sy - slope * sx) / n
    if slope < 0:
        return sy / n
    return sxy / sxx * size if start < 0 else start + slope * size


def _power(sizes: Sequence[float], counts: Sequence[int], size: float) -> float:
    """The value at a size of the power law through counts of 1 or more, with the least squares of logarithms."""
    if len(set(counts)) == 1:
        return counts[0]
    xs, ys = [math.log(x) for x in sizes], [math.log(y) for y in counts]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    across = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True)) / across if across else 0.0
    return math.exp(min(700.0, mean_y + slope * (math.log(size) - mean_x)))
