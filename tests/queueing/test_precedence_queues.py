"""Queues of several classes, thinking times, and many equal tasks: where means alone would mislead."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.benchmarks.job_methods import reference_amva, tagged_job

import apet
from apet import api
from apet.cost import Setting, analyse
from apet.ground.source import Source
from apet.model.pamela import parse
from apet.queueing.data.jobs import (
    Circulation,
    Distribution,
    JobStation,
    JobStep,
    JobTask,
    ParallelJob,
    Scenario,
    SerialJob,
)
from apet.queueing.data.unrolling import variants
from apet.queueing.methods.precedence import flows
from apet.queueing.methods.precedence.flows import StationWork
from apet.queueing.methods.precedence.simulation import simulate
from apet.queueing.methods.precedence.under_load import under_load

CONSTANT, UNEVEN = Distribution("det"), Distribution("hyperexp", 1, 4.0)


def response(scenario: Scenario) -> list[float]:
    return [c.response_time for c in tagged_job.solve(scenario).classes]


def test_a_short_step_waits_as_long_as_a_long_one() -> None:
    """At two servers in order of arrival; sharing them, it would be slowed in proportion to its length."""
    stations = (JobStation("cpu", "FCFS", 2), JobStation("disk", "FCFS"))
    batch = SerialJob((JobTask("a", (JobStep(0, 1.0),)), JobTask("b", (JobStep(1, 0.4),))))
    short = JobTask("s", (JobStep(0, 0.1),))
    scenario = Scenario(
        stations, (Circulation("batch", 5, 0.0, variants(batch)), Circulation("short", 2, 10.0, variants(short)))
    )
    simulated = [c.response_time for c in simulate(scenario, 20_000, 1).classes]
    assert response(scenario) == pytest.approx(simulated, rel=0.08)
    sharing = scenario._replace(stations=(JobStation("cpu", "PS", 2), stations[1]))
    assert response(scenario)[1] > 2 * response(sharing)[1]


@given(st.sampled_from((CONSTANT, UNEVEN, Distribution("erlang", 4))), st.integers(1, 3))
@settings(max_examples=10, deadline=None)
def test_how_a_job_alone_thinks_changes_nothing(shape: Distribution, servers: int) -> None:
    job = ParallelJob((JobTask("a", (JobStep(0, 1.0),)), JobTask("b", (JobStep(0, 0.5),))))
    one = Circulation("c", 1, 3.0, variants(job))
    found = [
        tagged_job.solve(Scenario((JobStation("cpu", "PS", servers),), (c,)))
        for c in (one, one._replace(think_distribution=shape))
    ]
    assert found[0] == found[1]
    assert not found[1].notes


def test_uneven_thinking_is_simulated_and_said_to_be_left_out() -> None:
    varying = Scenario(
        (JobStation("disk", "FCFS"),), (Circulation("c", 2, 1.0, variants(JobTask("a", (JobStep(0, 1.0),))), CONSTANT),)
    )
    assert "thinking" in tagged_job.solve(varying).notes[0]
    job = JobTask("a", (JobStep(0, 1.0, CONSTANT),))
    scenario = Scenario((JobStation("disk", "FCFS"),), (Circulation("c", 2, 1.0, variants(job), CONSTANT),))
    assert "thinking" in reference_amva.solve(scenario, "reference").notes[0]
    exponential = Scenario(scenario.stations, (scenario.classes[0]._replace(think_distribution=Distribution()),))
    even, uneven = (simulate(s, 5_000, 1).classes[0].response_time for s in (scenario, exponential))
    assert even == pytest.approx(1.0)  # the two take turns
    assert uneven > 1.1


def test_sixteen_uneven_branches_do_not_cost_all_their_combinations() -> None:
    """64 branches of two phases each: their 2^64 starts are counted as 65."""
    for number in (16, 64):
        job = ParallelJob(tuple(JobTask(f"t{i}", (JobStep(0, 1.0, UNEVEN),)) for i in range(number)))
        stations = (JobStation("cpu", "PS", number),)
        found = response(Scenario(stations, (Circulation("c", 1, 1.0, variants(job)),)))[0]
        simulated = simulate(Scenario(stations, (Circulation("c", 1, 1.0, variants(job)),)), 2_000, 1)
        assert found == pytest.approx(simulated.classes[0].response_time, rel=0.06)


@given(st.integers(65, 400), st.lists(st.floats(0.01, 2.0), min_size=3, max_size=3))
@settings(max_examples=30, deadline=None)
def test_many_branches_become_few_of_the_same_work(number: int, seconds: list[float]) -> None:
    branch = (StationWork(1, seconds[0]), StationWork(0, seconds[1]), StationWork(2, seconds[2]))
    (fork,) = flows.together([branch] * number, [0, 1, 2])
    assert isinstance(fork, flows.Split)
    assert len(fork.parts) == flows.MOST_ALIKE
    for place, total in ((0, number * seconds[0]), (2, number * seconds[2])):
        works = [part[place] for part in fork.parts]
        assert sum(w.seconds for w in works if isinstance(w, StationWork)) == pytest.approx(total)
    assert all(isinstance(part[1], StationWork) and part[1].seconds == seconds[1] for part in fork.parts)


def test_twenty_thousand_tasks_keep_to_the_bounds() -> None:
    lab = apet.load_machines("join-2005")
    text = "param P; L = par (i = 1, 20000) { delay(3); use(disk, 0.002); use(tape, 0.001); };"
    app = analyse(parse(Source("many.pam", text)), Setting())
    predictor = api.predictor(app, lab)
    alone, crowded = (under_load(predictor, 4, {}, jobs, 50.0) for jobs in (1, 2))
    assert alone.alone.lower.lo <= alone.response_time.lo <= alone.alone.upper.lo
    assert alone.tasks <= 64 < 20_000
    assert crowded.response_time.lo > alone.response_time.lo
