"""One job of constant demands followed from event to event, for all points of a quadrature over waits at once.

Rows are points, columns tasks. In each round every point goes to its own next event: the end of a wait or of a step.
Tasks that come to a queue meet what other jobs leave to do; those that come at the same moment, or behind tasks of
their job, wait for that in one batch.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from apet.queueing.jobs import JobStation, JobTask
from apet.queueing.precedence.mean_field import JobMeans, MeanField, is_queue

Array = NDArray[np.float64]
Whole = NDArray[np.int64]
Mask = NDArray[np.bool_]
Waits = Callable[[Whole, int], Array]
"""Seconds of wait at a station, by number, for the event number of every point."""
EPSILON = 1e-12
"""Relative: what is left of a step or wait is 0 below it, so that events at one moment are one event."""


class EventStepping:
    """A job that begins, once for each of so many points.

    By task (constant): `step_count` (tasks,), and by step, one more than the longest task has: `where` station number
    (that of no station: their count), `mean` [s], `variance` [s^2], `place` steps before it on the longest way.
    By point and task (points, tasks): `step` under way (-1: not begun), `station` where it is, `left` seconds of
    demand, `wait` seconds before service, `order` of arrival, `batch` number of the event that it came to a queue with,
    `missing` predecessors that are not done. `events` (points,) counts moments at which tasks come to stations.
    The other arrays add up what `JobMeans` reports.
    """

    def __init__(
        self, tasks: Sequence[JobTask], stations: Sequence[JobStation], field: MeanField, points: int, waits: Waits
    ) -> None:
        self.stations, self.field, self.waits = stations, field, waits
        number = len(tasks)
        self._tabulate(tasks, max((len(t.steps) for t in tasks), default=0))
        self.columns = [np.flatnonzero((self.where == k).any(axis=1)) for k in range(len(stations))]

        self.missing = np.tile(self.after.sum(axis=0), (points, 1))
        self.step = np.full((points, number), -1)
        self.station = np.full((points, number), len(stations))
        self.left, self.wait, self.order = (np.zeros((points, number)) for _ in range(3))
        self.batch = np.zeros((points, number), dtype=np.int64)
        self.events = np.zeros(points, dtype=np.int64)

        self.clock = np.zeros(points)
        self.present, self.leading = (np.zeros((len(stations), number + 1)) for _ in range(2))
        self.batches = np.zeros((len(stations), 4))
        self.active, self.together = np.zeros(number), np.zeros((number, number))

    def _tabulate(self, tasks: Sequence[JobTask], longest: int) -> None:
        number = len(tasks)
        self.step_count = np.array([len(t.steps) for t in tasks])
        self.place = _places(tasks, longest)
        self.where = np.full((number, longest + 1), len(self.stations))
        self.mean, self.variance = (np.zeros((number, longest + 1)) for _ in range(2))
        self.after = np.zeros((number, number))

        for t, task in enumerate(tasks):
            self.after[list(task.predecessors), t] = 1.0
            for j, step in enumerate(task.steps):
                self.where[t, j], self.mean[t, j] = step.station, step.demand
                self.variance[t, j] = step.demand**2 * step.distribution.variation

    def run(self) -> JobMeans:
        """Follow the job to its end; means over the points."""
        share = 1 / len(self.clock)
        self.enter(self.start(self.missing == 0))
        while (busy := self.station < len(self.stations)).any():
            self.advance(busy)

        return JobMeans(
            response=float(self.clock.mean()),
            present=tuple(_trimmed(row * share) for row in self.present),
            leading=tuple(_trimmed(row * share) for row in self.leading),
            batches=self.batches * share,
            active=self.active * share,
            together=self.together * share,
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
        pause[np.isinf(pause)] = 0.0  # points whose job is done
        self.account(busy, pause, counts)

        elapsed = pause[:, None]
        wait_ends = ticking & (self.wait <= elapsed * (1 + EPSILON))
        self.wait[ticking] -= np.broadcast_to(elapsed, busy.shape)[ticking]
        self.wait[wait_ends] = 0.0
        self.left -= elapsed * speed
        self.leave(served & (self.left <= EPSILON * (1 + elapsed)))

    def speeds(self, k: int, speed: Array, ticking: Mask) -> tuple[Whole, Mask]:
        """How fast the tasks at a station are served, and which of them wait; how many they are, by point."""
        columns, station = self.columns[k], self.stations[k]
        here = self.station[:, columns] == k
        count = here.sum(axis=1)
        if not count.any():
            return count, here

        order = np.where(here, self.order[:, columns], np.inf)
        if station.discipline == "delay":
            speed[:, columns] += here
        elif is_queue(station):
            waiting = here & (self.wait[:, columns] > 0)
            ticking[:, columns] |= waiting
            head = order.argmin(axis=1)
            rows = np.flatnonzero(count)
            rows = rows[~waiting[rows, head[rows]]]
            speed[rows, columns[head[rows]]] = 1.0
        elif station.discipline == "FCFS":
            # The servers together are as fast as shared ones would be; the first to come are served.
            served = np.minimum(count, station.servers)
            each = count / self.field.slowdown[k][count] / np.maximum(served, 1)
            place = order.argsort(axis=1, kind="stable").argsort(axis=1)
            speed[:, columns] += np.where(here & (place < served[:, None]), each[:, None], 0.0)
        else:
            speed[:, columns] += here / self.field.slowdown[k][count][:, None]
        return count, here

    def account(self, busy: Mask, pause: Array, counts: Sequence[tuple[Whole, Mask]]) -> None:
        """Note how long everything is as it is."""
        self.clock += pause
        weighted = busy * pause[:, None]
        self.active += weighted.sum(axis=0)
        self.together += weighted.T @ busy

        for k, (count, here) in enumerate(counts):
            self.present[k] += np.bincount(count, weights=pause, minlength=self.present.shape[1])
            leading = count
            if is_queue(self.stations[k]):  # one task of each batch
                batches = np.sort(np.where(here, self.batch[:, self.columns[k]], -1), axis=1)
                leading = (np.diff(batches, axis=1, prepend=-1) > 0).sum(axis=1)
            self.leading[k] += np.bincount(leading, weights=pause, minlength=self.leading.shape[1])

    def leave(self, ended: Mask) -> None:
        """Steps that end lead to the next ones of their tasks, or to tasks that waited for these."""
        if not ended.any():
            return
        self.station[ended] = len(self.stations)
        self.step[ended] += 1
        further = ended & (self.step < self.step_count)
        self.enter(further | self.start(self.successors(ended & ~further)))

    def successors(self, ended: Mask) -> Mask:
        """The tasks that become ready when others are done."""
        if not ended.any():
            return ended
        # (runs, tasks) @ (tasks, tasks): how many of the predecessors of each task have just ended.
        reached = ended.astype(float) @ self.after
        self.missing -= reached
        return np.asarray((reached > 0) & (self.missing == 0))

    def start(self, ready: Mask) -> Mask:
        """Start tasks; those without steps are done at once, and start what waits for them."""
        entering = np.zeros_like(ready)
        # A task without steps ends as it begins: it may make further ones ready in the same moment.
        while ready.any():
            self.step[ready] = 0
            entering |= ready & (self.step_count > 0)
            ready = self.successors(ready & (self.step_count == 0))
        return entering

    def enter(self, entering: Mask) -> None:
        """Tasks come to the stations of their steps at the same moment."""
        rows, tasks = np.nonzero(entering)
        if not len(rows):
            return
        self.events[np.unique(rows)] += 1
        steps = self.step[rows, tasks]
        stations = self.where[tasks, steps]

        queues = [k for k in np.unique(stations) if is_queue(self.stations[k])]
        arrivals = {k: entering[:, self.columns[k]] & (self.destinations(self.columns[k]) == k) for k in queues}
        width = sum((a.any(axis=1).astype(int) for a in arrivals.values()), np.zeros(len(self.events), dtype=int))
        for k in queues:
            self.join_queue(k, arrivals[k], width)

        self.station[rows, tasks] = stations
        self.left[rows, tasks] = self.mean[tasks, steps]
        self.order[rows, tasks] = self.events[rows] * (len(self.step_count) + 1) + tasks

    def destinations(self, columns: Whole) -> Whole:
        """The stations of the present steps of these tasks."""
        return np.asarray(self.where[columns[None, :], self.step[:, columns]])

    def join_queue(self, k: int, arriving: Mask, width: Whole) -> None:
        """Tasks come to a queue: the first of them waits for what other jobs left, unless none is met."""
        columns = self.columns[k]
        points = np.flatnonzero(arriving.any(axis=1))
        here = self.station[:, columns] == k

        first = columns[arriving.argmax(axis=1)]
        place = self.place[first, self.step[np.arange(len(first)), first]]
        wait = self.waits(place, k)[points]

        # Who meets nobody but tasks of the own job joins the batch of the last of them.
        occupied = here[points].any(axis=1)
        last = np.where(here, self.batch[:, columns], -1).max(axis=1)[points]
        leads = (wait > 0) | ~occupied
        batch = np.where(leads, self.events[points], last)

        block = arriving[points]
        grid = np.ix_(points, columns)
        self.batch[grid] = np.where(block, batch[:, None], self.batch[grid])
        waits = np.where(block, 0.0, self.wait[grid])
        waits[np.arange(len(points)), block.argmax(axis=1)] = wait
        self.wait[grid] = waits

        steps = np.minimum(self.step[grid], self.mean.shape[1] - 1)
        work = (self.mean[columns, steps] * block).sum(axis=1)
        variance = (self.variance[columns, steps] * block).sum(axis=1)
        batches = np.stack([np.ones(len(points)), work, work**2 + variance, width[points].astype(float)], axis=1)
        self.batches[k] += batches[leads].sum(axis=0)


def _places(tasks: Sequence[JobTask], longest: int) -> Whole:
    """How many steps come before each, on the longest way to it."""
    places, ends = np.zeros((len(tasks), longest + 1), dtype=np.int64), list[int]()
    for t, task in enumerate(tasks):
        places[t] = max((ends[p] for p in task.predecessors), default=0) + np.arange(longest + 1)
        ends.append(int(places[t, 0]) + len(task.steps))
    return places


def _trimmed(seconds: Array) -> Array:
    return seconds[: int(np.flatnonzero(seconds)[-1]) + 1] if seconds.any() else seconds[:1]
