"""What limits: the path that ends last, walked back, each span by what made it as long as it is."""

from __future__ import annotations

from dataclasses import dataclass

from apet.joblogs.job_log import US
from apet.joblogs.rules.work import WorkGraph, WorkUnit
from apet.joblogs.what_if import on_cores

DRIVER, LONGEST, FEW, CORES = "driver", "longest task", "too few tasks", "cores"


@dataclass(frozen=True, slots=True)
class LimitShare:
    """A span of the path that decides: seconds, their share of the whole, of which unit, and why."""

    name: str
    kind: str  #: "driver", "longest task", "too few tasks" or "cores"
    tasks: int
    seconds: float
    share: float


def limits(work: WorkGraph, cores: int) -> tuple[LimitShare, ...]:
    """The spans of the deciding path on so many cores, the longest first."""
    track, units = on_cores(work, cores), work.units_on(cores)
    if not units or not track.makespan:
        return ()

    spans, k = list[LimitShare](), max(range(len(units)), key=lambda k: (track.ended[k], k))
    while True:
        unit = units[k]
        before = max(unit.before, key=lambda p: (track.ended[p], p), default=None)
        begin = track.ended[before] if before is not None else 0
        waited = track.first[k] - track.ready[k] if unit.holds else 0
        for kind, length in _parts(unit, track.ended[k] - begin, max(0, waited), cores):
            if length > 0:
                spans.append(LimitShare(unit.name, kind, len(unit.holds), length / US, length / track.makespan))
        if before is None:
            return tuple(sorted(spans, key=lambda span: -span.seconds))
        k = before


def _parts(unit: WorkUnit, length: int, waited: int, cores: int) -> list[tuple[str, int]]:
    """What a unit's span is made of: the driver's delays, the wait of its tasks for a core, and they themselves."""
    delays = min(length, unit.delay + unit.tail)
    if not unit.holds:
        return [(DRIVER, length)]
    waited = min(waited, length - delays)
    parts = {DRIVER: delays, CORES: waited}
    kind = _kind(unit, cores)
    parts[kind] = parts.get(kind, 0) + length - delays - waited
    return list(parts.items())


def _kind(unit: WorkUnit, cores: int) -> str:
    """Why the tasks of a unit take as long as they do."""
    mean = unit.work / len(unit.holds)
    if len(unit.holds) <= cores:
        return LONGEST if unit.longest > SKEWED * mean else FEW
    return LONGEST if unit.longest * cores > unit.work else CORES


SKEWED = 2
"""From so many times the mean on, a longest task is called long rather than the tasks few."""


def by_kind(spans: tuple[LimitShare, ...]) -> dict[str, float]:
    """Shares of the whole by what limits, the greatest first."""
    shares: dict[str, float] = {}
    for span in spans:
        shares[span.kind] = shares.get(span.kind, 0.0) + span.share
    return dict(sorted(shares.items(), key=lambda item: -item[1]))
