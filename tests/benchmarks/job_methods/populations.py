"""A network with a given population of jobs with precedence, and what a job that arrives then meets at one station."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from tests.benchmarks.job_methods.arrival_factor import arrival_factor
from tests.benchmarks.job_methods.mean_field import JobMeans, MeanField

Array = NDArray[np.float64]
Jobs = tuple[int, ...]
"""A population: the number of jobs of each class."""


@dataclass(frozen=True, slots=True)
class ClassAtStation:
    """How one class is at a shared station.

    jobs      mean number of its jobs there
    share     that per job of the class
    fixed     (x_max,)  distribution of a job's tasks there (index: tasks - 1), as a fixed set of jobs shows it
    arriving  (x_max,)  the same as jobs that come and go show it
    alone     seconds that a job without others is there
    """

    jobs: float
    share: float
    fixed: Array
    arriving: Array
    alone: float


@dataclass(frozen=True, slots=True)
class PopulationMeans:
    """A network with a given number of jobs of each class.

    jobs         the population
    throughput   (classes,)  jobs per second
    means        by class, of those with jobs: the tagged job
    jobs_at      (stations,)  mean number of jobs that have tasks there
    batches_at   (classes, stations)  mean number of batches at queues
    batch_rates  (classes, stations, 4)  per second: batches, their work [s], its second moment [s^2], queues entered
                 together
    busy         (stations,)  seconds of service per second (the utilization law: X D)
    classes_at   by shared station: the classes there
    counts       by shared station of several servers (jobs + 1,): distribution of the number of jobs there
    """

    jobs: Jobs
    throughput: Array
    means: Mapping[int, JobMeans]
    jobs_at: Array
    batches_at: Array
    batch_rates: Array
    busy: Array
    classes_at: tuple[tuple[ClassAtStation, ...], ...]
    counts: tuple[Array, ...]


def batch_seconds(means: JobMeans, met: MeanField, k: int, share: float) -> float:
    """Seconds per job times batches at a queue: their number as a fixed set of jobs shows it, mixed with the mean over
    time."""
    seconds = means.leading[k].copy()
    seconds[0] = 0.0
    inside = float(seconds.sum())
    if not inside:
        return 0.0

    count = np.arange(len(seconds))
    batches, work = means.batches[k][:2]
    mean = work / batches if batches else 0.0
    by_set = seconds / np.maximum(count + (met.wait[k] / mean if mean else 0.0), 1e-300)
    by_time, mixed = float(seconds @ count) / inside, (1 - share) / 2
    return inside * ((1 - mixed) * float(by_set @ count) / float(by_set.sum()) + mixed * by_time)


def other_tasks(classes: Sequence[ClassAtStation], own: float) -> Array:
    """The distribution of how many tasks another job has at a station (index 0: none of it)."""
    most = max(len(s.fixed) for s in classes)
    total, chances = sum(s.jobs for s in classes), np.zeros(most + 1)
    for s in classes:
        mixed = (1 - s.share) * s.alone / (s.alone + own) if s.alone + own else 0.0
        chances[1 : len(s.fixed) + 1] += s.jobs / total * ((1 - mixed) * s.fixed + mixed * s.arriving)
    return chances


def stretch(classes: Sequence[ClassAtStation], own: float, servers: int, others: int, most: int) -> Array:
    """S[i, x]: how much slower x own tasks are beside i other jobs at a station of several servers."""
    tasks = np.arange(most + 1)
    rows = [np.maximum(1.0, tasks / servers)]
    beside = np.array([1.0])
    count = other_tasks(classes, own) if classes else np.array([0.0, 1.0])
    for _ in range(others):
        beside = np.convolve(beside, count)
        sums = tasks[:, None] + np.arange(len(beside))[None, :]
        rows.append(np.maximum(1.0, sums / servers) @ beside)
    return np.array(rows)


def met_demand(stay: float, mean: float, squared_mean: float, second_moment: float) -> tuple[float, float]:
    """The mean demand of what is met at a queue, and its squared variation about means of their own.

    All wait equally long, so that those of demand d are met as often as they are there, in proportion to wait + d.
    `squared_mean` is the mean of squared mean demands, `second_moment` that of squared demands, `stay` the mean time
    there.
    """
    wait = max(0.0, stay - mean)
    variation = float(f"{max(0.0, second_moment / squared_mean - 1):.9g}")
    return (wait * mean + squared_mean) / (wait + mean), variation


def batch_wait(before: PopulationMeans, k: int, total: int) -> float:
    """The mean wait for other jobs' batches at a queue: what is there of each class, with the mean batch of that class.

    A mean batch over all arrivals would let a class of many small jobs and one of few large ones drive each other
    apart: what either finds depends on the other's share in that mean.
    """
    rate, work, second_moment, width = before.batch_rates[:, k].sum(axis=0)
    there = float(before.batches_at[:, k].sum())
    if not rate or not there:
        return 0.0

    rates, works = before.batch_rates[:, k, 0], before.batch_rates[:, k, 1]
    own = np.divide(works, rates, out=np.zeros(len(rates)), where=rates > 0)
    ahead = float(before.batches_at[:, k] @ own)
    mean = work / rate
    variation = max(0.0, second_moment * rate / work**2 - 1)
    away = ((total - 1) - there) / rate
    together = max(1.0, width / rate)
    residual = 1 + min(rate * mean, 1.0, there) * (variation - 1) / (2 * there)
    # Jobs whose batches go to several queues at once come back together: less like independent sources the more
    # service varies, so that the residual life of the batch in service counts instead.
    likeness = 1 / (1 + variation**0.75)
    weight = 1 / together + (1 - 1 / together) * likeness**2
    return float(ahead * (weight * arrival_factor(total, away / mean, variation) + (1 - weight) * residual))
