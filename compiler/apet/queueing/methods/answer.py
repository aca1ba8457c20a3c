"""The answer to a queueing problem of any kind: which method, and its result."""

from __future__ import annotations

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.jobs import LEVELS, JobsResult, Scenario
from apet.queueing.data.layers import Layered
from apet.queueing.data.networks import Network, NetworkResult
from apet.queueing.data.problems import Answer, Asked, Problem, Result, Uncertain
from apet.queueing.methods.mva import solve as mva


def queue(
    problem: Asked,
    method: str = "auto",
    bound: str = "",
    percentiles: bool = False,
    levels: tuple[float, ...] = LEVELS,
) -> Answer:
    """Solve a queueing problem: a network, or jobs with precedence; of an uncertain one, the ranges.

    `method` is "auto", "exact", "schweitzer", "linearizer" or "bounds" (`bound`: "aba", "bsb", "gb", or the sharpest),
    of jobs with precedence and layered queues "auto". With `percentiles` the result of a network has those of response
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
    from apet.queueing.methods.uncertain import bounds_over, ranges

    if method == "bounds":
        return bounds_over(problem, bound)
    return ranges(problem, method, lambda problem: solved(problem, method, bound))


def solved(problem: Problem, method: str = "auto", bound: str = "", levels: tuple[float, ...] = LEVELS) -> Result:
    """The answer to a problem without intervals; otherwise as `queue`."""
    if isinstance(problem, Network):
        return mva.bounds(problem, bound) if method == "bounds" else _network(problem, method, levels)
    if method != "auto":
        others = "layered queues" if isinstance(problem, Layered) else "jobs with precedence"
        what = f"networks without precedence, not for {others}"
        raise ApetError(errors.MethodDoesNotApply(None, None, method, what))
    if isinstance(problem, Layered):
        from apet.queueing.methods import layers

        return layers.solve(problem, levels)
    from apet.queueing.methods.precedence.solve import solve

    return solve(problem, levels)


def simulated(problem: Asked, jobs: int, seed: int) -> JobsResult | NetworkResult:
    """`jobs` jobs per class in the mean, of layered queues as many as make it precise, event by event; the same call
    gives the same numbers.

    `ApetError` for problems with intervals, and load-dependent stations.
    """
    from apet.queueing.methods import in_order
    from apet.queueing.methods.precedence.simulation import simulate

    if isinstance(problem, Network) and not any(problem.speeds):
        return in_order.as_network_result(problem, simulate(in_order.as_jobs(problem), jobs, seed))
    if isinstance(problem, Scenario):
        return simulate(problem, jobs, seed)
    if isinstance(problem, Layered):
        from apet.queueing.methods import layers

        return layers.solve(problem, seed=seed)
    raise ApetError(errors.OnlyJobsSimulated(None, None))


def _network(network: Network, method: str, levels: tuple[float, ...]) -> NetworkResult:
    from apet.queueing.methods import in_order

    if network.pools:
        from apet.queueing.methods import pools

        return pools.solve(network, method, levels)
    if network.obstacles:
        return in_order.solve(network, method, levels)
    return mva.solve(network, method)


def _with_percentiles(network: Network, result: NetworkResult, levels: tuple[float, ...]) -> NetworkResult:
    from apet.queueing.methods.percentiles import with_percentiles

    return result if result.percentiles else with_percentiles(network, result, levels)
