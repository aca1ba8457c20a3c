"""Which number of servers or jobs, think time or rate keeps response times, or their percentiles, below a deadline.

More servers and longer pauses shorten response times, more jobs and faster arrivals lengthen them: the border is
found by bisection, of whole numbers exactly. In product form that order is proved for one class (J. G. Shanthikumar
and D. D. Yao, 1988); elsewhere it is what the question assumes, and both sides of the border are given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.answer import queue
from apet.queueing.jobs import JobsResult, Percentiles
from apet.queueing.networks import NetworkResult
from apet.queueing.problems import Asked, busy_shares, class_means
from apet.queueing.varied import (
    WHOLE,
    Varied,
    class_names,
    full_name,
    hourly_cost,
    kind_of,
    limits_of,
    varied,
    with_value,
)

FALLING = ("servers", "think", "size")
"""More of them shortens response times."""
LARGEST = {"servers": 4096.0, "size": 4096.0, "population": 20_000.0, "think": 1e6, "arrival_rate": 1e9}
SMALLEST = {"servers": 1.0, "size": 1.0, "population": 1.0, "think": 0.0, "arrival_rate": 1e-9}
DIGITS = 1e-4
"""Relative width at which the bisection of times and rates ends."""


@dataclass(frozen=True, slots=True)
class LoadPoint:
    """The classes of a problem with one value of what is varied: seconds, jobs per second, percentiles by class, and
    busy shares of servers by station where jobs wait. `stable` is false where jobs arrive faster than they are served;
    everything else is empty then. `cost` is that of all servers per hour, None where nothing has a price."""

    value: float
    stable: bool
    response_time: tuple[float, ...] = ()
    throughput: tuple[float, ...] = ()
    percentiles: tuple[Percentiles | None, ...] = ()
    used: Mapping[str, float] = field(default_factory=dict)
    cost: float | None = None

    @property
    def busiest(self) -> tuple[str, float]:
        """The station with the greatest busy share, and that."""
        return max(self.used.items(), key=lambda row: row[1], default=("-", 0.0))


@dataclass(frozen=True, slots=True)
class Target:
    """A border: `met` is the last value that keeps the deadline, `missed` the next that does not (None: there is none
    in the range). `measure` is what is compared with the deadline in seconds: "mean" or a percentile, as "p99"."""

    parameter: str
    deadline: float
    measure: str
    met: LoadPoint | None
    missed: LoadPoint | None


def point(problem: Varied, name: str, value: float, percentiles: bool = True) -> LoadPoint:
    """The problem solved with a value of a parameter."""
    changed = with_value(problem, name, value)
    cost = hourly_cost(changed)
    try:
        result = queue(changed, percentiles=percentiles)
    except ApetError as error:
        if all(isinstance(d, errors.Overloaded) for d in error.diagnostics):
            return LoadPoint(value, False, cost=cost)
        raise

    assert isinstance(result, NetworkResult | JobsResult)
    rates, times = zip(*class_means(result), strict=True)
    of_classes = result.percentiles if isinstance(result, NetworkResult) else [c.percentiles for c in result.classes]
    names = [s.name for s in problem.stations]
    used = {n: share for n, share in zip(names, busy_shares(problem, result), strict=True) if share is not None}
    return LoadPoint(value, True, times, rates, tuple(of_classes), used, cost)


def measured(one: LoadPoint, c: int | None, percentile: int | None) -> float:
    """The mean or a percentile of the response time of a class, of the slowest for None; infinite without a steady
    state."""
    if not one.stable:
        return math.inf
    if percentile is None:
        times = list(one.response_time)
    else:
        times = [math.inf if p is None else p.by_level()[percentile] for p in one.percentiles]
    return max(times) if c is None else times[c]


def target(
    problem: Asked,
    name: str,
    deadline: float,
    percentile: int | None = None,
    within: tuple[float, float] | None = None,
    of: str = "",
) -> Target:
    """The border of a parameter between values that keep a deadline in seconds and values that do not.

    `percentile` is 50, 90, 95 or 99, None for the mean; `of` names a class, else all must keep it. `within` limits the
    values. Raises `ApetError` for other names.
    """
    problem, name = varied(problem), full_name(problem, name)
    names = class_names(problem)
    if of and of not in names:
        raise ApetError(errors.NoSuchNumber(None, None, of, "there is no such class", ", ".join(names)))
    kind, member = kind_of(problem, name), names.index(of) if of else None
    seen: dict[float, LoadPoint] = {}

    def keeps(value: float) -> bool:
        if value not in seen:
            seen[value] = point(problem, name, value, percentile is not None)
        return measured(seen[value], member, percentile) <= deadline

    low, high = within or limits_of(problem, name) or (SMALLEST[kind], LARGEST[kind])
    with Activity(f"solving for {name}"):
        met, missed = _border(keeps, low, high, kind in FALLING, kind in WHOLE)
    measure = "mean" if percentile is None else f"p{percentile}"
    sides = (None if value is None else seen[value] for value in (met, missed))
    good, bad = sides
    return Target(name, deadline, measure, good, bad)


def _border(
    keeps: Callable[[float], bool], low: float, high: float, falling: bool, whole: bool
) -> tuple[float | None, float | None]:
    """The values next to each other of which one keeps and one misses; None for either where there is none."""
    if whole:
        low, high = math.ceil(low), math.floor(high)
    good, bad = (high, low) if falling else (low, high)
    # From the cheap end: small systems are solved at once, large ones may take seconds.
    if keeps(low) == falling:
        return (low, None) if falling else (None, low)
    reached, step = low, 1.0
    while reached < high:
        further = min(high, reached + step if whole else max(2 * reached, reached + 1e-3))
        if keeps(further) == falling:
            good, bad = (further, reached) if falling else (reached, further)
            break
        reached, step = further, 2 * step
    else:
        return (None, high) if falling else (high, None)

    while abs(good - bad) > (1 if whole else DIGITS * max(abs(good), abs(bad))):
        middle = (good + bad) // 2 if whole else (good + bad) / 2
        if keeps(middle):
            good = middle
        else:
            bad = middle
    return good, bad
