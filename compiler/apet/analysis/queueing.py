"""The kinds of queueing problems, and what is found for each."""

from __future__ import annotations

from typing import NamedTuple

from apet.analysis.jobs import ForkJoin, ForkJoinResult, JobsResult, Scenario
from apet.analysis.networks import Network, NetworkBounds, NetworkResult

Problem = Network | Scenario | ForkJoin
Result = NetworkResult | NetworkBounds | JobsResult | ForkJoinResult


class Uncertain(NamedTuple):
    """A problem some of whose times and rates lie in intervals: it with all of them at their lower ends, and at their
    upper ends. Both are the same but for these numbers."""

    low: Problem
    high: Problem


class Ranges(NamedTuple):
    """What is found over all values of an uncertain problem: for each number of a result its least and its greatest.

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
