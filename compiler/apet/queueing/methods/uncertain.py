"""Problems whose times and rates lie in intervals: the least and the greatest of every number of the result.

One closed class over stations whose speeds do not fall: with D_k the demand at station k, f_k(n) = D_k^n / prod
speed_k(j) and G the normalising constant, X(N) = G(N - 1) / G(N) and D_k dG(n)/dD_k = Q_k(n) G(n), so that

    dln X(N) / dln D_k = Q_k(N - 1) - Q_k(N) <= 0

because queue lengths do not fall with N (R. Suri, JACM 32(4), 1985; J. G. Shanthikumar and D. D. Yao, 1988): throughput
falls in every demand and in the think time Z, a delay. R = N / X - Z rises in every demand, and falls in Z since
N / X(N) does not fall with N. dQ_k / dln D_k = Var n_k >= 0 and dQ_k / dln D_j = Cov(n_k, n_j) <= 0 (independent
numbers with log-concave weights are negatively associated given their sum: K. Joag-Dev and F. Proschan, 1983); so Q_k,
and with it R_k = D_k E[(n + 1) / speed(n + 1)] and U_k, rises in the own demand and falls in all others and in Z.
dln U_k / dln D_k = 1 + Q_k(N - 1) - Q_k(N) >= 0, as all queues together grow by one job.

In open networks everything rises in demands and arrival rates. Where several closed classes compete, no such order
holds (more work of one class may speed another up), nor for jobs with precedence (R. L. Graham, 1966): there corners
and the middle of the box are tried, and the extremes are those of what was tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.jobs import JobsResult, Scenario
from apet.queueing.data.networks import Network, NetworkBounds, NetworkResult
from apet.queueing.data.problems import Problem, Ranges, Result, Uncertain
from apet.queueing.methods.box_corners import ProblemBox, extremes
from apet.queueing.methods.mva.solve import bounds

Solve = Callable[[Problem], Result]
PRODUCT_FORM = (
    "one closed class: throughput falls, response time rises in every demand; a queue rises in its own demand and "
    "falls in the others and in the think time"
)
OPEN = "open classes: everything rises in demands and arrival rates"
COUPLED = "longer service, or faster arrivals, end no job earlier; both ends are simulated"
SEARCHED = "no order is known here: the extremes are those of what was tried in the box"


def ranges(problem: Uncertain, method: str, solve: Solve) -> Ranges:
    """The least and greatest of every number; `solve` answers for single values by `method`."""
    low, high = problem
    if isinstance(low, Scenario) and _is_fork(low):
        return Ranges(_without_notes(solve(low)), _without_notes(solve(high)), "proved", COUPLED, 2)
    if isinstance(low, Network) and isinstance(high, Network) and method in ("auto", "exact"):
        beyond = {k for n in (low, high) for k in range(len(n.stations)) if n.lacks_product_form(k)}
        if all(c.is_open for c in low.classes) and not low.pools and all(low.is_poisson_line(k) for k in beyond):
            return Ranges(solve(low), solve(high), "proved", OPEN, 2)
        if low.pools or beyond:
            return _searched(problem, solve)
        if len(low.classes) == 1 and all(low.is_regular(k) for k in range(len(low.stations))):
            return _one_class(low, high, solve)
        plain = all(low.is_plain(k) for k in range(len(low.stations)))
        closed = plain and not any(c.is_open for c in low.classes)
        return _searched(problem, solve, bounds_over(problem, "aba") if closed else None)

    return _searched(problem, solve)


def bounds_over(problem: Uncertain, bound: str) -> NetworkBounds:
    """Bounds that hold for all values, taken at the corner where each is the weakest.

    Asymptotic ones fall (throughput) and rise (response time) in every demand. The exact solution of one class does,
    so that any bound of it at such a corner bounds it everywhere.
    """
    low, high = problem
    if not isinstance(low, Network) or not isinstance(high, Network):
        what = "networks without precedence, not for jobs with precedence"
        raise ApetError(errors.MethodDoesNotApply(None, None, "bounds", what))

    fast, slow = bounds(low, bound), bounds(high, bound)
    short = bounds(replace(low, classes=high.classes), bound)
    long = bounds(replace(high, classes=low.classes), bound)
    return NetworkBounds(fast.method, slow.X_lower, fast.X_upper, short.R_lower, long.R_upper)


def _one_class(low: Network, high: Network, solve: Solve) -> Ranges:
    """Each number at the corner of the box where the proof puts its end."""
    solved: list[NetworkResult] = []

    def at(long: Callable[[int], bool], think: bool) -> NetworkResult:
        def row(name: str) -> list[list[float]]:
            lows, highs = getattr(low, name)[0], getattr(high, name)[0]
            return [[h if long(k) else s for k, (s, h) in enumerate(zip(lows, highs, strict=True))]]

        network = replace(high if think else low, service=row("service"), visits=row("visits"))
        result = solve(network)
        assert isinstance(result, NetworkResult)
        solved.append(result)
        return result

    least = _assembled(at(lambda k: True, True), at(lambda k: False, True), _own(low, high, at, True))
    most = _assembled(at(lambda k: False, False), at(lambda k: True, False), _own(low, high, at, False))
    return Ranges(least, most, "proved", PRODUCT_FORM, len(solved))


def _own(
    low: Network, high: Network, at: Callable[[Callable[[int], bool], bool], NetworkResult], short: bool
) -> list[NetworkResult]:
    """For each station the network in which it has the least to do (with `short`), or the most."""
    return [at(lambda k, s=station: (k != s) == short, short) for station in range(len(low.stations))]  # type: ignore[misc]


def _assembled(rate: NetworkResult, response: NetworkResult, stations: list[NetworkResult]) -> NetworkResult:
    def row(name: str) -> list[Any]:
        return [[getattr(result, name)[0][k] for k, result in enumerate(stations)]]

    return replace(
        rate,
        system_response_time=response.system_response_time,
        queue_length=row("queue_length"),
        residence_time=row("residence_time"),
        response_time_per_visit=row("response_time_per_visit"),
        utilization=row("utilization"),
    )


def _searched(problem: Uncertain, solve: Solve, guaranteed: NetworkBounds | None = None) -> Ranges:
    box = ProblemBox(problem.low, problem.high)
    low, high, points = extremes(box, solve)
    return Ranges(_without_notes(low), _without_notes(high), "searched", SEARCHED, points, guaranteed)


def _without_notes(result: Result) -> Result:
    """Notes and half-widths of simulations are of single values."""
    if not isinstance(result, JobsResult):
        return result
    return replace(result, classes=tuple(replace(c, half_width=None) for c in result.classes), notes=())


def _is_fork(scenario: Scenario) -> bool:
    """Whether open jobs of one class do no more than one step each at lines of their own: all ends are then sums and
    maxima of times."""
    steps = [[s.station for t in v.tasks for s in t.steps] for c in scenario.classes for v in c.variants]
    in_line = all(s.discipline == "FCFS" for s in scenario.stations)
    opened = len(steps) == 1 and scenario.classes[0].is_open and not scenario.pools
    return opened and in_line and len(set(steps[0])) == len(steps[0])
