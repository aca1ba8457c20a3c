"""Executors that come and go: the rules of Spark's `ExecutorAllocationManager` and `ExecutorMonitor` (Spark 3 and 4).

While tasks wait, executors are asked for in rounds: 1, 2, 4, ... more, the first after `backlog`, further ones every
`sustained`, never more than all tasks need. One that had nothing to do for `idle` is given back, unless it holds
shuffle data that no service keeps. There are `least` at any time, and `initial` when the application starts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NoReturn

from apet.ground.diagnostics import ApetError
from apet.joblogs import errors
from apet.joblogs.job_log import US, AllocationRules

SETTING = re.compile(r"allocation\.(\w+)")
COUNTS = {"min": "least", "initial": "initial"}
TIMES = {"backlog": "backlog", "sustained": "sustained", "idle": "idle", "startup": "startup"}
MOST_EXECUTORS, LONGEST_S = 100_000, 10**6


@dataclass(frozen=True)
class Allocation:
    """Rules with what was measured: when the first executors came, and how long one takes from the request until it is
    there, in the median and at the slowest; in microseconds."""

    rules: AllocationRules
    slots: int  #: of an executor
    came: Sequence[int]  #: when each executor of the log did
    startup: int
    slowest: int

    @property
    def first(self) -> list[int]:
        """When each of the initial executors comes: as in the log, and where it had fewer as late as its last."""
        count = max(self.rules.initial, self.rules.least)
        known = list(self.came[:count])
        return known + [known[-1] if known else self.startup] * (count - len(known))

    def wanted(self, settings: Mapping[str, Fraction]) -> Allocation:
        """The same with `allocation.NAME` as set: numbers of executors, or times in seconds; `ApetError`."""
        changed = self
        for name, value in settings.items():
            match = SETTING.fullmatch(name)
            key = match[1] if match else ""
            if key in COUNTS:
                count = _within(
                    name, value, MOST_EXECUTORS, f"a whole number of executors from 0 to {MOST_EXECUTORS:,}"
                )
                changed = replace(changed, rules=changed.rules._replace(**dict[str, Any]({COUNTS[key]: count})))
            elif key == "startup":
                time = _within(name, value * US, LONGEST_S * US, f"seconds from 0 to {LONGEST_S:,}")
                changed = replace(changed, startup=time, slowest=time)
            elif key in TIMES:
                time = _within(name, value * US, LONGEST_S * US, f"seconds from 0 to {LONGEST_S:,}")
                changed = replace(changed, rules=changed.rules._replace(**dict[str, Any]({TIMES[key]: time})))
            else:
                _refuse(
                    name,
                    "there is no such rule",
                    f"rules are {', '.join(f'allocation.{k}' for k in (*COUNTS, *TIMES))}",
                )
        return changed

    @property
    def round(self) -> int:
        """From one request to the next."""
        return self.rules.sustained + POLL

    @property
    def ramp(self) -> int:
        """The longest time from when tasks wait until the executor of the first request is there."""
        # where tasks waited before, the next request comes after `sustained`
        return max(self.rules.backlog, self.rules.sustained) + POLL + self.slowest


POLL = US // 10
"""How often Spark looks whether executors are needed (`spark.dynamicAllocation`'s interval, 100 ms)."""


def _within(name: str, value: Fraction, most: int, what: str) -> int:
    if (value.denominator != 1 and "whole" in what) or not 0 <= value <= most:
        _refuse(name, f"{float(value):g} is out of range", what)
    return round(value)


def _refuse(name: str, reason: str, advice: str) -> NoReturn:
    raise ApetError(errors.UnknownStage(None, None, name, reason, advice))
