"""The answer to a queueing problem of any kind: which method, and its result."""

from __future__ import annotations

from typing import assert_never

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.jobs import LEVELS, ForkJoin, JobsResult, Scenario
from apet.queueing.mva import solve as mva
from apet.queueing.networks import Network, NetworkResult
from apet.queueing.problems import Answer, Asked, Problem, Result, Uncertain

PUBLISHED = ("reference", "forkjoin")
"""Methods of jobs with precedence as they were published, for comparison with the default."""


def queue(
    problem: Asked,
    method: str = "auto",
    bound: str = "",
    percentiles: bool = False,
    levels: tuple[float, ...] = LEVELS,
) -> Answer:
    """Solve a queueing problem: a network, jobs with precedence, or an open fork-join; of an uncertain one, the ranges.

    `method` is "auto", "exact", "schweitzer", "linearizer" or "bounds" (`bound`: "aba", "bsb", "gb", or the sharpest);
    of jobs with precedence "reference" or "forkjoin". With `percentiles` the result of a network has those of response
    times at `levels` in percent; the default method of jobs with precedence always gives them. Estimates of networks
    give way to simulations.
    Raises `ApetError` where there is no steady state, or a method does not apply.
    """
    if not isinstance(problem, Uncertain):
        result = solved(problem, method, bound, levels)
        simulates = isinstance(result, NetworkResult) and (percentiles or result.is_estimate)
        if simulates and isinstance(problem, Network) and isinstance(result, NetworkResult):
            return _with_percentiles(problem, result, levels)
        return result
    from apet.queueing.uncertain import bounds_over, ranges

    if method == "bounds":
        return bounds_over(problem, bound)
    return ranges(problem, method, lambda problem: solved(problem, method, bound))


def solved(problem: Problem, method: str = "auto", bound: str = "", levels: tuple[float, ...] = LEVELS) -> Result:
    """The answer to a problem without intervals; otherwise as `queue`."""
    match problem:
        case Network():
            if method in PUBLISHED:
                what = "jobs with precedence, and these classes have no `job`"
                raise ApetError(errors.MethodDoesNotApply(None, None, method, what))
            if method == "bounds":
                return mva.bounds(problem, bound)
            return _network(problem, method, levels)
        case Scenario():
            return _jobs(problem, method, levels)
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


def simulated(problem: Asked, jobs: int, seed: int) -> JobsResult | NetworkResult:
    """`jobs` jobs per class in the mean, event by event; the same call gives the same numbers.

    `ApetError` for problems with intervals, an open fork-join, and load-dependent stations.
    """
    from apet.queueing import in_order
    from apet.queueing.precedence.simulation import simulate

    if isinstance(problem, Network) and not any(problem.speeds):
        return in_order.as_network_result(problem, simulate(in_order.as_jobs(problem), jobs, seed))
    if isinstance(problem, Scenario):
        return simulate(problem, jobs, seed)
    raise ApetError(errors.OnlyJobsSimulated(None, None))


def _network(network: Network, method: str, levels: tuple[float, ...]) -> NetworkResult:
    from apet.queueing import in_order

    if network.pools:
        from apet.queueing import pools

        return pools.solve(network, method, levels)
    if network.obstacles:
        return in_order.solve(network, method, levels)
    return mva.solve(network, method)


def _with_percentiles(network: Network, result: NetworkResult, levels: tuple[float, ...]) -> NetworkResult:
    from apet.queueing.percentiles import with_percentiles

    return result if result.percentiles else with_percentiles(network, result, levels)


def _jobs(scenario: Scenario, method: str, levels: tuple[float, ...]) -> JobsResult:
    from apet.queueing.precedence.checked import beyond_analysis, checked

    if method in PUBLISHED:
        from apet.queueing.precedence import reference_amva

        if beyond_analysis(scenario):
            what = "circulating jobs without priorities and pools"
            raise ApetError(errors.MethodDoesNotApply(None, None, method, what))
        return reference_amva.solve(scenario, method)
    _require_auto(method, "jobs with precedence")
    return checked(scenario, levels)


def _require_auto(method: str, what: str) -> None:
    if method != "auto":
        what = f"networks without precedence, not for {what}"
        raise ApetError(errors.MethodDoesNotApply(None, None, method, what))
