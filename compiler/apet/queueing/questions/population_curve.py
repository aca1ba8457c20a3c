"""Throughput and response time against the population, with asymptotes and the saturation point where they cross.

Asymptotic bounds (P. J. Denning and J. P. Buzen, ACM Computing Surveys 10(3), 1978): X <= min(1 / D_max, N / (Z +
R_1)), R >= max(R_1, N D_max - Z), which cross at N* = (Z + R_1) / D_max; D_max is the demand at the bottleneck at its
greatest speed, R_1 what a job takes at least. Where a pool refuses jobs, the second bound of R does not hold.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from apet.ground.activity import over
from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.data.jobs import JobsResult, Scenario, Variant
from apet.queueing.data.networks import Network, NetworkResult
from apet.queueing.data.problems import Asked, PopulationCurve, Problem, Result, class_means
from apet.queueing.data.varied import with_value

Solve = Callable[[Problem], Result]
FEWEST, MOST = 10, 60
"""Jobs: a curve chosen by the saturation point ends no earlier, and no later."""


def population_curve(problem: Asked, jobs: Sequence[int] | None, solve: Solve) -> PopulationCurve:
    """The one closed class of a problem with these numbers of jobs; `ApetError` for other problems.

    None: from one job to twice the saturation point, but at least 10 and at most 60.
    """
    network = _single_class(problem)

    def means_with(jobs: int) -> tuple[float, float]:
        result = solve(with_value(network, f"population[{network.classes[0].name}]", jobs))
        if not isinstance(result, NetworkResult | JobsResult):
            raise ApetError(errors.GrowthNeedsMeans(None, None))
        return class_means(result)[0]

    demands, names = _demands_per_server(network)
    think, top = network.classes[0].think, max(demands, default=0.0)
    alone = least_response(network)
    cycle, refuses = think + alone, any(pool.backlog is not None for pool in network.pools)

    populations = _populations(cycle / top if top else 0.0) if jobs is None else jobs
    means = [means_with(n) for n in over(populations, "solving", "numbers of jobs")]
    return PopulationCurve(
        jobs=tuple(populations),
        throughput=tuple(x for x, _ in means),
        response_time=tuple(r for _, r in means),
        throughput_most=tuple(min(1 / top if top else math.inf, n / cycle if cycle else math.inf) for n in populations),
        response_least=tuple(alone if refuses else max(alone, n * top - think) for n in populations),
        saturation=cycle / top if top else math.inf,
        busiest=names[demands.index(top)] if top else "",
    )


def least_response(problem: Network | Scenario) -> float:
    """Seconds that a job of the first class takes at least in the mean, whoever else is there.

    Of jobs with precedence: by variant its longest path, and its work at the busiest station. The time of one job
    alone is no such bound: a wait may put tasks into a better order (R. L. Graham, 1966).
    """
    if isinstance(problem, Network):
        rows = enumerate(problem.demands()[0])
        return sum(d / _most_per_job(problem, k) for k, d in rows)

    return sum(v.probability * max(_longest_path(v), _longest_work(problem, v)) for v in problem.classes[0].variants)


def _most_per_job(network: Network, k: int) -> float:
    """The greatest speed at which one job can be served: that of 1, 2, … jobs, shared by them."""
    if network.stations[k].is_delay or not (network.speeds and network.speeds[k]):
        return 1.0
    return max(speed / n for n, speed in enumerate(network.speed(k), start=1))


def _longest_path(variant: Variant) -> float:
    ends = list[float]()
    for task in variant.tasks:
        begin = max((ends[p] for p in task.predecessors), default=0.0)
        ends.append(begin + sum(step.demand for step in task.steps))
    return max(ends, default=0.0)


def _longest_work(scenario: Scenario, variant: Variant) -> float:
    work = [0.0] * len(scenario.stations)
    for task in variant.tasks:
        for step in task.steps:
            work[step.station] += step.demand
    pairs = zip(scenario.stations, work, strict=True)
    return max((w / s.servers for s, w in pairs if not s.is_delay), default=0.0)


def _populations(saturation: float) -> Sequence[int]:
    return range(1, max(FEWEST, math.ceil(min(MOST, 2 * saturation))) + 1)


def _single_class(problem: Asked) -> Network | Scenario:
    if isinstance(problem, Network | Scenario) and len(problem.classes) == 1 and not problem.classes[0].is_open:
        return problem
    raise ApetError(errors.GrowthOfOneClass(None, None))


def _demands_per_server(problem: Network | Scenario) -> tuple[list[float], list[str]]:
    """Service demands over servers in seconds, at stations where jobs wait, and the names of these."""
    if isinstance(problem, Network):
        pairs = [
            (d / max(problem.speed(k)), s.name)
            for k, (d, s) in enumerate(zip(problem.demands()[0], problem.stations, strict=True))
            if not s.is_delay
        ]
    else:
        from apet.queueing.methods.precedence.capacity import StationLoads

        work = StationLoads(problem).demands[0].tolist()
        pairs = [
            (w / s.servers, s.name) for w, s in zip(work, problem.stations, strict=True) if s.discipline != "delay"
        ]

    return [d for d, _ in pairs], [name for _, name in pairs]
