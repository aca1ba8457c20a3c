"""Changes to the tasks of a log: other numbers of tasks, less skew, and numbers of tasks that follow the cores."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import NoReturn

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.dask_replay import dask_replay
from apet.joblogs.elastic import ElasticSchedule
from apet.joblogs.replay import replay
from apet.joblogs.rules.schedule import ScheduleTrack
from apet.joblogs.rules.work import WorkGraph, WorkUnit

SETTING = re.compile(r"(partitions|skew)\.(\d+)")
MOST_TASKS = 1_000_000


def makespan(work: WorkGraph, cores: int, track: ScheduleTrack) -> int:
    """The estimate of a replay on so many cores, in microseconds. On fewer than the log's, tasks may cost less beside
    their own run, but not so much that the whole is faster."""
    if cores >= work.cores or work.lean == work.units:
        return track.makespan
    return max(track.makespan, on_cores(work, work.cores).makespan)


def on_cores(work: WorkGraph, cores: int, *, own_run: bool = False) -> ScheduleTrack:
    """The replay on so many cores; where numbers of tasks follow the cores, with those of so many. On the log's own
    cores it keeps intervals."""
    own_run = own_run and (bool(work.profile) or work.order == "dask" or work.allocation is not None)
    if cores > work.cores and not (own_run or work.following or work.order == "dask" or work.allocation):
        # with more cores than where no task waited nothing is different
        counts = (n for (n, own), track in work.tracks.items() if not own and work.cores <= n and not track.waited)
        cores = min((cores, *counts))
    if (cores, own_run) not in work.tracks:
        work.tracks[cores, own_run] = _replayed(work, cores, own_run, cores == work.cores)
    return work.tracks[cores, own_run]


def _replayed(work: WorkGraph, cores: int, own_run: bool, intervals: bool) -> ScheduleTrack:
    if work.following and cores != work.cores:
        work = replace(
            work, units=_spread_over(work.units, work.cores, cores), lean=_spread_over(work.lean, work.cores, cores)
        )
    if work.order == "dask" and not own_run and all(len(unit.holds) <= 1 for unit in work.units):
        return dask_replay(work, cores, intervals)
    if work.allocation is not None and not own_run:
        return ElasticSchedule(work, cores, intervals).run(())
    return replay(work, cores, intervals=intervals, own_run=own_run)


def _spread_over(units: Sequence[WorkUnit], old: int, new: int) -> tuple[WorkUnit, ...]:
    return tuple(
        repartitioned(unit, max(1, len(unit.holds) * new // old)) if len(unit.holds) > 1 else unit for unit in units
    )


def repartitioned(unit: WorkUnit, count: int) -> WorkUnit:
    """The same work in so many tasks: what tasks of the log ran is split or joined in the order of their launch. Each
    task has the mean overhead of those in the log, and its result comes as late as theirs did in the mean."""
    runs, tasks = unit.runs or unit.holds, len(unit.holds)
    overhead, late = (unit.work - sum(runs)) // tasks, (sum(unit.results) - unit.work) // tasks
    parts = _cut(runs, count)
    holds = [part + overhead for part in parts]
    return unit.with_tasks(holds, [hold + late for hold in holds], parts)


def _cut(times: Sequence[int], count: int) -> list[int]:
    """The sum of all times in so many parts of equal width along their order."""
    sums = [0, *accumulate(times)]
    n = len(times)

    def until(k: int) -> int:
        whole, part = divmod(k * n, count)
        return sums[whole] + (times[whole] * part // count if part else 0)

    ends = [until(k) for k in range(count + 1)]
    return [b - a for a, b in pairwise(ends)]


def without_skew(unit: WorkUnit, ratio: Fraction) -> WorkUnit:
    """The same work with the longest task so many times the mean; what is less skewed already stays."""
    mean = Fraction(unit.work, len(unit.holds))
    if unit.longest_hold <= ratio * mean:
        return unit
    factor = (ratio - 1) / (unit.longest_hold / mean - 1)
    return unit.with_holds([round(mean + (hold - mean) * factor) for hold in unit.holds])


def changed(work: WorkGraph, settings: Mapping[str, Fraction]) -> WorkGraph:
    """The work with all changes `partitions.STAGE` and `skew.STAGE`; `ApetError` where a stage or change is unknown."""
    rules = {name: value for name, value in settings.items() if name.startswith("allocation.")}
    if rules:
        work = with_allocation(work, rules)
        settings = {name: value for name, value in settings.items() if name not in rules}
    by_stage = {unit.stage: k for k, unit in enumerate(work.units) if unit.holds}
    units, lean = list(work.units), list(work.lean)
    for name, value in settings.items():
        match = SETTING.fullmatch(name)
        if match is None:
            _refuse(
                name,
                "there is no such change",
                "changes: partitions.STAGE=512, skew.STAGE=1, allocation.min=2; of cores: --executors 4 or --cores 16",
            )
        k = by_stage.get(int(match[2]) if len(match[2]) < 19 else -2)
        if k is None:
            listed = ", ".join(map(str, sorted(by_stage)[:8]))
            _refuse(name, f"no stage {match[2][:20]} ran", f"stages are {listed}{', …' if len(by_stage) > 8 else ''}")
        for side in (units, lean):
            side[k] = _changed(side[k], match[1], name, value)

    return replace(work, units=tuple(units), lean=tuple(lean), sure=False)


def with_allocation(work: WorkGraph, settings: Mapping[str, Fraction]) -> WorkGraph:
    """The work on executors that come and go by the rules of the log, changed by `allocation.RULE`; `ApetError`."""
    if work.elastic is None:
        _refuse(
            next(iter(settings)),
            "the log has no rules for executors that come and go",
            "they are in logs of Spark with spark.dynamicAllocation.enabled",
        )
    return replace(work, allocation=work.elastic.wanted(settings), profile=(), sure=False)


def _changed(unit: WorkUnit, kind: str, name: str, value: Fraction) -> WorkUnit:
    if kind == "skew":
        if value < 1:
            _refuse(name, "the longest task cannot be below the mean", "1 is no skew at all")
        return without_skew(unit, value)
    if value.denominator != 1 or not 1 <= value <= MOST_TASKS:
        _refuse(name, f"{value} is no number of tasks", f"a whole number from 1 to {MOST_TASKS:,}")
    return repartitioned(unit, int(value))


def _refuse(name: str, reason: str, advice: str) -> NoReturn:
    raise ApetError(errors.UnknownStage(None, None, name, reason, advice))
