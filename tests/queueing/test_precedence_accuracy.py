"""How far the default method for jobs with precedence is from simulation, on random jobs of the reference's kinds."""

from __future__ import annotations

import statistics

import pytest
from tests.queueing_scenarios import random_scenario

from apet.queueing.data.jobs import Circulation, JobStation, JobStep, JobTask, Scenario, Variant
from apet.queueing.methods.precedence.simulation import simulate
from apet.queueing.methods.precedence.solve import solve


def errors(seeds: range, jobs: int) -> list[float]:
    """Relative errors of response times, by class."""
    found = []
    for seed in seeds:
        _, scenario = random_scenario(seed)
        simulated, solved = simulate(scenario, jobs, seed), solve(scenario)
        pairs = zip(simulated.classes, solved.classes, strict=True)
        found += [abs(b.response_time / a.response_time - 1) for a, b in pairs]
    return found


def test_a_few_random_jobs_are_met_within_some_percent() -> None:
    found = errors(range(4, 12), 3_000)
    assert statistics.mean(found) < 0.04
    assert max(found) < 0.15


def test_jobs_that_do_not_vary_and_do_not_think_wait_for_all_others_at_the_only_queue() -> None:
    """Nothing else can be served meanwhile, so that each of n jobs takes n times its work."""
    from apet.queueing.data.jobs import Distribution

    for jobs in (1, 3, 6):
        tasks = (JobTask("a", (JobStep(0, 0.7, Distribution("det")),)),)
        one = Scenario((JobStation("s", "FCFS"),), (Circulation("c", jobs, 0.0, (Variant(1.0, tasks),)),))
        assert solve(one).classes[0].response_time == pytest.approx(0.7 * jobs, rel=1e-6)


def test_the_order_of_arrival_decides_who_is_served_next() -> None:
    """The second step of the first task comes behind the two tasks that are there from the start."""
    tasks = (
        JobTask("late", (JobStep(0, 1.2), JobStep(1, 0.4))),
        JobTask("a", (JobStep(1, 0.9),)),
        JobTask("b", (JobStep(1, 1.1),)),
        JobTask("c", (JobStep(0, 1.5),), (2,)),
    )
    stations = (JobStation("s0", "FCFS"), JobStation("s1", "FCFS"))
    one = Scenario(stations, (Circulation("c", 1, 0.0, (Variant(1.0, tasks),)),))
    simulated = simulate(one, 15_000, 1).classes[0].response_time
    assert solve(one).classes[0].response_time == pytest.approx(simulated, rel=0.03)
