"""The answer to a queueing problem of any kind: which method, and its result."""

from __future__ import annotations

from typing import assert_never

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.jobs import ForkJoin, JobsResult, Scenario
from apet.queueing.mva import solve as mva
from apet.queueing.networks import Network
from apet.queueing.problems import Answer, Asked, Problem, Result, Uncertain

PUBLISHED = ("reference", "forkjoin")
"""Methods of jobs with precedence as they were published, for comparison with the default."""


def queue(problem: Asked, method: str = "auto", bound: str = "") -> Answer:
    """Solve a queueing problem: a network, jobs with precedence, or an open fork-join; of an uncertain one, the ranges.

    `method` is "auto", "exact", "schweitzer", "linearizer" or "bounds" (`bound`: "aba", "bsb", "gb", or the sharpest);
    of jobs with precedence "reference" or "forkjoin". Raises `ApetError` where there is no steady state, or a method
    does not apply.
    """
    if not isinstance(problem, Uncertain):
        return solved(problem, method, bound)
    from apet.queueing.uncertain import bounds_over, ranges

    if method == "bounds":
        return bounds_over(problem, bound)
    return ranges(problem, method, lambda problem: solved(problem, method, bound))


def solved(problem: Problem, method: str = "auto", bound: str = "") -> Result:
    """The answer to a problem without intervals; otherwise as `queue`."""
    match problem:
        case Network():
            if method in PUBLISHED:
                raise ApetError(errors.MethodOfJobs(None, None, method))
            return mva.bounds(problem, bound) if method == "bounds" else mva.solve(problem, method)
        case Scenario():
            return _jobs(problem, method)
        case ForkJoin():
            from apet.queueing.precedence.fork_join import fork_join

            _require_auto(method, "an open fork-join")
            busiest = max(range(len(problem.means)), key=lambda k: problem.means[k])
            utilization = problem.arrival_rate * problem.means[busiest]
            if utilization >= 1:
                stations = f"queue {busiest + 1}: utilization {utilization:.4g}"
                raise ApetError(errors.Overloaded(None, None, stations))
            return fork_join(problem)
        case _:
            assert_never(problem)


def _jobs(scenario: Scenario, method: str) -> JobsResult:
    if method in PUBLISHED:
        from apet.queueing.precedence import reference_amva

        return reference_amva.solve(scenario, method)
    from apet.queueing.precedence import solve as precedence

    _require_auto(method, "jobs with precedence")
    return precedence.solve(scenario)


def _require_auto(method: str, what: str) -> None:
    if method != "auto":
        raise ApetError(errors.MethodOfNetworks(None, None, method, what))
