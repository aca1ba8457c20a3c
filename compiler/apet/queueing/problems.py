"""The kinds of queueing problems, and the result of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from apet.ground.interval import Interval
from apet.queueing.jobs import ForkJoin, ForkJoinResult, JobsResult, Scenario
from apet.queueing.networks import Network, NetworkBounds, NetworkResult

if TYPE_CHECKING:
    from apet.prediction.prediction import Prediction  # brings the whole compiler, which most problems do not need

Problem = Network | Scenario | ForkJoin
Result = NetworkResult | NetworkBounds | JobsResult | ForkJoinResult


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

    `throughput_most` and `response_least` are the asymptotic bounds, of jobs with precedence the same with the response
    time of one job alone. `saturation` is the population at which the two asymptotes cross, N* (infinite where no
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
