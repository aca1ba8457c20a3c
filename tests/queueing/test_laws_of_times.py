"""Distributions of times against solutions that share nothing with ours: A. K. Erlang's and C. D. Crommelin's formulas,
roots of equations, and a simulator of ten lines."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from apet.queueing.data.jobs import Distribution
from apet.queueing.data.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.methods.answer import queue

LEVELS = (50.0, 90.0, 95.0, 99.0, 99.9, 99.99)
CONSTANT, EXPONENTIAL = Distribution("det"), Distribution()


def one_line(
    rate: float, service: float, shape: Distribution, servers: int = 1, arrivals: Distribution = EXPONENTIAL
) -> Network:
    station = Station("s", "queue", servers, "FCFS", shape)
    return Network((station,), (JobClass("c", None, 0.0, rate, arrivals),), [[service]], [[1]])


def solved(network: Network, levels: tuple[float, ...] = LEVELS) -> tuple[float, dict[float, float], NetworkResult]:
    result = queue(network, percentiles=True, levels=levels)
    assert isinstance(result, NetworkResult)
    shares = result.percentiles[0]
    assert shares is not None
    return result.system_response_time[0], shares.by_level(), result


def crommelin(load: Fraction, wait: Fraction) -> float:
    """P(W <= wait) of M/D/1 with services of 1, in exact arithmetic but for e^x."""
    terms = (
        (load * (k - wait)) ** k / math.factorial(k) * Fraction(math.exp(float(load * (wait - k))))
        for k in range(math.floor(wait) + 1)
    )
    return float((1 - load) * sum(terms))


@pytest.mark.parametrize("load", ["1/100", "1/20", "1/10", "1/5", "1/2", "7/10"])
def test_a_constant_server_has_the_percentiles_of_crommelin(load: str) -> None:
    _, found, result = solved(one_line(float(Fraction(load)), 1.0, CONSTANT))
    assert result.method == "Pollaczek-Khinchine"
    for level, seconds in found.items():
        wait = Fraction(seconds).limit_denominator(10**6) - 1
        slack = Fraction(1, 2000)
        assert crommelin(Fraction(load), max(wait - slack, Fraction(0))) <= level / 100 + 1e-9 or wait < slack
        assert crommelin(Fraction(load), wait + slack) >= level / 100 - 1e-9


@given(st.floats(0.1, 0.9999), st.sampled_from([CONSTANT, Distribution("erlang", 2), Distribution("hyperexp", 1, 4.0)]))
@settings(max_examples=25, deadline=None)
def test_exponential_services_behind_any_arrivals_follow_their_root(load: float, arrivals: Distribution) -> None:
    """GI/M/1: sigma = A(mu (1 - sigma)), times in the system exponential of mean 1 / (1 - sigma)."""
    p = (1 + math.sqrt(3 / 5)) / 2
    transforms: dict[str, Callable[[float], float]] = {
        "det": lambda s: math.exp(-s / load),
        "erlang": lambda s: (1 + s / load / 2) ** -2,
        "hyperexp": lambda s: p / (1 + s / load / 2 / p) + (1 - p) / (1 + s / load / 2 / (1 - p)),
    }
    transform = transforms[arrivals.kind]
    free = brentq(lambda free: (1 - transform(free)) / free - 1, 1e-9, 1.0, xtol=1e-15)
    mean, found, result = solved(one_line(load, 1.0, EXPONENTIAL, 1, arrivals))
    assert result.method == "GI/M/1, exact"
    assert mean == pytest.approx(1 / free, rel=1e-4)
    assert found[99.9] == pytest.approx(-math.log(0.001) / free, rel=1e-4)


def times(draw: Callable[[], tuple[float, float]], servers: int, number: int) -> Iterator[float]:
    """Jobs in order of arrival at so many servers: seconds in the system."""
    now, ends = 0.0, [0.0] * servers
    for _ in range(number):
        between, service = draw()
        now += between
        begin = max(now, heapq.heappop(ends))
        heapq.heappush(ends, begin + service)
        yield begin + service - now


def drawn(shape: Distribution, mean: float, random: Random) -> float:
    if shape.kind == "det":
        return mean
    if shape.kind == "hyperexp":
        p = (1 + math.sqrt((shape.scv - 1) / (shape.scv + 1))) / 2
        return random.expovariate((2 * p if random.random() < p else 2 - 2 * p) / mean)
    return sum(random.expovariate(shape.order / mean) for _ in range(shape.order))


@pytest.mark.parametrize(
    ("arrivals", "load", "servers", "shape"),
    [
        (EXPONENTIAL, 0.8, 3, CONSTANT),
        (Distribution("erlang", 2), 0.7, 1, Distribution("erlang", 3)),
        (Distribution("hyperexp", 1, 4.0), 0.6, 1, Distribution("erlang", 2)),
        (CONSTANT, 0.9, 2, CONSTANT),
        (Distribution("erlang", 4), 0.8, 1, CONSTANT),
    ],
)
def test_lines_of_independent_arrivals_have_the_times_of_a_simulated_one(
    arrivals: Distribution, load: float, servers: int, shape: Distribution
) -> None:
    random = Random(5)
    between = 1 / (load * servers)
    simulated = np.array(
        list(times(lambda: (drawn(arrivals, between, random), drawn(shape, 1.0, random)), servers, 150_000))
    )
    mean, found, result = solved(one_line(load * servers, 1.0, shape, servers, arrivals), (50.0, 95.0))
    assert "simulation" not in result.method
    assert mean == pytest.approx(simulated.mean(), rel=0.02)
    assert found[50.0] == pytest.approx(np.percentile(simulated, 50), rel=0.03)
    assert found[95.0] == pytest.approx(np.percentile(simulated, 95), rel=0.03)


@pytest.mark.parametrize("servers", [10, 725, 2_000, 100_000])
def test_large_stations_wait_as_erlang_says(servers: int) -> None:
    """Erlang's C by his recursion for the inverse of B, which only adds."""
    load = 0.97 * servers
    inverse = 1.0
    for m in range(1, servers + 1):
        inverse = 1 + inverse * m / load
        if math.isinf(inverse):
            break
    waits = 1 / (inverse * 0.03 + 0.97)
    mean, _, result = solved(one_line(load, 1.0, EXPONENTIAL, servers), (50.0,))
    assert result.method == "exact"
    assert mean == pytest.approx(1 + waits / (servers - load), rel=1e-9)


def test_a_delay_takes_the_times_of_its_distribution_before_a_line() -> None:
    """A constant of 0.1 s and an exponential time of mean 1 / (50 - 5) s."""
    stations = (Station("call", "delay", 1, "", CONSTANT), Station("app", "queue", 1, "FCFS"))
    network = Network(stations, (JobClass("c", None, 0.0, 5.0),), [[0.1, 0.02]], [[1, 1]])
    _, found, result = solved(network)
    assert result.percentiles[0] is not None
    assert result.percentiles[0].source == "exact"
    for level, seconds in found.items():
        assert seconds == pytest.approx(0.1 - math.log1p(-level / 100) / 45, rel=1e-4)


def test_thinking_reaches_the_solution_where_it_matters() -> None:
    """Two jobs that serve and think for a second each, always: neither waits once they are out of step."""
    station = Station("cpu", "queue", 1, "FCFS", CONSTANT)
    constant = Network((station,), (JobClass("u", 2, 1.0, thinking=CONSTANT),), [[1.0]], [[1]])
    result = queue(constant, percentiles=True)
    assert isinstance(result, NetworkResult)
    assert result.throughput[0] == pytest.approx(1.0, rel=1e-3)


def test_a_random_route_takes_one_of_the_stations() -> None:
    """Four servers that a quarter of all jobs visits: each job has the time of one M/M/1."""
    stations = tuple(Station(f"s{k}", "queue", 1, "FCFS") for k in range(4))
    job = JobClass("c", None, 0.0, 3.2, routing="random")
    mean, found, _ = solved(Network(stations, (job,), [[1.0] * 4], [[0.25] * 4]))
    assert mean == pytest.approx(5.0)
    assert found[95.0] == pytest.approx(-5 * math.log(0.05), rel=1e-4)
