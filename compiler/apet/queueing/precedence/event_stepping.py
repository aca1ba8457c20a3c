"""One job followed from event to event with given demands, for all points of a quadrature at once.

Rows are points, columns tasks. In each round every point goes to its own next event: the end of a wait or of a step.
Tasks that come to a queue meet what other jobs leave to do; those that come at the same moment, or behind tasks of
their job, wait for that in one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import JobStation, Task
from apet.queueing.precedence.chain import Field, Solved, is_queue

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
Mask = NDArray[np.bool_]
Waits = Callable[[Whole, int], Array]
"""Seconds of wait at a station, by number, for the event number of every point."""
EPSILON = 1e-12


class Lockstep:
    """A job that begins; `factors[p, t, j]` is the demand of a step relative to its mean."""

    def __init__(
        self, tasks: Sequence[Task], stations: Sequence[JobStation], field: Field, factors: Array, waits: Waits
    ) -> None:
        self.stations, self.field, self.waits = stations, field, waits
        points, number = factors.shape[0], len(tasks)
        longest = factors.shape[2]
        self.length = np.array([len(t.steps) for t in tasks])
        self.where = np.full((number, longest + 1), len(stations))
        self.mean = np.zeros((number, longest + 1))
        self.spread = np.zeros((number, longest + 1))
        for t, task in enumerate(tasks):
            for j, step in enumerate(task.steps):
                self.where[t, j], self.mean[t, j] = step.station, step.demand
                self.spread[t, j] = step.demand**2 * step.distribution.variation
        self.place = _places(tasks, longest)
        self.factors = factors
        self.after = np.zeros((number, number))
        for t, task in enumerate(tasks):
            self.after[list(task.predecessors), t] = 1.0
        self.columns = [np.flatnonzero((self.where == k).any(axis=1)) for k in range(len(stations))]
        self.missing = np.tile(self.after.sum(axis=0), (points, 1))
        self.step = np.full((points, number), -1)
        self.station = np.full((points, number), len(stations))
        self.left = np.zeros((points, number))
        self.wait = np.zeros((points, number))
        self.order = np.zeros((points, number))
        self.batch = np.zeros((points, number), dtype=np.int64)
        self.events = np.zeros(points, dtype=np.int64)
        self.present = np.zeros((len(stations), number + 1))
        self.leading = np.zeros((len(stations), number + 1))
        self.lots = np.zeros((len(stations), 4))
        self.active, self.together = np.zeros(number), np.zeros((number, number))
        self.clock = np.zeros(points)

    def run(self) -> Solved:
        """Follow the job to its end; means over the points."""
        share = 1 / len(self.clock)
        self.enter(self.started(self.missing == 0))
        busy = self.station < len(self.stations)
        while busy.any():
            self.advance(busy)
            busy = self.station < len(self.stations)
        return Solved(
            float(self.clock.mean()),
            tuple(_trimmed(row * share) for row in self.present),
            tuple(_trimmed(row * share) for row in self.leading),
            self.lots * share,
            self.active * share,
            self.together * share,
        )

    def advance(self, busy: Mask) -> None:
        """Every point goes to its next event."""
        speed, ticking = np.zeros_like(self.left), np.zeros(busy.shape, dtype=bool)
        counts = [self.speeds(k, speed, ticking) for k in range(len(self.stations))]
        served = speed > 0
        until = np.full(busy.shape, np.inf)
        np.divide(self.left, speed, out=until, where=served)
        until[ticking] = self.wait[ticking]
        pause = until.min(axis=1)
        pause[np.isinf(pause)] = 0.0
        self.account(busy, pause, counts)
        step = pause[:, None]
        done_waiting = ticking & (self.wait <= step * (1 + EPSILON))
        self.wait[ticking] -= np.broadcast_to(step, busy.shape)[ticking]
        self.wait[done_waiting] = 0.0
        self.left -= step * speed
        self.leave(served & (self.left <= EPSILON * (1 + step)))

    def speeds(self, k: int, speed: Array, ticking: Mask) -> tuple[Whole, Mask]:
        """How fast the tasks at a station are served, and which of them wait; how many they are, by point."""
        columns, station = self.columns[k], self.stations[k]
        here = self.station[:, columns] == k
        count = here.sum(axis=1)
        if not count.any():
            return count, here
        if station.discipline == "delay":
            speed[:, columns] += here
        elif station.discipline == "FCFS":
            first = np.where(here, self.order[:, columns], np.inf)
            if is_queue(station):
                waiting = here & (self.wait[:, columns] > 0)
                ticking[:, columns] |= waiting
                head = first.argmin(axis=1)
                rows = np.flatnonzero(count)
                rows = rows[~waiting[rows, head[rows]]]
                speed[rows, columns[head[rows]]] = 1.0
            else:
                served = np.minimum(count, station.servers)
                each = count / self.field.slow[k][count] / np.maximum(served, 1)
                place = first.argsort(axis=1, kind="stable").argsort(axis=1)
                speed[:, columns] += np.where(here & (place < served[:, None]), each[:, None], 0.0)
        else:
            speed[:, columns] += here / self.field.slow[k][count][:, None]
        return count, here

    def account(self, busy: Mask, pause: Array, counts: Sequence[tuple[Whole, Mask]]) -> None:
        """Note how long everything is as it is."""
        self.clock += pause
        weighted = busy * pause[:, None]
        self.active += weighted.sum(axis=0)
        self.together += weighted.T @ busy
        for k, (count, here) in enumerate(counts):
            self.present[k] += np.bincount(count, weights=pause, minlength=self.present.shape[1])
            if is_queue(self.stations[k]):
                batches = np.sort(np.where(here, self.batch[:, self.columns[k]], -1), axis=1)
                kinds = (np.diff(batches, axis=1, prepend=-1) > 0).sum(axis=1)
                self.leading[k] += np.bincount(kinds, weights=pause, minlength=self.leading.shape[1])
            else:
                self.leading[k] += np.bincount(count, weights=pause, minlength=self.leading.shape[1])

    def leave(self, ended: Mask) -> None:
        """Steps that end lead to the next ones of their tasks, or to tasks that waited for these."""
        if not ended.any():
            return
        self.station[ended] = len(self.stations)
        self.step[ended] += 1
        further = ended & (self.step < self.length)
        self.enter(further | self.started(self.finished(ended & ~further)))

    def finished(self, done: Mask) -> Mask:
        """The tasks that become ready when others are done."""
        if not done.any():
            return done
        reached = done.astype(float) @ self.after
        self.missing -= reached
        return np.asarray((reached > 0) & (self.missing == 0))

    def started(self, ready: Mask) -> Mask:
        """Start tasks; those without steps are done at once, and start what waits for them."""
        entering = np.zeros_like(ready)
        while ready.any():
            self.step[ready] = 0
            entering |= ready & (self.length > 0)
            ready = self.finished(ready & (self.length == 0))
        return entering

    def enter(self, entering: Mask) -> None:
        """Tasks come to the stations of their steps at the same moment."""
        rows, tasks = np.nonzero(entering)
        if not len(rows):
            return
        coming = np.unique(rows)
        self.events[coming] += 1
        steps = self.step[rows, tasks]
        stations = self.where[tasks, steps]
        queues = [k for k in np.unique(stations) if is_queue(self.stations[k])]
        arrivals = {k: entering[:, self.columns[k]] & (self.bound(self.columns[k]) == k) for k in queues}
        width = sum((a.any(axis=1).astype(int) for a in arrivals.values()), np.zeros(len(self.events), dtype=int))
        for k in queues:
            self.queue(k, arrivals[k], width)
        self.station[rows, tasks] = stations
        self.left[rows, tasks] = self.mean[tasks, steps] * self.factors[rows, tasks, steps]
        self.order[rows, tasks] = self.events[rows] * (len(self.length) + 1) + tasks

    def bound(self, columns: Whole) -> Whole:
        """The stations of the present steps of these tasks."""
        return np.asarray(self.where[columns[None, :], self.step[:, columns]])

    def queue(self, k: int, arriving: Mask, width: Whole) -> None:
        """Tasks come to a queue: the first of them waits for what other jobs left, unless none is met."""
        columns = self.columns[k]
        points = np.flatnonzero(arriving.any(axis=1))
        here = self.station[:, columns] == k
        first = columns[arriving.argmax(axis=1)]
        place = self.place[first, self.step[np.arange(len(first)), first]]
        wait = self.waits(place, k)[points]
        occupied = here[points].any(axis=1)
        last = np.where(here, self.batch[:, columns], -1).max(axis=1)[points]
        fresh = (wait > 0) | ~occupied
        batch = np.where(fresh, self.events[points], last)
        block = arriving[points]
        grid = np.ix_(points, columns)
        self.batch[grid] = np.where(block, batch[:, None], self.batch[grid])
        waits = np.where(block, 0.0, self.wait[grid])
        waits[np.arange(len(points)), block.argmax(axis=1)] = wait
        self.wait[grid] = waits
        steps = np.minimum(self.step[grid], self.mean.shape[1] - 1)
        work = (self.mean[columns, steps] * block).sum(axis=1)
        spread = (self.spread[columns, steps] * block).sum(axis=1)
        lots = np.stack([np.ones(len(points)), work, work**2 + spread, width[points].astype(float)], axis=1)
        self.lots[k] += lots[fresh].sum(axis=0)


def _places(tasks: Sequence[Task], longest: int) -> Whole:
    """How many steps come before each, on the longest way to it."""
    found, end = np.zeros((len(tasks), longest + 1), dtype=np.int64), list[int]()
    for t, task in enumerate(tasks):
        found[t] = max((end[p] for p in task.predecessors), default=0) + np.arange(longest + 1)
        end.append(int(found[t, 0]) + len(task.steps))
    return found


def _trimmed(seconds: Array) -> Array:
    return seconds[: int(np.flatnonzero(seconds)[-1]) + 1] if seconds.any() else seconds[:1]
