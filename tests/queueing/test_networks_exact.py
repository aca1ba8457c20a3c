"""Closed and mixed networks against exact fractions: sums over all states, written down as the product form says."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apet.queueing.data.networks import JobClass, Network, Station
from apet.queueing.methods.mva import solve

EIGHTHS = st.integers(1, 24).map(lambda n: Fraction(n, 8))
PLAIN, POOL, DELAY = Station("plain"), Station("pool", "queue", 3), Station("delay", "delay")


def weight(demands: list[Fraction], jobs: tuple[int, ...], speeds: tuple[float, ...] | None) -> Fraction:
    """The factor of one station that holds so many jobs of each class; no speeds: all are served at once."""
    found = Fraction(math.factorial(sum(jobs)))
    for demand, n in zip(demands, jobs, strict=True):
        found *= demand**n / math.factorial(n)
    for j in range(1, sum(jobs) + 1):
        found /= j if speeds is None else Fraction(speeds[min(j, len(speeds)) - 1])
    return found


def constant(rows: list[tuple[list[Fraction], tuple[float, ...] | None]], jobs: tuple[int, ...]) -> Fraction:
    """The normalising constant, station by station over all ways to share the jobs."""
    if min(jobs) < 0:
        return Fraction(0)
    if not rows:
        return Fraction(not any(jobs))
    total = Fraction(0)
    for here in product(*(range(n + 1) for n in jobs)):
        rest = tuple(n - h for n, h in zip(jobs, here, strict=True))
        total += weight(rows[0][0], here, rows[0][1]) * constant(rows[1:], rest)
    return total


@st.composite
def closed(draw: st.DrawFn) -> Network:
    """One to three classes over plain, pooled, delayed and load-dependent stations."""
    classes = draw(st.integers(1, 3))
    stations = tuple(draw(st.lists(st.sampled_from((PLAIN, POOL, DELAY)), min_size=1, max_size=3)))
    names = tuple(replace(s, name=f"{s.name} {k}") for k, s in enumerate(stations))
    speeds = tuple(
        None if s.is_delay or not draw(st.booleans()) else (1.0, draw(st.sampled_from((1.5, 2.0, 0.5))), 2.25)
        for s in names
    )
    jobs = tuple(JobClass(f"c{c}", draw(st.integers(1, 3)), float(draw(EIGHTHS))) for c in range(classes))
    service = [[float(draw(EIGHTHS)) for _ in names] for _ in jobs]
    return Network(names, jobs, service, [[1.0] * len(names)] * classes, speeds)


@given(closed())
@settings(max_examples=60, deadline=None)
def test_throughputs_are_quotients_of_normalising_constants(network: Network) -> None:
    rows: list[tuple[list[Fraction], tuple[float, ...] | None]] = [([Fraction(c.think) for c in network.classes], None)]
    for k, station in enumerate(network.stations):
        rows.append(([Fraction(r[k]) for r in network.service], None if station.is_delay else network.speed(k)))
    jobs = tuple(c.population or 0 for c in network.classes)
    whole = constant(rows, jobs)
    found = solve.solve(network, "exact")
    for c in range(len(jobs)):
        fewer = tuple(n - (d == c) for d, n in enumerate(jobs))
        exact = constant(rows, fewer) / whole
        assert found.throughput[c] == pytest.approx(float(exact), rel=1e-11)
        assert found.system_response_time[c] == pytest.approx(
            float(jobs[c] / exact - Fraction(network.classes[c].think)), rel=1e-9, abs=1e-12
        )


@given(st.lists(st.integers(1, 3), min_size=2, max_size=2), st.lists(EIGHTHS, min_size=6, max_size=6), st.data())
@settings(max_examples=60, deadline=None)
def test_open_classes_slow_closed_ones_and_wait_for_them(
    jobs: list[int], demands: list[Fraction], data: st.DataObject
) -> None:
    """S. C. Bruell, G. Balbo and P. V. Afshari (1984): closed demands / (1 - U), then open R = D (1 + Q) / (1 - U)."""
    busy = [data.draw(st.sampled_from((Fraction(1, 8), Fraction(1, 4), Fraction(1, 2)))) for _ in range(2)]
    rate = min(u / d for u, d in zip(busy, demands[4:], strict=True))
    loads = [rate * d for d in demands[4:]]
    service = [[float(d) for d in demands[i : i + 2]] for i in (0, 2, 4)]
    who = (JobClass("a", jobs[0]), JobClass("b", jobs[1]), JobClass("open", None, 0.0, float(rate)))
    found = solve.solve(Network((PLAIN, Station("disk")), who, service, [[1.0] * 2] * 3), "exact")
    rows: list[tuple[list[Fraction], tuple[float, ...] | None]] = [
        ([demands[k] / (1 - loads[k]), demands[2 + k] / (1 - loads[k])], (1.0,)) for k in range(2)
    ]
    whole = constant(rows, (jobs[0], jobs[1]))
    fewer = constant(rows, (jobs[0] - 1, jobs[1])), constant(rows, (jobs[0], jobs[1] - 1))
    assert found.throughput[:2] == pytest.approx([float(f / whole) for f in fewer], rel=1e-10)
    inside = [sum(found.queue_length[c][k] for c in range(2)) for k in range(2)]
    response = sum(float(demands[4 + k] / (1 - loads[k])) * (1 + inside[k]) for k in range(2))
    assert found.system_response_time[2] == pytest.approx(response, rel=1e-9)


@pytest.mark.parametrize("servers", [1, 2, 16, 400])
def test_ten_thousand_jobs_keep_their_digits(servers: int) -> None:
    """Against sums of fifty digits; nothing is subtracted in them."""
    jobs, demands, think = 10_000, (1.0, 0.0625), 3.0
    stations = (Station("pool", "queue", servers), Station("disk"))
    network = Network(stations, (JobClass("c", jobs, think),), [list(demands)], [[1.0, 1.0]])
    with localcontext() as context:
        context.prec = 50

        def factors(demand: float, most: int) -> list[Decimal]:
            found = [Decimal(1)]
            for n in range(1, jobs + 1):
                found.append(found[-1] * Decimal(demand) / min(n, most))
            return found

        disk, pool, idle = factors(demands[1], 1), factors(demands[0], servers), factors(think, jobs)
        beside = [disk[0]]  # a station of one server: g(n) = g(n - 1) D + f(n)
        for n in range(1, jobs + 1):
            beside.append(beside[-1] * Decimal(demands[1]) + pool[n])
        whole = sum((idle[i] * beside[jobs - i] for i in range(jobs + 1)), Decimal(0))
        fewer = sum((idle[i] * beside[jobs - 1 - i] for i in range(jobs)), Decimal(0))
        exact = float(fewer / whole)
    assert solve.solve(network, "exact").throughput[0] == pytest.approx(exact, rel=1e-10)


def test_speeds_are_the_quotients_of_the_decimals_that_files_give() -> None:
    times = (0.1, 0.073, 0.0575)
    network = Network((Station("a"),), (JobClass("x", 3),), [[0.1]], [[1]], (tuple(times[0] / t for t in times),))
    assert network.exact_speed(0) == (Fraction(1), Fraction(100, 73), Fraction(40, 23))
    odd = replace(network, speeds=((1.0, 1.4142135623730951),))
    assert float(odd.exact_speed(0)[1]) == 1.4142135623730951
