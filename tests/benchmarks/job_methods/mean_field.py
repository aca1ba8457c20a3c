"""What a tagged job meets (the mean field of the others), and the means of a job in it: what all solvers share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from apet.queueing.data.jobs import JobStation

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MeanField:
    """What a job meets, by station k.

    slowdown  of each k (x_max + 1,)  factor by which x own tasks are slower than one alone (index x)
    wait      (stations,)  seconds that the first task of a job waits for others at a queue, in the mean
    met       (stations,)  probability that an arriving job meets others at a queue
    behind    of some k (x_max + 1,)  at several servers in order of arrival, seconds that a step of any length waits
              for others with x own tasks there; `slowdown` holds them already, as steps of mean length see them
    """

    slowdown: tuple[Array, ...]
    wait: Array
    met: Array
    behind: Mapping[int, Array] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class JobMeans:
    """Means of one job in a field, in seconds unless said otherwise.

    response  from start to end
    present   of each station (x_max + 1,)  time with x tasks of the job there (index x)
    leading   of each station (y_max + 1,)  time with y tasks that are not blocked behind others of the job
    batches   (stations, 4)  visits to queues per job: number of batches, their work [s], its second moment [s^2],
              and the sum of how many queues the same event sends tasks to
    active    (tasks,)  time that each task is under way
    together  (tasks, tasks)  time that both tasks of a pair are under way
    """

    response: float
    present: tuple[Array, ...]
    leading: tuple[Array, ...]
    batches: Array
    active: Array
    together: Array

    def mean_tasks(self, station: int) -> float:
        """Seconds times tasks at a station."""
        return float(self.present[station] @ np.arange(len(self.present[station])))


JobSolver = Callable[[int, MeanField], JobMeans]
"""The means of one job of a class, by its number, in a field."""


def is_queue(station: JobStation) -> bool:
    """Whether a station is one server with a first-come-first-served queue."""
    return station.discipline == "FCFS" and station.servers == 1


def empty_field(stations: Sequence[JobStation], most: int) -> MeanField:
    """What a job meets where it is alone, with up to `most` own tasks."""
    own = np.arange(most + 1)
    slowdown = tuple(np.maximum(1.0, own / s.servers) for s in stations)
    return MeanField(slowdown, np.zeros(len(stations)), np.zeros(len(stations)))


def mixture(variants: list[tuple[float, JobMeans]]) -> JobMeans:
    """The means over variants with their probabilities; per task there is no mean over different jobs."""
    if len(variants) == 1:
        return variants[0][1]

    stations = range(len(variants[0][1].present))
    return JobMeans(
        response=sum(p * means.response for p, means in variants),
        present=tuple(_weighted_sum([(p, means.present[k]) for p, means in variants]) for k in stations),
        leading=tuple(_weighted_sum([(p, means.leading[k]) for p, means in variants]) for k in stations),
        batches=_weighted_sum([(p, means.batches) for p, means in variants]),
        active=np.zeros(0),
        together=np.zeros((0, 0)),
    )


def _weighted_sum(parts: list[tuple[float, Array]]) -> Array:
    """The sum of arrays of different lengths, shorter ones continued by 0."""
    total = np.zeros([max(sizes) for sizes in zip(*(a.shape for _, a in parts), strict=True)])
    for p, a in parts:
        total[tuple(slice(0, n) for n in a.shape)] += p * a
    return total
