"""What is called a bound is one: beside curves against the number of jobs, by a simulation of random networks that
shares nothing with ours, and of forks by the queue that takes longest."""

from __future__ import annotations

import math
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from apet.queueing.data.networks import JobClass, Network, Station
from apet.queueing.methods.answer import solved
from apet.queueing.questions.population_curve import population_curve

JUMPS = 15_000


def simulated_throughput(jobs: int, think: float, demands: list[float], speeds: list[list[float]], seed: int) -> float:
    """Jobs per second that visit exponential stations one after the other, whose speed depends on the jobs there."""
    random, at, now, rounds = Random(seed), [jobs, *(0 for _ in demands)], 0.0, 0
    for _ in range(JUMPS):
        rates = [at[0] / think]
        for n, demand, speed in zip(at[1:], demands, speeds, strict=True):
            rates.append(speed[min(n, len(speed)) - 1] / demand if n else 0.0)
        now += random.expovariate(sum(rates))
        k = random.choices(range(len(rates)), rates)[0]
        at[k] -= 1
        at[(k + 1) % len(at)] += 1
        rounds += k == len(demands)
    return rounds / now


stations = st.lists(
    st.tuples(st.floats(0.05, 1.0), st.lists(st.floats(0.3, 3.0), min_size=0, max_size=3)), min_size=1, max_size=3
)


@given(stations, st.integers(1, 8), st.floats(0.1, 3.0), st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_no_network_does_more_than_the_bounds_beside_its_curve(
    rows: list[tuple[float, list[float]]], jobs: int, think: float, seed: int
) -> None:
    demands, speeds = [d for d, _ in rows], [[1.0, *more] for _, more in rows]
    tables = tuple(tuple(speed) if len(speed) > 1 else None for speed in speeds)
    network = Network(
        tuple(Station(f"s{k}") for k in range(len(rows))),
        (JobClass("c", 1, think),),
        [demands],
        [[1.0] * len(rows)],
        tables,
    )
    curve = population_curve(network, (jobs,), solved)
    seen = simulated_throughput(jobs, think, demands, speeds, seed)
    slack = 4 / math.sqrt(JUMPS / (len(rows) + 1))
    assert seen <= curve.throughput_most[0] * (1 + slack)
    assert jobs / seen - think >= curve.response_least[0] - slack * jobs / seen
    assert curve.throughput[0] <= curve.throughput_most[0] * (1 + 1e-9)
    assert curve.response_time[0] >= curve.response_least[0] * (1 - 1e-9)
