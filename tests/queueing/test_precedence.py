"""Jobs with precedence: against simulation, exact answers, and laws."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.benchmarks.job_methods import tagged_job as precedence
from tests.benchmarks.job_methods.arrival_factor import arrival_factor, service

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.queueing.data.jobs import (
    Circulation,
    Distribution,
    Job,
    JobChoice,
    JobsResult,
    JobStation,
    JobStep,
    JobTask,
    ParallelJob,
    Pipeline,
    PipelineStage,
    Scenario,
    SerialJob,
)
from apet.queueing.data.networks import JobClass, Network, Station
from apet.queueing.data.unrolling import JobTooBig, variants
from apet.queueing.methods.answer import queue
from apet.queueing.methods.mva import solve
from apet.queueing.methods.precedence import solve as steady_state
from apet.queueing.read import parse_queue_file

CASES = json.loads((Path(__file__).parents[1] / "data" / "queueing" / "simulated.json").read_text())
JOBS = [c for c in CASES if c["kind"] == "sim_precedence"]
FORK_JOINS = [c for c in CASES if c["kind"] == "sim_open_forkjoin"]
SHARED = JobStation("cpu", "PS", 1)


def read(case: dict[str, Any]) -> Any:
    """The problem of a reference case, by way of the reader."""
    text = json.dumps({k: v for k, v in case.items() if k != "result"})
    return parse_queue_file(Source(f"{case['id']}.json", text)).problem


def scenario(job: Job, population: int, think: float = 0.0, *stations: JobStation) -> Scenario:
    """One class of a job."""
    return Scenario(stations or (SHARED,), (Circulation("c", population, think, variants(job)),))


def response(job: Job, population: int, think: float = 0.0, *stations: JobStation) -> float:
    """The mean response time of one class of a job."""
    one = scenario(job, population, think, *stations)
    varies = all(s.distribution.kind != "det" for v in variants(job) for t in v.tasks for s in t.steps)
    return (precedence.solve if varies else steady_state.solve)(one).classes[0].response_time


@cache
def answered(i: int) -> Any:
    """The answer to a reference case, solved once."""
    return queue(read(JOBS[i]))


@pytest.mark.parametrize("i", range(len(JOBS)), ids=lambda i: JOBS[i]["id"])
def test_response_times_are_those_of_simulation(i: int) -> None:
    found, case = answered(i), JOBS[i]
    for one in found.classes:
        wanted = case["result"]["classes"][one.name]
        assert one.response_time == pytest.approx(wanted["response_time"]["mean"], rel=0.04)
        assert one.throughput == pytest.approx(wanted["throughput"]["mean"], rel=0.04)
    for there in found.stations:
        assert there.utilization == pytest.approx(case["result"]["stations"][there.name]["mean"], abs=0.03)
        assert there.utilization <= 1.001


def test_the_mean_error_over_all_scenarios_is_small() -> None:
    errors = []
    for i, case in enumerate(JOBS):
        for one in answered(i).classes:
            errors.append(abs(one.response_time / case["result"]["classes"][one.name]["response_time"]["mean"] - 1))
    assert np.mean(errors) < 0.01


@pytest.fixture
def fewer_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """For what is known to a percent or worse."""
    monkeypatch.setattr(steady_state, "MOST_EVENTS", 2_000_000)


@pytest.mark.usefixtures("fewer_events")
@pytest.mark.parametrize("case", FORK_JOINS[::3], ids=lambda c: c["id"])
def test_open_fork_joins_take_as_long_as_simulated(case: dict[str, Any]) -> None:
    found = queue(read(case))
    wanted = case["result"]["response_time"]["mean"]
    assert found.classes[0].response_time == pytest.approx(wanted, rel=0.03)  # type: ignore[union-attr]


def fork(rate: float, means: tuple[float, ...], kind: str = "exp") -> Scenario:
    """An open fork-join, by way of the reader."""
    dist = {"type": kind}
    return read({"id": "fork", "arrival_rate": rate, "service_means": means, "service_dist": dist})  # type: ignore[no-any-return]


@pytest.mark.usefixtures("fewer_events")
@pytest.mark.parametrize("busy", [0.1, 0.7])
def test_two_exponential_queues_take_what_is_known_exactly(busy: float) -> None:
    """L. Flatto and S. Hahn, SIAM Journal on Applied Mathematics 44(5), 1984."""
    exact, found = (12 - busy) / 8 / (1 - busy), queue(fork(busy, (1.0, 1.0)))
    assert found.classes[0].response_time == pytest.approx(exact, rel=2e-2)  # type: ignore[union-attr]


@pytest.mark.usefixtures("fewer_events")
@pytest.mark.parametrize(("rate", "means"), [(0.8, (1.0, 1.0, 1.0)), (0.3, (1.0, 2.0)), (0.05, (1.0, 1.0))])
def test_a_fork_takes_as_long_as_its_longest_constant_queue(rate: float, means: tuple[float, ...]) -> None:
    """Equal arrivals at constant services: the busiest queue is always the last one."""
    found = queue(fork(rate, means, "det"))
    longest = max(m + rate * m * m / 2 / (1 - rate * m) for m in means)
    assert found.classes[0].response_time == pytest.approx(longest, rel=2e-2)  # type: ignore[union-attr]


# One job alone is exact


@given(st.lists(st.floats(0.1, 2.0), min_size=1, max_size=4))
def test_parallel_tasks_alone_last_as_long_as_their_maximum(demands: list[float]) -> None:
    stations = tuple(JobStation(f"s{k}") for k in range(len(demands)))
    job = ParallelJob(tuple(JobTask(f"t{k}", (JobStep(k, d),)) for k, d in enumerate(demands)))
    expected = 0.0  # inclusion and exclusion
    for chosen in range(1, 2 ** len(demands)):
        rates = [1 / d for k, d in enumerate(demands) if chosen >> k & 1]
        expected += (-1) ** (len(rates) + 1) / sum(rates)
    assert response(job, 1, 0.0, *stations) == pytest.approx(expected, rel=1e-9)


@given(st.integers(1, 5), st.integers(1, 4))
def test_equal_tasks_at_servers_alone_are_a_death_process(tasks: int, servers: int) -> None:
    job = ParallelJob(tuple(JobTask(f"t{k}", (JobStep(0, 1.0),)) for k in range(tasks)))
    expected = sum(1 / min(k, servers) for k in range(1, tasks + 1))
    assert response(job, 1, 0.0, JobStation("cpu", "PS", servers)) == pytest.approx(expected)


@given(st.floats(0.1, 0.9), st.floats(0.1, 2), st.floats(0.1, 2))
def test_a_choice_alone_weighs_its_parts(p: float, a: float, b: float) -> None:
    job = JobChoice((p, 1 - p), (JobTask("a", (JobStep(0, a),)), JobTask("b", (JobStep(0, b),))))
    assert response(job, 1) == pytest.approx(p * a + (1 - p) * b)


@given(st.sampled_from(["det", "erlang", "exp"]), st.integers(1, 4), st.integers(1, 3))
def test_steps_alone_add_up_whatever_their_distribution(kind: str, steps: int, order: int) -> None:
    shape = Distribution(kind, order + 1 if kind == "erlang" else 1)
    job = JobTask("t", tuple(JobStep(0, 0.5 + k, shape) for k in range(steps)))
    assert response(job, 1) == pytest.approx(sum(0.5 + k for k in range(steps)))


def test_a_constant_pipeline_alone_is_its_recurrence() -> None:
    times, items = (0.5, 0.8, 0.3), 6
    shape = Distribution("det")
    stations = tuple(JobStation(f"s{k}") for k in range(3))
    stages = tuple(PipelineStage(f"s{k}", (JobStep(k, d, shape),)) for k, d in enumerate(times))
    done = [0.0] * 3
    for _ in range(items):
        for k, d in enumerate(times):
            done[k] = max(done[k], done[k - 1] if k else 0.0) + d
    assert response(Pipeline("p", items, stages), 1, 0.0, *stations) == pytest.approx(done[-1])


# Jobs of one task in product-form networks are mean value analysis


@settings(max_examples=30)
@given(st.integers(1, 6), st.floats(0, 4), st.floats(0.1, 1), st.floats(0.1, 1), st.integers(1, 3))
def test_single_tasks_at_shared_stations_are_mean_value_analysis(
    jobs: int, think: float, a: float, b: float, servers: int
) -> None:
    exact = solve.solve(
        Network((Station("a", "queue", servers), Station("b")), (JobClass("c", jobs, think),), [[a, b]], [[1, 1]])
    )
    job = JobTask("t", (JobStep(0, a), JobStep(1, b)))
    found = response(job, jobs, think, JobStation("a", "PS", servers), JobStation("b"))
    assert found == pytest.approx(exact.system_response_time[0], rel=1e-9)


@settings(max_examples=20)
@given(st.integers(1, 5), st.floats(0, 4), st.floats(0.1, 1), st.floats(0.1, 1))
def test_single_exponential_tasks_at_queues_are_mean_value_analysis(
    jobs: int, think: float, a: float, b: float
) -> None:
    exact = solve.solve(Network((Station("a"), Station("b")), (JobClass("c", jobs, think),), [[a, b]], [[1, 1]]))
    stations = (JobStation("a", "FCFS"), JobStation("b", "FCFS"))
    found = response(JobTask("t", (JobStep(0, a), JobStep(1, b))), jobs, think, *stations)
    assert found == pytest.approx(exact.system_response_time[0], rel=1e-9)


@given(st.integers(2, 6), st.integers(1, 3))
def test_a_batch_that_always_shares_one_server_lasts_as_long_as_all_its_work(jobs: int, tasks: int) -> None:
    job = ParallelJob(tuple(JobTask(f"t{k}", (JobStep(0, 1.0),)) for k in range(tasks)))
    assert response(job, jobs) == pytest.approx(jobs * tasks, rel=1e-6)


@settings(max_examples=20)
@given(st.integers(1, 8))
def test_more_jobs_never_respond_faster(most: int) -> None:
    job = SerialJob(
        (
            JobTask("a", (JobStep(0, 0.4),)),
            ParallelJob((JobTask("b", (JobStep(0, 0.5),)), JobTask("c", (JobStep(1, 0.9),)))),
        )
    )
    stations = (JobStation("cpu", "PS", 2), JobStation("disk", "FCFS"))
    found = [response(job, n, 2.0, *stations) for n in range(1, most + 1)]
    assert all(a <= b * (1 + 1e-9) for a, b in pairwise(found))


# The arrival factor


@given(st.integers(2, 12), st.floats(0.1, 10))
def test_exponential_service_needs_no_factor(sources: int, away: float) -> None:
    near = arrival_factor(sources, away, 1 + 1e-6)
    assert near == pytest.approx(1, abs=1e-4)
    assert arrival_factor(sources, away, 1.0) == 1.0


@given(st.floats(0.07, 8).filter(lambda c2: abs(c2 - 1) > 0.01))
def test_phase_type_services_have_the_moments_asked_for(c2: float) -> None:
    start, rates, following = service(c2)
    inverse = np.linalg.inv(np.diag(rates) @ (np.eye(len(rates)) - following))
    ones = np.ones(len(rates))
    assert start @ inverse @ ones == pytest.approx(1)
    assert 2 * start @ inverse @ inverse @ ones - 1 == pytest.approx(c2, rel=1e-6)


def test_a_queue_that_jobs_hardly_visit_has_an_arrival_factor() -> None:
    near, far = arrival_factor(4, 1e6, 0.5), arrival_factor(4, 1e30, 0.5)
    assert near == far
    assert 0 < far <= 1


def test_more_variable_service_makes_arrivals_wait_longer() -> None:
    found = [arrival_factor(5, 2.0, c2) for c2 in (0.02, 0.0625, 0.25, 0.5, 1.0, 2.0, 4.0)]
    assert all(a < b for a, b in pairwise(found))


# What jobs turn out to be


def test_a_pipeline_with_a_small_buffer_holds_its_producer_back() -> None:
    stages = (PipelineStage("a", (JobStep(0, 1.0),)), PipelineStage("b", (JobStep(1, 1.0),)))
    (found,) = variants(Pipeline("p", 3, stages, 1))
    by_name = {t.name: {found.tasks[p].name for p in t.predecessors} for t in found.tasks}
    assert by_name["p.a1"] == {"p.a0", "p.b0"}
    assert by_name["p.b2"] == {"p.b1", "p.a2"}


def test_too_many_choices_are_refused() -> None:
    coin = JobChoice((0.5, 0.5), (JobTask("a", ()), JobTask("b", ())))
    with pytest.raises(JobTooBig, match="1,024 combinations"):
        variants(SerialJob((coin,) * 10))


def test_a_job_with_too_many_states_is_simulated() -> None:
    chains = ParallelJob(
        tuple(SerialJob(tuple(JobTask(f"t{i}{j}", (JobStep(0, 0.3 + 0.1 * i),)) for j in range(6))) for i in range(5))
    )
    found = queue(scenario(chains, 1, 0.0, JobStation("cpu", "PS", 8)))
    assert isinstance(found, JobsResult)
    assert found.method == "simulation"
    draws = np.random.default_rng(1).gamma(6, 1, (200_000, 5)) * (0.3 + 0.1 * np.arange(5))
    assert found.classes[0].response_time == pytest.approx(draws.max(axis=1).mean(), rel=0.03)


def test_an_overloaded_fork_join_names_its_queue() -> None:
    with pytest.raises(ApetError, match=r"queue 2: utilization 1\.2"):
        queue(fork(0.6, (1.0, 2.0)))
