"""Queueing networks: reference values from independent solvers, and laws that every network obeys."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apet.ground.diagnostics import ApetError
from apet.queueing.data.networks import JobClass, Network, Station
from apet.queueing.methods.mva import convolution, exact_classes, exact_one_class, schweitzer
from apet.queueing.methods.mva.solve import bounds, solve

CASES = json.loads((Path(__file__).parents[1] / "data" / "queueing" / "networks.json").read_text())
SOLVED = [c for c in CASES if not c["kind"].startswith("bounds")]
BOUNDED = [c for c in CASES if c["kind"].startswith("bounds")]
FOUND = (
    "throughput",
    "queue_length",
    "residence_time",
    "response_time_per_visit",
    "system_response_time",
    "utilization",
)
TOLERANCES = {"amva_schweitzer": 1e-8, "amva_linearizer": 1e-3}
APPROXIMATE = {"amva_schweitzer": "schweitzer", "amva_linearizer": "linearizer"}


def network_of(case: dict[str, Any]) -> Network:
    """The network of a reference case."""
    stations = tuple(Station(s["name"], s["type"], s["servers"] or 1) for s in case["stations"])
    classes = tuple(JobClass(c["name"], c["population"], c["think"], c["arrival_rate"]) for c in case["classes"])
    per_load = case.get("load_dependent_service", [])
    speeds = tuple(tuple(row[0] / seconds for seconds in row) for row in per_load)
    return Network(stations, classes, case["service"], case["visits"], speeds)


def distance(found: Any, wanted: Any) -> float:
    """The greatest relative difference in nested lists; absolute near 0."""
    if wanted is None:
        return 0.0
    if isinstance(wanted, list):
        return max((distance(a, b) for a, b in zip(found, wanted, strict=True)), default=0.0)
    return float(abs(found - wanted) / (abs(wanted) if abs(wanted) > 1e-12 else 1.0))


@pytest.mark.parametrize("case", SOLVED, ids=lambda c: c["id"])
def test_values_are_those_of_independent_solvers(case: dict[str, Any]) -> None:
    result = solve(network_of(case), APPROXIMATE.get(case["kind"], "auto"))
    assert result.converged
    for name in FOUND:
        assert distance(getattr(result, name), case["result"][name]) <= TOLERANCES.get(case["kind"], 1e-9), name


@pytest.mark.parametrize("case", BOUNDED, ids=lambda c: c["id"])
def test_bounds_are_the_published_ones(case: dict[str, Any]) -> None:
    found, wanted = bounds(network_of(case), case["method"]), dict(case["result"])
    names = ["X_lower", "X_upper", "R_lower", "R_upper"]
    if (
        case["kind"] == "bounds_gb"
    ):  # that solver gives the two ends in the wrong order, and bounds X from N jobs, not N - 1
        wanted["R_lower"], wanted["R_upper"] = wanted["R_upper"], wanted["R_lower"]
        assert found.X_upper[0] <= wanted["X_upper"][0] * (1 + 1e-9)
        assert found.R_lower[0] >= wanted["R_lower"][0] * (1 - 1e-9)
        names = ["X_lower", "R_upper"]
    if len(case["classes"]) > 1:  # that solver's longest response times do not hold for shared servers
        names = ["X_upper", "R_lower"]
    for name in names:
        assert distance(getattr(found, name), wanted[name]) <= 1e-9, name


times = st.floats(0.01, 2.0)


@st.composite
def closed(draw: st.DrawFn, most_classes: int = 2, most_servers: int = 1) -> Network:
    """A small closed network."""
    stations = []
    for k in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["queue", "queue", "delay"])) if k else "queue"
        stations.append(Station(f"s{k}", kind, draw(st.integers(1, most_servers)) if kind == "queue" else 1))
    number = draw(st.integers(1, most_classes))
    classes = tuple(JobClass(f"c{c}", draw(st.integers(1, 5)), draw(st.floats(0, 5))) for c in range(number))
    service = [[draw(times) for _ in stations] for _ in classes]
    visits = [[draw(st.integers(0, 3)) if k else 1 for k in range(len(stations))] for _ in classes]
    return Network(tuple(stations), classes, service, visits)


@given(closed())
def test_two_exact_methods_agree(network: Network) -> None:
    by_means, by_weights = exact_classes.solve(network), convolution.solve(network)
    assert distance(by_means.throughput, by_weights.throughput) < 1e-10
    assert distance(by_means.queue_length, by_weights.queue_length) < 1e-9
    if len(network.classes) == 1:
        assert distance(exact_one_class.solve(network).queue_length, by_means.queue_length) < 1e-10


@given(closed(most_servers=3))
def test_all_jobs_are_somewhere(network: Network) -> None:
    for method in ("exact", "schweitzer", "linearizer"):
        result = solve(network, method)
        for job, rate, row in zip(network.classes, result.throughput, result.queue_length, strict=True):
            assert rate * job.think + sum(row) == pytest.approx(job.population, rel=1e-6)


@given(closed(most_servers=3))
def test_no_server_is_busier_than_always(network: Network) -> None:
    result = solve(network, "exact")
    for k, station in enumerate(network.stations):
        if not station.is_delay:
            assert sum(row[k] or 0.0 for row in result.utilization) <= 1 + 1e-12


@settings(max_examples=200)
@given(closed(most_classes=1))
def test_bounds_enclose_the_exact_values(network: Network) -> None:
    exact = solve(network, "exact")
    for method in ("aba", "bsb", "gb", "tightest"):
        found = bounds(network, method)
        assert found.X_lower[0] <= exact.throughput[0] * (1 + 1e-9)
        assert exact.throughput[0] <= found.X_upper[0] * (1 + 1e-9)


@given(closed())
def test_no_class_is_faster_than_its_asymptotic_bound(network: Network) -> None:
    exact, found = solve(network, "exact"), bounds(network, "aba")
    for x, high in zip(exact.throughput, found.X_upper, strict=True):
        assert x <= high * (1 + 1e-9)


@given(closed(most_classes=1, most_servers=3), st.floats(1.1, 3.0))
def test_a_slower_station_never_raises_the_throughput(network: Network, factor: float) -> None:
    slower = replace(network, service=[[network.service[0][0] * factor, *network.service[0][1:]]])
    assert solve(slower).throughput[0] <= solve(network).throughput[0] * (1 + 1e-12)


def test_many_servers_and_jobs_lose_no_digits() -> None:
    stations = (Station("pool", "queue", 16), Station("disk"), Station("net", "delay"))
    network = Network(stations, (JobClass("job", 10_000, 100.0),), [[1.0, 0.05, 3.0]], [[1, 1, 1]])
    found = solve(network)
    assert found.throughput[0] == pytest.approx(16, rel=1e-11)
    assert sum(found.queue_length[0]) + 100 * found.throughput[0] == pytest.approx(10_000, rel=1e-12)


def test_a_pool_with_enough_servers_is_a_delay() -> None:
    job = (JobClass("job", 6, 1.0),)
    pool = Network((Station("pool", "queue", 6), Station("disk")), job, [[1.0, 0.4]], [[1, 2]])
    delay = Network((Station("pool", "delay"), Station("disk")), job, [[1.0, 0.4]], [[1, 2]])
    assert distance(solve(pool).queue_length, solve(delay).queue_length) < 1e-12


@given(st.integers(1, 4), st.floats(0.05, 0.95))
def test_an_open_station_waits_as_erlang_says(servers: int, busy: float) -> None:
    network = Network((Station("s", "queue", servers),), (JobClass("c", None, 0.0, busy * servers),), [[1.0]], [[1]])
    work = busy * servers
    last = work**servers / math.factorial(servers) / (1 - busy)
    delayed = last / (sum(work**j / math.factorial(j) for j in range(servers)) + last)
    assert solve(network).queue_length[0][0] == pytest.approx(work + delayed * busy / (1 - busy), rel=1e-12)


@given(st.integers(1, 4), st.floats(0.05, 0.6), st.integers(1, 3))
def test_open_jobs_beside_closed_ones_are_found_by_both_ways(jobs: int, busy: float, servers: int) -> None:
    classes = (JobClass("closed", jobs, 1.0), JobClass("open", None, 0.0, busy))
    stations = (Station("a", "queue", 1), Station("b"))
    network = Network(stations, classes, [[0.3, 0.2], [0.5, 0.4]], [[1, 2], [1, 1]])
    from apet.queueing.methods.mva import mixed_networks

    plain, general = solve(network), mixed_networks.solve(network)
    assert distance(general.queue_length, plain.queue_length) < 1e-10
    pools = tuple(replace(s, servers=servers) for s in stations)
    several = solve(replace(network, stations=pools))
    assert sum(several.queue_length[0]) + several.throughput[0] == pytest.approx(jobs)


def test_an_overloaded_open_network_names_the_station() -> None:
    network = Network((Station("disk"),), (JobClass("c", None, 0.0, 2.5),), [[0.5]], [[1]])
    with pytest.raises(ApetError, match=r"disk: utilization 1\.25"):
        solve(network)


def test_an_exact_solution_of_a_huge_network_is_refused_and_approximated() -> None:
    classes = tuple(JobClass(f"c{i}", 100, 1.0) for i in range(5))
    network = Network((Station("s"),), classes, [[0.1]] * 5, [[1]] * 5)
    with pytest.raises(ApetError, match="linearizer"):
        solve(network, "exact")
    assert solve(network).method == "linearizer"


def test_nobody_there_means_nothing_happens() -> None:
    network = Network((Station("s"),), (JobClass("c", 0, 1.0), JobClass("d", 0)), [[0.1]] * 2, [[1]] * 2)
    for method in ("exact", "schweitzer", "linearizer"):
        assert schweitzer.schweitzer(network).throughput == [0.0, 0.0]
        assert solve(network, method).throughput == [0.0, 0.0]
