"""Response time of an application of which several runs compete for the same machine."""

from __future__ import annotations

from collections.abc import Mapping

from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine.network import End
from apet.prediction import Predictor
from apet.prediction.binding import bind
from apet.queueing import errors
from apet.queueing.data.jobs import Scenario, Variant
from apet.queueing.data.problems import UnderLoad
from apet.queueing.methods.precedence import simulation
from apet.queueing.methods.precedence.from_model import scenario
from apet.queueing.methods.precedence.solve import SEED, solve

ENDS: tuple[End, End] = ("tmin", "tmax")
SLACK = 1e-9
"""Relative: sums of floats against exact bounds."""
ROUNDS = 5
"""Of one job alone: the first may be cut short by what a simulation leaves out."""


def under_load(
    predictor: Predictor, processors: int | None, values: Mapping[str, Number | Interval], jobs: int, think: float
) -> UnderLoad:
    """`jobs` runs at a time on the given number of processors, at both ends of the machine's times.

    Raises `ApetError` where a value is missing or a range, or the application is too large for a job.
    """
    ranges = [errors.RangeUnderLoad(None, None, n) for n, v in values.items() if isinstance(v, Interval)]
    if ranges:
        raise ApetError(ranges)
    alone = predictor.predict(processors, values)

    scenarios = [scenario_at(predictor, processors, values, end, jobs, think) for end in ENDS]
    results = [solve(one) for one in scenarios]
    times = [alone_seconds(one) for one in scenarios]
    _refuse_contradiction(times[0], alone.lower.lo, alone.upper.lo)
    _refuse_contradiction(times[1], alone.lower.hi, alone.upper.hi)
    if jobs > 1:
        times = [r.classes[0].response_time for r in results]

    busy = [
        (a.name, Interval(*sorted((a.utilization, b.utilization))))
        for a, b in zip(results[0].stations, results[1].stations, strict=True)
        if a.utilization is not None and b.utilization is not None
    ]
    busy.sort(key=lambda row: -row[1].hi)
    return UnderLoad(
        jobs=jobs,
        think=think,
        response_time=Interval(*sorted(times)),
        throughput=Interval(*sorted(r.classes[0].throughput for r in results)),
        stations=tuple(busy),
        alone=alone,
        tasks=max(len(v.tasks) for v in scenarios[1].classes[0].variants),
        method=results[1].method,
        notes=results[1].notes,
    )


def scenario_at(
    predictor: Predictor,
    processors: int | None,
    values: Mapping[str, Number | Interval],
    end: End,
    jobs: int,
    think: float,
) -> Scenario:
    """The jobs and stations at one end of the machine's times."""
    app, machines = predictor.on_process
    configuration = machines.configure(processors)
    points = bind(app, configuration.P, values).points
    return scenario(app, configuration, end, points, predictor.schedule, jobs, think)


def alone_seconds(jobs: Scenario) -> float:
    """Seconds of one job of the only class that meets nobody; its demands do not vary."""
    return sum(v.probability * _alone(jobs, v) for v in jobs.classes[0].variants)


def _refuse_contradiction(seconds: float, lower: Number, upper: Number) -> None:
    """A single run must take what the bounds say; where it does not, queues do not describe the program."""
    low, high = float(lower), float(upper)
    if not low * (1 - SLACK) <= seconds <= high * (1 + SLACK):
        raise ApetError(errors.BoundsMissed(None, None, *(f"{x:.6g} s" for x in (seconds, low, high))))


def _alone(jobs: Scenario, variant: Variant) -> float:
    """All times of a job that does not vary and meets nobody are equal, so that a few rounds show them."""
    circulation = jobs.classes[0]._replace(population=1, think=0.0, variants=(variant._replace(probability=1.0),))
    one = jobs._replace(classes=(circulation,))
    if not any(step.demand for task in variant.tasks for step in task.steps):
        return 0.0
    return simulation.run(one, ROUNDS * simulation.events_per_round(one), SEED).percentiles[0][0].value
