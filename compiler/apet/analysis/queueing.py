"""The kinds of queueing problems, and what is found for each."""

from __future__ import annotations

from apet.analysis.jobs import ForkJoin, ForkJoinResult, JobsResult, Scenario
from apet.analysis.networks import Network, NetworkBounds, NetworkResult

Problem = Network | Scenario | ForkJoin
Result = NetworkResult | NetworkBounds | JobsResult | ForkJoinResult
