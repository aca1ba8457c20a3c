"""Percentiles of response times: closed forms, whole distributions, and what they are compared with."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apet.cli.main import main
from apet.ground.diagnostics import ApetError
from apet.queueing.data.jobs import (
    Circulation,
    Distribution,
    JobsResult,
    JobStation,
    JobStep,
    JobTask,
    Scenario,
    Variant,
)
from apet.queueing.data.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.data.varied import parameters, varied, with_value
from apet.queueing.methods.answer import queue, solved
from apet.queueing.methods.lattice import percentiles
from apet.queueing.methods.precedence import simulation
from apet.queueing.questions.targets import measured, point, target

SERVICE = """
name = "service"
[[stations]]
name = "app"
servers = 8
[[stations]]
name = "db"
[[classes]]
name = "requests"
arrival_rate = 80
service = { app = 0.05, db = 0.008 }
"""


def opened(rate: float, services: list[float], servers: list[int], visits: list[float] | None = None) -> Network:
    stations = tuple(Station(f"s{k}", "queue", m, "FCFS") for k, m in enumerate(servers))
    return Network(stations, (JobClass("c", None, 0.0, rate),), [services], [visits or [1] * len(services)])


def levels(network: Network) -> tuple[dict[float, float], str]:
    result = queue(network, percentiles=True)
    assert isinstance(result, NetworkResult)
    shares = result.percentiles[0]
    assert shares is not None
    return shares.by_level(), shares.source


@given(st.floats(0.05, 0.95), st.floats(0.001, 10.0))
@settings(max_examples=30, deadline=None)
def test_one_server_has_exponential_response_times(load: float, service: float) -> None:
    times, source = levels(opened(load / service, [service], [1]))
    mean = service / (1 - load)
    assert source == "exact"
    assert times == pytest.approx({q: -math.log(1 - q / 100) * mean for q in (50, 90, 95, 99)}, rel=1e-5)


@given(st.floats(0.1, 0.9), st.integers(2, 12))
@settings(max_examples=20, deadline=None)
def test_several_servers_have_the_distribution_of_erlang(load: float, servers: int) -> None:
    """P(R > t) in closed form (e.g. D. Gross and C. M. Harris, 1998), from Erlang's C by its recursion."""
    times, source = levels(opened(load * servers, [1.0], [servers]))
    blocked = 1.0
    for m in range(1, servers + 1):
        blocked = load * servers * blocked / (m + load * servers * blocked)
    waits = blocked / (1 - load * (1 - blocked))
    theta = servers * (1 - load)
    assert source == "exact"
    for q, t in times.items():
        if abs(theta - 1) > 1e-3:
            tail = (1 - waits) * math.exp(-t) + waits * (theta * math.exp(-t) - math.exp(-theta * t)) / (theta - 1)
            assert tail == pytest.approx(1 - q / 100, abs=1e-5)


def test_stations_of_one_path_add_independent_times() -> None:
    times, source = levels(opened(0.5, [1.0, 1.0], [1, 1]))
    # Two exponential times of mean 2: P(R > t) = (1 + t / 2) exp(-t / 2).
    assert source == "exact"
    assert all((1 + t / 2) * math.exp(-t / 2) == pytest.approx(1 - q / 100, rel=1e-4) for q, t in times.items())
    assert levels(opened(0.5, [1.0, 1.0], [2, 1]))[1] == "model"
    assert levels(opened(0.5, [0.5], [1], [2]))[1] == "simulated"


def test_a_shared_server_has_longer_tails_than_a_line() -> None:
    """M/M/1 with sharing: E[R^2] = 4 E[R]^2 / (2 - rho) (E. G. Coffman, R. R. Muntz and H. Trotter, JACM 17, 1970)."""
    network = Network((Station("s", "queue", 1, "PS"),), (JobClass("c", None, 0.0, 0.8),), [[1.0]], [[1]])
    result = queue(network, percentiles=True)
    assert isinstance(result, NetworkResult)
    shares = result.percentiles[0]
    assert shares is not None
    assert shares.source == "simulated"
    line = {q: -math.log(1 - q / 100) * 5.0 for q in (50, 99)}
    assert shares.by_level()[50] < 0.95 * line[50]
    assert shares.by_level()[99] > 1.05 * line[99]


@given(st.floats(10, 99.99), st.floats(0.1, 10.0))
@settings(deadline=None)
def test_percentiles_on_a_lattice_have_many_digits(level: float, mean: float) -> None:
    (found,) = percentiles(lambda grid: grid.law(Distribution(), mean), (level,), mean)
    assert found == pytest.approx(-mean * math.log1p(-level / 100), rel=1e-5)


def test_percentiles_of_closed_classes_are_those_of_jobs_that_wait_in_line() -> None:
    """Two jobs that never pause at one server: a response time is the sum of two services."""
    network = Network((Station("cpu"),), (JobClass("c", 2, 0.0),), [[1.0]], [[1]])
    times, source = levels(network)
    assert source == "simulated"
    for q, t in times.items():
        assert (1 + t) * math.exp(-t) == pytest.approx(1 - q / 100, rel=0.06)


def test_percentiles_of_jobs_lie_in_their_intervals() -> None:
    step = JobStep(0, 1.0, Distribution("erlang", 3))
    one = Scenario((JobStation("cpu", "FCFS"),), (Circulation("c", 1, 2.0, (Variant(1.0, (JobTask("t", (step,)),)),)),))
    result = queue(one)
    assert isinstance(result, JobsResult)
    shares = result.classes[0].percentiles
    assert shares is not None
    gamma = {50: 0.89135, 90: 1.77411, 95: 2.09860, 99: 2.80193}  # of Erlang 3 with mean 1
    for q, wanted, width in zip(gamma, gamma.values(), shares.half_width, strict=True):
        assert abs(shares.by_level()[q] - wanted) <= max(3 * width, 0.02 * wanted)


def test_the_same_seed_gives_the_same_simulation() -> None:
    one = Scenario(
        (JobStation("cpu"),), (Circulation("c", 3, 2.0, (Variant(1.0, (JobTask("t", (JobStep(0, 1.0),)),)),)),)
    )
    assert simulation.run(one, 50_000, 7) == simulation.run(one, 50_000, 7)
    assert simulation.run(one, 50_000, 7) != simulation.run(one, 50_000, 8)


def test_intervals_of_simulated_means_hold_as_often_as_they_promise() -> None:
    task = (JobTask("t", (JobStep(0, 0.5), JobStep(1, 1.0))),)
    one = Scenario((JobStation("cpu"), JobStation("disk", "FCFS")), (Circulation("c", 4, 2.0, (Variant(1.0, task),)),))
    network = Network((Station("cpu"), Station("disk")), (JobClass("c", 4, 2.0),), [[0.5, 1.0]], [[1, 1]])
    exact = queue(network)
    assert isinstance(exact, NetworkResult)
    estimates = [simulation.run(one, 40_000, seed).response[0] for seed in range(60)]
    inside = sum(abs(e.value - exact.system_response_time[0]) <= e.half_width for e in estimates)
    assert inside >= 50


# Numbers that are varied


@pytest.fixture
def service(tmp_path: Path) -> Path:
    path = tmp_path / "service.toml"
    path.write_text(SERVICE, encoding="utf-8")
    return path


def read(path: Path) -> Network:
    from apet.queueing.read import read_queue

    problem = read_queue(path).problem
    assert isinstance(problem, Network)
    return problem


@pytest.mark.parametrize(
    ("name", "percentile"), [("servers[app]", 99), ("servers[app]", None), ("arrival_rate", 95), ("rate", None)]
)
def test_a_border_separates_what_keeps_a_deadline_from_what_does_not(
    service: Path, name: str, percentile: int | None
) -> None:
    found = target(read(service), name, 0.28, percentile)
    assert found.met
    assert found.missed
    assert measured(found.met, None, percentile) <= 0.28 < measured(found.missed, None, percentile)
    if "servers" in name:
        assert found.met.value == found.missed.value + 1


def test_a_border_that_is_not_there_is_left_open(service: Path) -> None:
    problem = read(service)
    assert target(problem, "servers[app]", 0.01).met is None
    assert target(problem, "servers[app]", 10.0, within=(6, 9)).missed is None
    assert target(problem, "arrival_rate", 0.01).met is None


def test_jobs_may_be_so_many_that_a_share_of_them_is_in_time() -> None:
    network = Network((Station("cpu"),), (JobClass("users", 1, 5.0),), [[1.0]], [[1]])
    found = target(network, "N", 6.0, 95)
    assert found.met
    assert found.missed
    assert found.missed.value == found.met.value + 1


def test_every_number_that_is_named_may_be_varied(service: Path) -> None:
    problem = varied(read(service))
    for name in parameters(problem):
        assert with_value(problem, name, 2) != problem
        assert point(problem, name, 64).stable == (not name.startswith("arrival")) or name == "arrival_rate[requests]"


@pytest.mark.parametrize("name", ["servers", "servers[cpu]", "N", "nonsense"])
def test_a_number_that_is_none_or_several_is_refused_with_what_there_is(service: Path, name: str) -> None:
    with pytest.raises(ApetError) as error:
        target(read(service), name, 1.0)
    assert "servers[app]" in str(error.value.diagnostics[0].hint.format(names=", ".join(parameters(read(service)))))


def test_the_commands_print_borders_tables_and_json(service: Path, capsys: pytest.CaptureFixture[str]) -> None:
    solve = ["solve", str(service), "--for", "servers[app]", "--deadline", "300ms", "--percentile", "99"]
    assert main(solve) == 0
    assert "servers[app] = 6 keeps it, 5 does not" in capsys.readouterr().out
    assert main([*solve, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["met"]["value"] == 6
    assert set(answer["met"]["classes"]["requests"]["percentiles"]) == {"50", "90", "95", "99"}

    assert main(["queue", str(service), "--against", "servers[app]=4:6"]) == 0
    assert "no steady state" in capsys.readouterr().out
    picture = service.with_name("load.svg")
    assert main(["queue", str(service), "--against", "servers[app]=4:6", "--plot", str(picture)]) == 0
    assert "<svg" in picture.read_text(encoding="utf-8")
    capsys.readouterr()
    assert main(["queue", str(service), "--against", "servers[app]=0:6"]) == 2
    assert main(["queue", str(service), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["classes"]["requests"]["percentiles"]["95"] > answer["system_response_time"][0]


# Open classes in order of arrival


@pytest.mark.parametrize(
    ("shape", "wait"), [(Distribution("det"), 0.5), (Distribution(), 1.0), (Distribution("hyperexp", 1, 4.0), 2.5)]
)
def test_uneven_service_waits_as_pollaczek_and_khinchine_say(shape: Distribution, wait: float) -> None:
    """At half the load W = rho (1 + c2) / (2 (1 - rho)) services."""
    network = Network((Station("s", "queue", 1, "FCFS", shape),), (JobClass("c", None, 0.0, 0.5),), [[1.0]], [[1]])
    result = queue(network, percentiles=True)
    assert isinstance(result, NetworkResult)
    assert result.system_response_time[0] == pytest.approx(1 + wait)
    shares = result.percentiles[0]
    assert shares is not None
    assert shares.source == "exact"
    assert list(shares.seconds) == sorted(shares.seconds)


def test_a_constant_service_has_the_percentiles_of_a_simulated_queue() -> None:
    """Against Lindley's recursion (1952), of waits of jobs that arrive at random."""
    from random import Random

    random, wait, times = Random(3), 0.0, []
    for _ in range(200_000):
        times.append(wait + 1.0)
        wait = max(0.0, wait + 1.0 - random.expovariate(0.7))
    times.sort()
    shape = Distribution("det")
    network = Network((Station("s", "queue", 1, "FCFS", shape),), (JobClass("c", None, 0.0, 0.7),), [[1.0]], [[1]])
    for q, t in levels(network)[0].items():
        assert t == pytest.approx(times[int(q / 100 * len(times))], rel=0.03)


def test_open_classes_of_unequal_service_wait_equally_long_in_one_line() -> None:
    classes = (JobClass("short", None, 0.0, 1.0), JobClass("long", None, 0.0, 0.2))
    network = Network((Station("s", "queue", 1, "FCFS"),), classes, [[0.1], [2.0]], [[1], [1]])
    result = queue(network)
    assert isinstance(result, NetworkResult)
    waits = [r - s for r, s in zip(result.system_response_time, (0.1, 2.0), strict=True)]
    assert waits == pytest.approx([(1.0 * 0.01 + 0.2 * 4.0) / 0.5] * 2)
    two = Network((Station("s", "queue", 2, "FCFS"),), classes, [[0.1], [2.0]], [[1], [1]])
    estimate, several = solved(two), queue(two)
    assert isinstance(estimate, NetworkResult)
    assert isinstance(several, NetworkResult)
    assert estimate.method == "estimate: Allen-Cunneen"
    assert several.method == "jobs, simulation"
    assert several.system_response_time == pytest.approx(estimate.system_response_time, rel=0.15)
    with pytest.raises(ApetError, match="unstable"):
        queue(Network((Station("s", "queue", 1, "FCFS"),), classes, [[0.1], [5.0]], [[1], [1]]))


def test_closed_classes_of_uneven_service_are_solved_as_jobs() -> None:
    """One class of constant service at a queue, three jobs that never pause: each waits for two others."""
    shape = Distribution("det")
    network = Network((Station("s", "queue", 1, "FCFS", shape),), (JobClass("c", 3, 0.0),), [[1.0]], [[1]])
    result = queue(network)
    assert isinstance(result, NetworkResult)
    assert result.system_response_time[0] == pytest.approx(3.0, rel=1e-6)
