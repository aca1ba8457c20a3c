"""Throughput and response time against the number of jobs, with asymptotes and the point where they cross.

Asymptotic bounds (P. J. Denning and J. P. Buzen, ACM Computing Surveys 10(3), 1978): X <= min(1 / D_max, N / (Z +
R_1)), R >= max(R_1, N D_max - Z), which cross at N* = (Z + R_1) / D_max; D_max is the greatest demand per server, R_1
the response time of a job alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from apet.ground.diagnostics import ApetError
from apet.queueing import errors
from apet.queueing.jobs import JobsResult, Scenario
from apet.queueing.networks import Network, NetworkResult
from apet.queueing.problems import Asked, Growth, Problem, Result

Solve = Callable[[Problem], Result]
FEWEST, MOST = 10, 60


def growth(asked: Asked, jobs: Sequence[int] | None, solve: Solve) -> Growth:
    """The one closed class of a problem with these numbers of jobs; `ApetError` for other problems.

    None: from one job to twice the saturation point, but at least 10 and at most 60.
    """
    problem = _single(asked)
    demands, names = _demands(problem)
    think = problem.classes[0].think
    _, alone = _answered(solve(_with(problem, 1)))
    top = max(demands, default=0.0)
    populations = _usual((think + alone) / top if top else 0.0) if jobs is None else jobs
    busiest = names[demands.index(top)] if top else ""
    found = [_answered(solve(_with(problem, n))) for n in populations]
    return Growth(
        tuple(populations),
        tuple(x for x, _ in found),
        tuple(r for _, r in found),
        tuple(
            min(1 / top if top else math.inf, n / (think + alone) if think + alone else math.inf) for n in populations
        ),
        tuple(max(alone, n * top - think) for n in populations),
        (think + alone) / top if top else math.inf,
        busiest,
    )


def _usual(saturation: float) -> Sequence[int]:
    return range(1, max(FEWEST, math.ceil(min(MOST, 2 * saturation))) + 1)


def _single(asked: Asked) -> Network | Scenario:
    closed = isinstance(asked, Scenario) or (isinstance(asked, Network) and not asked.classes[0].is_open)
    if isinstance(asked, Network | Scenario) and closed and len(asked.classes) == 1:
        return asked
    raise ApetError(errors.GrowthOfOneClass(None, None))


def _with(problem: Network | Scenario, jobs: int) -> Problem:
    if isinstance(problem, Network):
        return problem._replace(classes=(problem.classes[0]._replace(population=jobs),))
    return problem._replace(classes=(problem.classes[0]._replace(population=jobs),))


def _answered(found: Result) -> tuple[float, float]:
    if isinstance(found, NetworkResult):
        return found.throughput[0], found.system_response_time[0]
    assert isinstance(found, JobsResult)
    return found.classes[0].throughput, found.classes[0].response_time


def _demands(problem: Network | Scenario) -> tuple[list[float], list[str]]:
    """Seconds of service per job and server, at stations where jobs wait, and their names."""
    if isinstance(problem, Network):
        pairs = [
            (d / problem.speed(k)[-1], s.name)
            for k, (d, s) in enumerate(zip(problem.demands()[0], problem.stations, strict=True))
            if not s.is_delay
        ]
    else:
        work = [0.0] * len(problem.stations)
        for variant in problem.classes[0].variants:
            for task in variant.tasks:
                for step in task.steps:
                    work[step.station] += variant.probability * step.demand
        pairs = [
            (w / s.servers, s.name) for w, s in zip(work, problem.stations, strict=True) if s.discipline != "delay"
        ]
    return [d for d, _ in pairs], [name for _, name in pairs]
