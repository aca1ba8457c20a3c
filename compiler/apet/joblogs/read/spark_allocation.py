"""Settings of Spark's dynamic allocation; defaults are those of Spark 3 and 4."""

from __future__ import annotations

import re
from collections.abc import Mapping

from apet.joblogs.allocation import LONGEST_S, MOST_EXECUTORS
from apet.joblogs.job_log import US, AllocationRules

PREFIX = "spark.dynamicAllocation."
ENABLED = f"{PREFIX}enabled"
ALLOCATION = (
    *(ENABLED, f"{PREFIX}minExecutors", f"{PREFIX}initialExecutors", f"{PREFIX}maxExecutors"),
    *(f"{PREFIX}executorIdleTimeout", f"{PREFIX}executorAllocationRatio"),
    *(f"{PREFIX}schedulerBacklogTimeout", f"{PREFIX}sustainedSchedulerBacklogTimeout"),
    *("spark.executor.instances", "spark.shuffle.service.enabled"),
)
SUFFIXES = {"us": 1, "ms": 1000, "s": US, "": US, "m": 60 * US, "min": 60 * US, "h": 3600 * US, "d": 86_400 * US}
TIME = re.compile(r"(\d{1,12})\s*([a-z]*)")


def allocation_rules(settings: Mapping[str, str]) -> AllocationRules | None:
    """The rules of a log, or None if executors are fixed, or only a share of what tasks need is asked for
    (`executorAllocationRatio`); a setting that is no number counts as its default."""
    if settings.get(ENABLED) != "true" or settings.get(f"{PREFIX}executorAllocationRatio", "1") not in ("1", "1.0"):
        return None
    backlog = _time(settings.get(f"{PREFIX}schedulerBacklogTimeout"), US)
    least = _count(settings.get(f"{PREFIX}minExecutors"), 0)
    initial = _count(settings.get(f"{PREFIX}initialExecutors"), least)
    return AllocationRules(
        least=least,
        initial=max(least, initial, _count(settings.get("spark.executor.instances"), 0)),
        most=_count(settings.get(f"{PREFIX}maxExecutors"), MOST_EXECUTORS),
        backlog=backlog,
        sustained=_time(settings.get(f"{PREFIX}sustainedSchedulerBacklogTimeout"), backlog),
        idle=_time(settings.get(f"{PREFIX}executorIdleTimeout"), 60 * US),
        keeps=settings.get("spark.shuffle.service.enabled") != "true",
    )


def _count(text: str | None, default: int) -> int:
    return min(int(text), MOST_EXECUTORS) if text is not None and text.isdecimal() and len(text) < 19 else default


def _time(text: str | None, default: int) -> int:
    match = TIME.fullmatch(text.strip().lower()) if text is not None else None
    if match is None or match[2] not in SUFFIXES:
        return default
    return min(int(match[1]) * SUFFIXES[match[2]], LONGEST_S * US)
