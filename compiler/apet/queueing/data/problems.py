"""The kinds of queueing problems, and the result of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from apet.ground.interval import Interval
from apet.queueing.data.jobs import JobsResult, JobStation, Scenario
from apet.queueing.data.layers import Layered
from apet.queueing.data.networks import Network, NetworkBounds, NetworkResult, Station

if TYPE_CHECKING:
    from apet.prediction.prediction import Prediction  # brings the whole compiler, which most problems do not need

Problem = Network | Scenario | Layered
Result = NetworkResult | NetworkBounds | JobsResult


def class_means(result: NetworkResult | JobsResult) -> list[tuple[float, float]]:
    """By class jobs per second, and seconds of response time."""
    if isinstance(result, NetworkResult):
        return list(zip(result.throughput, result.system_response_time, strict=True))
    return [(c.throughput, c.response_time) for c in result.classes]


def busy_shares(problem: Problem, result: NetworkResult | JobsResult) -> list[float | None]:
    """By station the busy share of its servers; None at delays, and where speeds depend on jobs."""
    if isinstance(result, JobsResult):
        return [s.utilization for s in result.stations]
    stations: Sequence[Station | JobStation] = problem.stations
    columns = zip(stations, zip(*result.utilization, strict=True), strict=True)
    return [None if s.is_delay or None in column else sum(u or 0.0 for u in column) for s, column in columns]


class Uncertain(NamedTuple):
    """A problem some of whose times and rates lie in intervals: it with all of them at their lower ends, and at their
    upper ends. Both are the same but for these numbers."""

    low: Problem
    high: Problem


@dataclass(frozen=True, slots=True)
class Ranges:
    """Over all values of an uncertain problem: for each number of a result its least and its greatest.

    `ends` is "proved" where no value lies outside, "searched" where they are the extremes of `points` solutions;
    `reason` says why. `guaranteed` holds bounds that no value lies outside of even then, where there are such.
    """

    low: Result
    high: Result
    ends: str
    reason: str
    points: int
    guaranteed: NetworkBounds | None = None


Asked = Problem | Uncertain
Answer = Result | Ranges


@dataclass(frozen=True, slots=True)
class PopulationCurve:
    """One class by population: throughput in jobs per second and response time in seconds, with their asymptotes.

    `throughput_most` and `response_least` are the asymptotic bounds; of jobs with precedence a job takes at least its
    longest path. `saturation` is the population at which the two asymptotes cross, N* (infinite where no
    station is busy), `busiest` the name of the bottleneck.
    """

    jobs: tuple[int, ...]
    throughput: tuple[float, ...]
    response_time: tuple[float, ...]
    throughput_most: tuple[float, ...]
    response_least: tuple[float, ...]
    saturation: float
    busiest: str


@dataclass(frozen=True, slots=True)
class UnderLoad:
    """`jobs` runs of an application at a time, each after `think` seconds of pause.

    Seconds per run and runs per second are given at the lower and the upper ends of the machine's times. `alone` is the
    prediction for one run. Used stations are listed with the busy share of their servers at either end, the busiest
    first.
    """

    jobs: int
    think: float
    response_time: Interval
    throughput: Interval
    stations: tuple[tuple[str, Interval], ...]
    alone: Prediction
    tasks: int
    method: str
    notes: tuple[str, ...]
