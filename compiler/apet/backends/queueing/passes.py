"""One job followed from event to event with given demands: what the Markov chain becomes where demands do not vary, and
a quadrature over demands where the chain would have too many states.

Waits at queues are quantiles of what other jobs leave to do, at points that are the same in every run; tasks that an
event sends to several queues meet equally long queues or independent ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.analysis.jobs import Circulation, Distribution, JobStation, Scenario, Task
from apet.backends.queueing.chain import Field, Solved, is_queue
from apet.backends.queueing.direct import mixture

Array = NDArray[np.float64]
WAITS, DEMANDS = 24, 64
"""Points over waits where demands do not vary, and over demands and waits together."""
Uniform = Callable[[int, int], float]
"""A number in (0, 1) for the event of a number and a station."""


class Point(NamedTuple):
    """One point of a quadrature: demands by task and step, relative to their means, and uniforms for waits."""

    demands: Sequence[Sequence[float]]
    uniform: Uniform


class _Item:
    """A task at a station: work and wait left, and the batch that it came with."""

    __slots__ = ("batch", "left", "station", "step", "task", "wait")

    def __init__(self, task: int, step: int, station: int, left: float, wait: float, batch: int) -> None:
        self.task, self.step, self.station = task, step, station
        self.left, self.wait, self.batch = left, wait, batch


class _Pass:
    def __init__(
        self, tasks: Sequence[Task], stations: tuple[JobStation, ...], field: Field, point: Point, rare: bool
    ) -> None:
        self.tasks, self.stations, self.field, self.point, self.rare = tasks, stations, field, point, rare
        self.queue = [is_queue(s) for s in stations]
        number = len(stations)
        self.at: list[list[_Item]] = [[] for _ in stations]
        self.present = np.zeros((number, len(tasks) + 1))
        self.leading = np.zeros((number, len(tasks) + 1))
        self.batches = np.zeros((number, 4))
        self.active = np.zeros(len(tasks))
        self.together = np.zeros((len(tasks), len(tasks)))
        self.missing = [len(t.predecessors) for t in tasks]
        self.after = [[j for j, t in enumerate(tasks) if i in t.predecessors] for i in range(len(tasks))]
        self.clock, self.events = 0.0, 0

    def run(self) -> Solved:
        self.enter([(t, 0) for t, n in enumerate(self.missing) if not n])
        while any(self.at):
            self.advance()
        number = range(len(self.stations))
        return Solved(
            self.clock,
            tuple(_trimmed(self.present[k]) for k in number),
            tuple(_trimmed(self.leading[k]) for k in number),
            self.batches,
            self.active,
            self.together,
        )

    def rates(self) -> list[tuple[_Item, float, bool]]:
        """What changes now: the item, how fast, and whether it is its wait."""
        found = []
        for k, items in enumerate(self.at):
            x, station = len(items), self.stations[k]
            if self.queue[k]:
                found += [(i, 1.0, True) for i in items if i.wait > 0]
                if items and items[0].wait <= 0:
                    found.append((items[0], 1.0, False))
            elif station.discipline == "FCFS":
                served = min(x, station.servers)
                found += [(i, x / self.field.slow[k][x] / served, False) for i in items[:served]]
            else:
                speed = 1.0 if station.discipline == "delay" else 1 / self.field.slow[k][x]
                found += [(i, speed, False) for i in items]
        return found

    def advance(self) -> None:
        """Go to the next end of a wait or a step."""
        changing = self.rates()
        pause = min((i.wait if waiting else i.left) / speed for i, speed, waiting in changing)
        self.account(pause)
        ended = []
        for item, speed, waiting in changing:
            if waiting:
                item.wait = max(0.0, item.wait - pause) if item.wait > pause * (1 + 1e-12) else 0.0
            else:
                item.left -= pause * speed
                if item.left <= 1e-12 * (1 + pause):
                    ended.append(item)
        for item in ended:
            self.at[item.station].remove(item)
        entering = []
        for item in ended:
            if item.step + 1 < len(self.tasks[item.task].steps):
                entering.append((item.task, item.step + 1))
            else:
                entering += self.finished(item.task)
        self.enter(entering)

    def account(self, pause: float) -> None:
        self.clock += pause
        here = [i.task for items in self.at for i in items]
        self.active[here] += pause
        self.together[np.ix_(here, here)] += pause
        for k, items in enumerate(self.at):
            self.present[k, len(items)] += pause
            self.leading[k, len({i.batch for i in items})] += pause

    def finished(self, task: int) -> list[tuple[int, int]]:
        ready = []
        for s in self.after[task]:
            self.missing[s] -= 1
            if not self.missing[s]:
                ready.append((s, 0))
        return ready

    def enter(self, entering: list[tuple[int, int]]) -> None:
        """Tasks come to their stations at the same moment; those without steps are done at once."""
        waiting, coming = list(entering), list[tuple[int, int]]()
        while waiting:
            t, j = waiting.pop(0)
            if j < len(self.tasks[t].steps):
                coming.append((t, j))
            else:
                waiting += self.finished(t)
        if not coming:
            return
        self.events += 1
        queues = {self.tasks[t].steps[j].station for t, j in coming if self.queue[self.tasks[t].steps[j].station]}
        begun: dict[int, int] = {}
        for t, j in coming:
            step = self.tasks[t].steps[j]
            k, left = step.station, step.demand * self.point.demands[t][j]
            wait, batch = 0.0, self.events
            if k in queues and k not in begun:
                wait = self.wait(k)
                begun[k] = batch = self.events if wait > 0 or not self.at[k] else self.at[k][-1].batch
                if batch == self.events:
                    self.record(k, coming, len(queues))
            elif k in queues:
                batch = begun[k]
            self.at[k].append(_Item(t, j, k, left, wait, batch))

    def record(self, k: int, coming: list[tuple[int, int]], width: int) -> None:
        steps = [s for s in (self.tasks[t].steps[j] for t, j in coming) if s.station == k]
        work = sum(s.demand for s in steps)
        spread = sum(s.demand**2 * s.distribution.variation for s in steps)
        self.batches[k] += (1.0, work, work**2 + spread, width)

    def wait(self, k: int) -> float:
        """What other jobs leave to do before a task that comes to a queue."""
        met = float(self.field.met[k])
        u = self.point.uniform(self.events, k)
        if met <= 0 or u < 1 - met:
            return 0.0
        return float(
            self.field.wait[k] / met * _quantile(Distribution("erlang", 1 if self.rare else 2), (u - 1 + met) / met)
        )


class Passes:
    """Solves one job of a class in a field by passes over the points of a quadrature."""

    def __init__(self, scenario: Scenario, sampled: bool) -> None:
        self.scenario, self.sampled = scenario, sampled
        self.last: dict[int, list[Solved]] = {}
        self.points = [[self._points(c, v.tasks) for v in c.variants] for c in scenario.classes]
        self.rare = sampled and _variation(scenario) > 0.5

    def __call__(self, c: int, field: Field) -> Solved:
        """The means of one job of class c; those of its variants are kept in `last`."""
        each, circulation = [], self.scenario.classes[c]
        for variant, points in zip(circulation.variants, self.points[c], strict=True):
            used = points if self.sampled or field.met.any() else points[:1]
            runs = [_Pass(variant.tasks, self.scenario.stations, field, p, self.rare).run() for p in used]
            each.append((variant.probability, _mean(runs)))
        self.last[c] = [s for _, s in each]
        return mixture(each)

    def _points(self, circulation: Circulation, tasks: Sequence[Task]) -> list[Point]:
        if not self.sampled:
            ones = [[1.0] * len(t.steps) for t in tasks]
            return [Point(ones, _kronecker(i)) for i in range(WAITS)]
        steps = [s for t in tasks for s in t.steps]
        draws = np.random.default_rng(20_260_101)
        cells = np.array([draws.permutation(DEMANDS) for _ in range(len(steps))]).reshape(len(steps), DEMANDS)
        uniforms = (cells + draws.random((len(steps), DEMANDS))) / DEMANDS
        values = np.array([_quantiles(s.distribution, u) for s, u in zip(steps, uniforms, strict=True)])
        waits = draws.random((DEMANDS, 4096))
        like = 1 / (1 + _variation(self.scenario) ** 0.75)
        common = round(max(0.0, (like**2 - 0.25) / 0.75) * DEMANDS)
        found = []
        for i in range(DEMANDS):
            rows, at = [], 0
            for t in tasks:
                rows.append([float(v) for v in values[at : at + len(t.steps), i]])
                at += len(t.steps)
            found.append(Point(rows, _drawn(waits[i], i < common)))
        return found


def _kronecker(i: int) -> Uniform:
    """Points of a Kronecker sequence; the same for all stations of an event."""

    def uniform(event: int, station: int) -> float:
        return ((i + 0.5) * _irrational(event)) % 1.0

    return uniform


def _drawn(row: Array, common: bool) -> Uniform:
    def uniform(event: int, station: int) -> float:
        return float(row[(event * 61 + (0 if common else 7 * station + 1)) % len(row)])

    return uniform


def _irrational(event: int) -> float:
    """A different irrational number for each event: the roots of 2, 3, 5, 7, … less their whole part."""
    while len(_PRIMES) <= event:
        n = _PRIMES[-1] + 1
        while any(n % p == 0 for p in _PRIMES if p * p <= n):
            n += 1
        _PRIMES.append(n)
    return float(np.sqrt(_PRIMES[event]) % 1.0)


_PRIMES = [2]


def _variation(scenario: Scenario) -> float:
    """The mean squared variation of all steps."""
    found = [s.distribution.variation for c in scenario.classes for v in c.variants for t in v.tasks for s in t.steps]
    return sum(found) / len(found) if found else 1.0


def _quantile(distribution: Distribution, u: float) -> float:
    return float(_quantiles(distribution, np.array([u]))[0])


def _quantiles(distribution: Distribution, u: Array) -> Array:
    """Quantiles of a demand of mean 1."""
    if distribution.kind == "det":
        return np.ones_like(u)
    if distribution.kind == "hyperexp":
        c2 = distribution.scv
        p = (1 + np.sqrt((c2 - 1) / (c2 + 1))) / 2
        grid = np.concatenate([np.linspace(0, 4, 400), np.geomspace(4.01, 400 * c2, 400)])
        return np.asarray(np.interp(u, 1 - p * np.exp(-2 * p * grid) - (1 - p) * np.exp(-2 * (1 - p) * grid), grid))
    if distribution.kind == "exp" or distribution.order == 1:
        return -np.log1p(-u)
    from scipy.special import gammaincinv

    return np.asarray(gammaincinv(distribution.order, u) / distribution.order)


def _trimmed(seconds: Array) -> Array:
    return seconds[: int(np.flatnonzero(seconds)[-1]) + 1] if seconds.any() else seconds[:1]


def _mean(runs: list[Solved]) -> Solved:
    share = 1 / len(runs)
    found = mixture([(share, r) for r in runs])
    active = np.asarray(sum(r.active for r in runs) * share)
    return found._replace(active=active, together=np.asarray(sum(r.together for r in runs) * share))
