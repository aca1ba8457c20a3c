"""The work on another amount of data: more tasks or longer ones, and longer delays.

Of F = 1 + growth (data - 1) times the work, a unit that splits has floor(F) copies of every task and some more of equal
length for the rest, which are no longer than the mean. All other units, and all on less data, have tasks F times as
long.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.rules.work import WorkGraph, WorkUnit

MOST_TASKS = 1_000_000
MOST_DATA = 1_000
"""How many times more or less data than in the log may be asked for."""


def with_data(work: WorkGraph, data: Fraction) -> WorkGraph:
    """The work on so much data, in the unit of `work.size`; `ApetError` where that is beyond what a log can tell."""
    factor = data / Fraction(work.size)
    if not Fraction(1, MOST_DATA) <= factor <= MOST_DATA:
        advice = f"up to {MOST_DATA:,} times more or less than in the log"
        _refuse(data, "that is beyond what a log can tell", advice)
    tasks = sum(len(unit.holds) * max(1, ceil(_factor(unit, factor))) for unit in work.units if unit.splits)
    if tasks > max(MOST_TASKS, work.tasks):
        _refuse(data, f"that makes {tasks:,} tasks", f"at most {MOST_TASKS:,} can be replayed")

    units = tuple(_scaled(unit, factor) for unit in work.units)
    lean = tuple(_scaled(unit, factor) for unit in work.lean)
    profile = work.profile if factor == 1 else ()
    return replace(work, units=units, lean=lean, profile=profile, size=data)


def _factor(unit: WorkUnit, factor: Fraction) -> Fraction:
    return 1 + unit.growth * (factor - 1)


def _scaled(unit: WorkUnit, data: Fraction) -> WorkUnit:
    delay = unit.delay + round(unit.delay_growth * (data - 1))
    factor = _factor(unit, data)
    growth = unit.growth * data / factor if unit.growth else unit.growth
    unit = replace(unit, delay=delay, delay_growth=round(unit.delay_growth * data), growth=growth)
    if factor == 1 or not unit.holds:
        return unit

    if not unit.splits or factor < 1:
        return unit.with_holds([round(hold * factor) for hold in unit.holds])
    copies = floor(factor)
    rest = _rest(unit, factor - copies)
    columns = (list(column) * copies for column in (unit.holds, unit.results, unit.runs or unit.holds))
    return unit.with_tasks(*([*column, *rest] for column in columns))


def _rest(unit: WorkUnit, share: Fraction) -> list[int]:
    """A share of the work below 1 in tasks of equal length, none longer than the mean."""
    count = ceil(len(unit.holds) * share)
    return [round(unit.work * share / max(1, count))] * count


def _refuse(data: Fraction, reason: str, advice: str) -> None:
    raise ApetError(errors.UnknownStage(None, None, f"data={float(data):g}", reason, advice))
