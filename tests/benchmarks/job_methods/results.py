"""From response times to the result of jobs with precedence: what every analytic method reports."""

from __future__ import annotations

from collections.abc import Sequence

from apet.queueing.data.jobs import ClassResult, JobsResult, Scenario, StationResult, TaskResult

THINKING_VARIES = "{}: of thinking times that are not exponential the mean is taken; apet simulate shows the change"


def jobs_result(
    scenario: Scenario,
    method: str,
    response: Sequence[float],
    rates: Sequence[float],
    work: Sequence[float],
    tasks_at: Sequence[Sequence[float]],
    tasks: Sequence[Sequence[tuple[TaskResult, ...]]],
    iterations: int = 0,
    notes: Sequence[str] = (),
) -> JobsResult:
    """By class seconds and jobs per second, by station seconds of service per second, by class and station mean
    tasks, by class and variant tasks."""
    classes = [
        ClassResult(c.name, r, x, tuple(variants), tasks_at=tuple(there))
        for c, r, x, variants, there in zip(scenario.classes, response, rates, tasks, tasks_at, strict=True)
    ]

    stations = [
        StationResult(s.name, None if s.discipline == "delay" else float(w) / s.servers, float(sum(n)))
        for s, w, n in zip(scenario.stations, work, zip(*tasks_at, strict=True), strict=True)
    ]
    return JobsResult(method, tuple(classes), tuple(stations), iterations, True, tuple(notes))


def throughput(scenario: Scenario, response: Sequence[float]) -> list[float]:
    """Jobs per second of each class, by Little's law."""
    cycles = [c.think + r for c, r in zip(scenario.classes, response, strict=True)]
    return [c.population / cycle if cycle else 0.0 for c, cycle in zip(scenario.classes, cycles, strict=True)]


def thinking_varies(scenario: Scenario) -> tuple[str, ...]:
    """A note where classes think for times that are not exponential and jobs may meet.

    In networks of product form only the mean matters (F. Baskett et al., JACM 22(2), 1975), and to a job that is alone.
    """
    if sum(c.population for c in scenario.classes) == 1:
        return ()
    uneven = [c.name for c in scenario.classes if c.think and c.think_distribution.kind != "exp"]
    return (THINKING_VARIES.format(", ".join(uneven)),) if uneven else ()
