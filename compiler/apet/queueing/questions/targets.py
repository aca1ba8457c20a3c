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
from apet.queueing.data.jobs import LEVELS, JobsResult, Percentiles, Scenario
from apet.queueing.data.layers import Layered
from apet.queueing.data.networks import NetworkResult
from apet.queueing.data.problems import Asked, busy_shares, class_means
from apet.queueing.data.varied import (
    WHOLE,
    Varied,
    class_names,
    full_name,
    hourly_cost,
    kind_of,
    limits_of,
    require_value,
    value_of,
    varied,
    with_value,
)
from apet.queueing.methods.answer import queue
from apet.queueing.methods.in_order import as_jobs
from apet.queueing.methods.precedence import simulation
from apet.queueing.methods.precedence.capacity import refuse_overload
from apet.queueing.methods.precedence.solve import SEED

FALLING = ("servers", "think", "size")
"""More of them shortens response times."""
LEAST = 1e-9
LARGEST = {"servers": 4096.0, "size": 4096.0, "population": 20_000.0, "think": 1e6, "arrival_rate": 1e9}
SMALLEST = {"servers": 1.0, "size": 1.0, "population": 1.0, "think": 0.0, "arrival_rate": LEAST}
DIGITS, COARSE = 1e-4, 1e-3
"""Relative width at which the bisection of times and rates ends; of simulated answers."""
FURTHEST = 1e3
"""How many times as much or as little as in the file is simulated, where no range is given."""
SHORT_EVENTS, CLEAR = (100_000, 600_000), 2.0
"""Short simulations, and how many half-widths of its interval must lie between a mean and the deadline."""


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
    def simulated(self) -> bool:
        """Whether its percentiles, and with them perhaps its means, come from a simulation."""
        return any(p is not None and p.source == "simulated" for p in self.percentiles)

    @property
    def busiest(self) -> tuple[str, float]:
        """The station with the greatest busy share, and that."""
        return max(self.used.items(), key=lambda row: row[1], default=("-", 0.0))


@dataclass(frozen=True, slots=True)
class Target:
    """A border: `met` is the last value that keeps the deadline, `missed` the next that does not (None: there is none
    `within`). `measure` is what is compared with the deadline in seconds: "mean" or a percentile, as "p99"."""

    parameter: str
    deadline: float
    measure: str
    met: LoadPoint | None
    missed: LoadPoint | None
    within: tuple[float, float]


def point(
    problem: Varied, name: str, value: float, percentiles: bool = True, levels: tuple[float, ...] = LEVELS
) -> LoadPoint:
    """The problem solved with a value of a parameter."""
    changed = with_value(problem, name, value)
    try:
        return as_it_is(changed, value, percentiles, levels)
    except ApetError as error:
        if _is_overload(error):
            return LoadPoint(value, False, cost=hourly_cost(changed))
        raise


def as_it_is(
    problem: Varied, value: float = 0.0, percentiles: bool = True, levels: tuple[float, ...] = LEVELS
) -> LoadPoint:
    """The problem solved; `ApetError` where jobs arrive faster than they are served."""
    result = queue(problem, percentiles=percentiles, levels=levels)
    assert isinstance(result, NetworkResult | JobsResult)
    rates, times = zip(*class_means(result), strict=True)
    of_classes = result.percentiles if isinstance(result, NetworkResult) else [c.percentiles for c in result.classes]
    names = [s.name for s in problem.stations]
    used = {n: share for n, share in zip(names, busy_shares(problem, result), strict=True) if share is not None}
    return LoadPoint(value, True, times, rates, tuple(of_classes), used, hourly_cost(problem))


def measured(one: LoadPoint, c: int | None, percentile: float | None) -> float:
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
    percentile: float | None = None,
    within: tuple[float, float] | None = None,
    of: str = "",
) -> Target:
    """The border of a parameter between values that keep a deadline in seconds and values that do not.

    `percentile` is in percent, None for the mean; `of` names a class, else all must keep it. `within` limits the
    values. Raises `ApetError` for other names.
    """
    problem, name = varied(problem), full_name(problem, name)
    names = class_names(problem)
    if of and of not in names:
        raise ApetError(errors.NoSuchNumber(None, None, of, "there is no such class", ", ".join(names)))
    kind, member = kind_of(problem, name), names.index(of) if of else None
    whole, start = kind in WHOLE, value_of(problem, name)
    low, high = within or limits_of(problem, name) or (SMALLEST[kind], LARGEST[kind])
    for end in (low, high):
        require_value(problem, name, end)
    if whole:  # from the cheap end: small systems are solved at once, large ones may take seconds
        low, high = math.ceil(low), math.floor(high)
        start = low
    start = min(max(start, low), high)

    search = _DeadlineSearch(problem, name, deadline, percentile, member)
    with Activity(f"solving for {name}"):
        if search.full(start).simulated and not (whole or within):
            low, high = max(low, start / FURTHEST), min(high, start * FURTHEST or high)
        met, missed = search.border(start, low, high, kind in FALLING, whole)
    measure = "mean" if percentile is None else f"p{percentile:g}"
    return Target(name, deadline, measure, met, missed, (low, high))


class _DeadlineSearch:
    """Values of a parameter, and whether they keep a deadline; full answers are remembered by value.

    What is simulated is decided by a short simulation where its interval lies clear of the deadline: far from the
    border nobody needs a mean to a percent. Both sides of the border have full answers; where these contradict a short
    simulation, the search begins again without.
    """

    def __init__(
        self, problem: Varied, name: str, deadline: float, percentile: float | None, member: int | None
    ) -> None:
        self.problem, self.name = problem, name
        self.deadline, self.percentile, self.member = deadline, percentile, member
        self.levels = LEVELS if percentile is None else tuple(sorted({*LEVELS, percentile}))
        self.points: dict[float, LoadPoint] = {}
        self.shortens = True

    def full(self, value: float) -> LoadPoint:
        """The problem solved with a value."""
        if value not in self.points:
            self.points[value] = point(self.problem, self.name, value, self.percentile is not None, self.levels)
        return self.points[value]

    def border(
        self, start: float, low: float, high: float, falling: bool, whole: bool
    ) -> tuple[LoadPoint | None, LoadPoint | None]:
        """The values next to each other of which one keeps and one misses; None for either where there is none."""
        digits = COARSE if self.full(start).simulated else DIGITS
        for self.shortens in (True, False):
            sides = _border(self._keeps, start, (low, high), falling, 0 if whole else digits)
            met, missed = (None if value is None else self.full(value) for value in sides)
            if (met is None or self._meets(met)) and (missed is None or not self._meets(missed)):
                break
        return met, missed

    def _keeps(self, value: float) -> bool:
        simulated = any(p.simulated for p in self.points.values())
        if self.shortens and simulated and value not in self.points:
            clear = self._clear(with_value(self.problem, self.name, value))
            if clear is not None:
                return clear
        return self._meets(self.full(value))

    def _meets(self, one: LoadPoint) -> bool:
        return measured(one, self.member, self.percentile) <= self.deadline

    def _clear(self, problem: Varied) -> bool | None:
        """What short simulations decide, None where they do not."""
        if isinstance(problem, Layered):
            return None
        scenario = problem if isinstance(problem, Scenario) else as_jobs(problem)
        try:
            refuse_overload(scenario)
            verdicts = (self._verdict(simulation.run(scenario, events, SEED)) for events in SHORT_EVENTS)
            return next((verdict for verdict in verdicts if verdict is not None), None)
        except ApetError as error:
            return False if _is_overload(error) else None  # full answers raise again what is no overload

    def _verdict(self, short: simulation.Simulated) -> bool | None:
        level = None if self.percentile is None else self.levels.index(self.percentile)
        estimates = short.response if level is None else [row[level] for row in short.percentiles]
        looked_at = estimates if self.member is None else [estimates[self.member]]

        if all(e.value + CLEAR * e.half_width <= self.deadline for e in looked_at):
            return True
        return False if any(e.value - CLEAR * e.half_width > self.deadline for e in looked_at) else None


def _is_overload(error: ApetError) -> bool:
    return all(isinstance(d, errors.Overloaded) for d in error.diagnostics)


def _border(
    keeps: Callable[[float], bool], start: float, within: tuple[float, float], falling: bool, digits: float
) -> tuple[float | None, float | None]:
    """The values next to each other of which one keeps and one misses; None for either where there is none.

    `digits` is their relative distance, 0 for whole numbers. From `start` steps grow towards the end at which the
    answer may change, then the last one is halved.
    """
    first = keeps(start)
    end = within[first != falling]
    near, far, step = start, start, 1.0
    while keeps(far) == first:
        if far == end:
            return (end, None) if first else (None, end)
        near, step = far, 2 * step if digits == 0 else min(step * max(2.0, step), 1e6)
        far = _further(near, step / 2 if digits == 0 else step, end, digits == 0)

    good, bad = (near, far) if first else (far, near)
    while abs(good - bad) > (digits * max(good, bad) if digits else 1):
        middle = (math.sqrt(good * bad) or (good + bad) / 2) if digits else (good + bad) // 2
        if keeps(middle):
            good = middle
        else:
            bad = middle
    return good, bad


def _further(value: float, step: float, end: float, whole: bool) -> float:
    """So many more or, of times and rates, times as many; not beyond the end."""
    if end > value:
        return min(end, value + step if whole else max(value * step, LEAST))
    further = value - step if whole else value / step
    return end if further <= max(end, 0 if whole else LEAST) else further
