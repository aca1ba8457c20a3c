"""Pools: limits on the jobs inside, as an equivalent station and in simulations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.queueing.data.jobs import (
    Circulation,
    JobsResult,
    JobStation,
    JobStep,
    JobTask,
    ParallelJob,
    Pool,
    Scenario,
)
from apet.queueing.data.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.data.unrolling import variants
from apet.queueing.methods.answer import queue, simulated, solved
from apet.queueing.methods.precedence import simulation
from apet.queueing.questions.targets import target


def limited(
    job: JobClass, size: int, backlog: int | None = None, stations: tuple[Station, ...] = (Station("s", "queue", 2),)
) -> Network:
    """One class in a pool, a second of service at the first station, a fifth at others."""
    service = [[1.0, *[0.2] * (len(stations) - 1)]]
    return Network(stations, (job,), service, [[1.0] * len(stations)], pools=(Pool("threads", size, (0,), backlog),))


def answer(network: Network) -> NetworkResult:
    result = solved(network)
    assert isinstance(result, NetworkResult)
    return result


def in_simulation(network: Network) -> NetworkResult:
    result = simulated(network, 200_000, 1)
    assert isinstance(result, NetworkResult)
    return result


@given(st.floats(0.1, 3.0), st.integers(1, 3), st.integers(0, 4), st.integers(0, 6))
@settings(deadline=None)
def test_a_pool_over_one_station_is_a_queue_with_losses(rate: float, servers: int, more: int, backlog: int) -> None:
    """M/M/s/K: weights a^n / prod min(j, s), no more than K jobs (A. K. Erlang, 1917, for K = s)."""
    room = servers + more + backlog
    weights = [1.0]
    for n in range(1, room + 1):
        weights.append(weights[-1] * rate / min(n, servers))
    refused, there = weights[-1] / sum(weights), sum(n * w for n, w in enumerate(weights)) / sum(weights)

    network = limited(JobClass("c", None, 0.0, rate), servers + more, backlog, (Station("s", "queue", servers),))
    result = answer(network)
    assert result.refused[0] == pytest.approx(refused)
    assert result.throughput[0] == pytest.approx(rate * (1 - refused))
    assert result.system_response_time[0] == pytest.approx(there / (rate * (1 - refused)))


@given(st.integers(1, 12), st.floats(0.5, 20.0))
@settings(deadline=None)
def test_a_pool_for_all_jobs_limits_nothing(jobs: int, think: float) -> None:
    stations = (Station("cpu", "queue", 2), Station("disk"), Station("net", "delay"))
    network = limited(JobClass("c", jobs, think), jobs, None, stations)
    free = Network(network.stations, network.classes, network.service, network.visits)
    assert answer(network).queue_length[0] == pytest.approx(answer(free).queue_length[0])
    assert answer(network).system_response_time == pytest.approx(answer(free).system_response_time)
    assert answer(network).outside == pytest.approx((0.0,))


@pytest.mark.parametrize("size", [1, 2, 4, 8])
@pytest.mark.parametrize(
    "job", [JobClass("open", None, 0.0, 0.75), JobClass("closed", 12, 8.0)], ids=["open", "closed"]
)
def test_an_equivalent_station_is_near_a_simulation(size: int, job: JobClass) -> None:
    stations = (Station("cpu", "queue", 2), Station("disk"))
    if job.is_open and size == 1:
        job = JobClass("open", None, 0.0, 0.5)  # one job inside ends every 1.2 s
    network = limited(job, size, None, stations)
    result, seen = answer(network), in_simulation(network)
    assert result.method == "estimate: equivalent station"
    assert result.throughput == pytest.approx(seen.throughput, rel=0.03)
    assert result.system_response_time == pytest.approx(seen.system_response_time, rel=0.12)
    assert result.outside == pytest.approx(seen.outside, rel=0.3, abs=0.05)


def test_a_full_pool_refuses_as_a_simulation_does() -> None:
    stations = (Station("cpu", "queue", 2), Station("disk"))
    network = limited(JobClass("c", None, 0.0, 2.5), 4, 3, stations)
    assert answer(network).refused == pytest.approx(in_simulation(network).refused, abs=0.01)
    closed = limited(JobClass("c", 10, 2.0), 2, 1, (Station("s", "queue", 2),))
    assert answer(closed).refused == pytest.approx(in_simulation(closed).refused, abs=0.015)
    assert answer(closed).throughput == pytest.approx(in_simulation(closed).throughput, rel=0.02)


def test_jobs_that_never_think_fill_their_pool() -> None:
    network = limited(JobClass("c", 6, 0.0), 2, None, (Station("s"),))
    result = answer(network)
    assert result.throughput == pytest.approx([1.0])
    assert result.system_response_time == pytest.approx([6.0])
    assert result.outside == pytest.approx((4.0,))


def test_a_pool_that_lets_in_too_few_is_unstable() -> None:
    network = limited(JobClass("c", None, 0.0, 0.9), 1, None, (Station("a"), Station("b")))
    with pytest.raises(ApetError, match="pool threads"):
        queue(network)


def test_several_classes_share_a_pool_in_a_simulation() -> None:
    """Two classes that are one: half of the jobs each."""
    half = JobClass("a", None, 0.0, 0.6), JobClass("b", None, 0.0, 0.6)
    pool = Pool("threads", 3, (0, 1), 2)
    both = Network((Station("s", "queue", 2),), half, [[1.0], [1.0]], [[1], [1]], pools=(pool,))
    whole = limited(JobClass("c", None, 0.0, 1.2), 3, 2)
    result, one = answer(both), answer(whole)
    assert "simulat" in result.method
    assert result.refused == pytest.approx(one.refused * 2, abs=0.01)
    assert result.system_response_time == pytest.approx(one.system_response_time * 2, rel=0.03)


def test_jobs_with_precedence_wait_outside_of_their_pool() -> None:
    fork = ParallelJob((JobTask("a", (JobStep(0, 1.0),)), JobTask("b", (JobStep(1, 1.0),))))
    one = Circulation("c", 4, 6.0, variants(fork))
    stations = (JobStation("x", "FCFS"), JobStation("y", "FCFS"))
    free, alone = queue(Scenario(stations, (one,))), queue(Scenario(stations, (one,), (Pool("one", 1, (0,)),)))
    assert isinstance(free, JobsResult)
    assert isinstance(alone, JobsResult)
    assert alone.classes[0].outside > 0
    assert alone.classes[0].response_time - alone.classes[0].outside == pytest.approx(1.5, rel=0.03)
    assert alone.classes[0].throughput < free.classes[0].throughput


def test_many_jobs_without_work_pass_a_pool_at_once() -> None:
    """They wait for the one that works, and all enter when it leaves."""
    idle = Circulation("idle", 50_000, 1.0, variants(JobTask("nothing", ())))
    busy = Circulation("busy", 1, 0.1, variants(JobTask("work", (JobStep(0, 2.0),))))
    one = Scenario((JobStation("s"),), (idle, busy), (Pool("one", 1, (0, 1)),))
    result = simulation.run(one, 400_000, 1)
    assert result.throughput[1] == pytest.approx(1 / 2.1, rel=0.5)
    assert result.outside[0] > 0


def test_the_size_of_a_pool_may_be_asked_for() -> None:
    network = limited(JobClass("c", None, 0.0, 1.5), 2, None, (Station("cpu", "queue", 2), Station("disk")))
    border = target(network, "size[threads]", 4.0)
    assert border.met
    assert border.missed
    assert border.met.value == border.missed.value + 1


def test_what_changes_response_times_is_listed_by_its_effect(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At a saturated disk one more of it counts most, a place in a pool that nobody waits for nothing."""
    file = tmp_path / "pool.toml"
    file.write_text(
        '[[stations]]\nname = "cpu"\nservers = 2\n[[stations]]\nname = "disk"\n'
        '[[classes]]\nname = "a"\npopulation = 6\nthink = 0.1\nservice = { cpu = 0.01, disk = 0.1 }\n'
        '[[classes]]\nname = "b"\npopulation = 2\nthink = 1.0\nservice = { cpu = 0.02, disk = 0.1 }\n'
        '[[pools]]\nname = "threads"\nsize = 9\n'
    )
    assert main(["explain", str(file), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    changes = {c["parameter"]: c["classes"]["a"]["response_time"] for c in answer["changes"]}
    assert answer["changes"][0]["parameter"] == "servers[disk]"
    assert changes["servers[disk]"] < 0.7 * answer["file"]["classes"]["a"]["response_time"]
    assert changes["size[threads]"] == pytest.approx(answer["file"]["classes"]["a"]["response_time"], rel=0.02)

    assert main(["explain", str(file)]) == 0
    assert "servers[disk] = 1 → 2" in capsys.readouterr().out


def test_all_combinations_are_swept_in_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "order.toml"
    file.write_text(
        '[[stations]]\nname = "cpu"\ndiscipline = "FCFS"\n'
        '[[classes]]\nname = "a"\npopulation = 3\nservice = { cpu = 0.1 }\n'
        '[[classes]]\nname = "b"\npopulation = 1\nthink = 1.0\nservice = { cpu = 0.2 }\n'
    )
    varied = ["servers=1,2", "think[b]=1,2"]
    assert main(["sweep", str(file), "--vary", varied[0], "--vary", varied[1], "--json"]) == 0
    swept = capsys.readouterr().out
    assert main(["queue", str(file), "--against", varied[0], "--against", varied[1], "--json"]) == 0
    assert capsys.readouterr().out == swept
    tables = json.loads(swept)["answers"]
    assert [[p["value"] for p in t["points"]] for t in tables] == [[1.0, 2.0], [1.0, 2.0]]
    assert tables[0]["points"][0]["classes"]["a"]["throughput"] < tables[1]["points"][0]["classes"]["a"]["throughput"]
