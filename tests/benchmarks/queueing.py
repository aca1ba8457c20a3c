"""Queueing networks beside GNU Octave's package `queueing`, and jobs with precedence beside their simulation."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.benchmarks.measure import Row, Spread, Table, agree, alternate, rows_against

from apet.queueing.jobs import (
    Circulation,
    JobStation,
    JobStep,
    JobTask,
    ParallelJob,
    Pipeline,
    PipelineStage,
    Scenario,
)
from apet.queueing.mva import exact_one_class
from apet.queueing.mva import schweitzer as approximate
from apet.queueing.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.precedence import solve
from apet.queueing.precedence.simulation import simulate
from apet.queueing.unrolling import variants


def network(classes: int, stations: int, jobs: int) -> Network:
    """A closed network of single servers with random demands, always the same."""
    random = Random(7)
    demands = [[random.uniform(0.01, 0.2) for _ in range(stations)] for _ in range(classes)]
    who = tuple(JobClass(f"c{c}", jobs, random.uniform(1.0, 5.0)) for c in range(classes))
    return Network(tuple(Station(f"s{k}") for k in range(stations)), who, demands, [[1.0] * stations] * classes)


def networks(quick: bool) -> Table:
    """Exact and approximate mean values."""
    from tests.benchmarks.peers import octave_queueing as octave

    one, many = network(1, 10 if quick else 50, 100 if quick else 1_000), network(2 if quick else 5, 20, 20)
    table = Table(
        "networks", f"Closed networks: 1 class, {one.classes[0].population} jobs; {len(many.classes)} classes"
    )
    acts: dict[str, Callable[[], Any]] = {
        "apet, exact": lambda: exact_one_class.solve(one),
        "apet, Schweitzer to 1e-6": lambda: approximate.schweitzer(many, 1e-6),
        "apet, Schweitzer to 1e-12": lambda: approximate.schweitzer(many),
        "apet, Linearizer": lambda: approximate.linearizer(many),
    }
    found: dict[str, NetworkResult] = {name: act() for name, act in acts.items()}
    spreads = alternate(acts, 3 if quick else 7)
    if not octave.installed():
        table.rows += rows_against("apet, exact", spreads)
        table.notes.append("octave-queueing is not installed: nothing to compare with")
        return table
    repeats = 3 if quick else 10
    thinks = [c.think for c in many.classes]
    population = one.classes[0].population or 0
    exact = octave.single(one.demands()[0], population, one.classes[0].think, repeats)
    schweitzer = octave.approximate(many.demands(), [c.population or 0 for c in many.classes], thinks, repeats)
    agree(found["apet, exact"].throughput[0], exact.throughput, 1e-9)
    agree(found["apet, Schweitzer to 1e-6"].throughput[0], schweitzer.throughput, 1e-3)
    table.rows += rows_against(
        "apet, exact", {"apet, exact": spreads["apet, exact"], "octave, exact": Spread.of(exact.seconds)}
    )
    approximations = {name: spread for name, spread in spreads.items() if name != "apet, exact"}
    approximations["octave, Schweitzer to 1e-6"] = Spread.of(schweitzer.seconds)
    table.rows += rows_against("apet, Schweitzer to 1e-6", approximations)
    return table


def scenario(jobs: int) -> Scenario:
    """Jobs that fork, then run a pipeline, over shared processors and a disk."""
    fork = ParallelJob(tuple(JobTask(f"t{i}", (JobStep(i % 2, 0.8), JobStep(2, 0.2))) for i in range(4)))
    pipeline = Pipeline(
        "p", 5, (PipelineStage("read", (JobStep(2, 0.3),)), PipelineStage("work", (JobStep(0, 0.4),))), None
    )
    stations = (JobStation("cpu0", "PS", 2), JobStation("cpu1"), JobStation("disk", "FCFS"))
    circulations = tuple(
        Circulation(name, jobs, 10.0, variants(job)) for name, job in (("fork", fork), ("pipeline", pipeline))
    )
    return Scenario(stations, circulations[:1] if jobs < 3 else circulations)


def jobs(quick: bool) -> Table:
    """A scenario of jobs with precedence, and an open fork-join of many branches."""
    table = Table("jobs", "Jobs with precedence, and a fork-join of 64 branches")
    tasks = tuple(JobTask(f"t{k}", (JobStep(k, 1.0),)) for k in range(64))
    fork = Circulation("jobs", 0, 0.0, variants(ParallelJob(tasks)), arrival_rate=0.6)
    wide = Scenario(tuple(JobStation(f"queue {k}", "FCFS") for k in range(64)), (fork,))
    one, two = scenario(2), scenario(3)
    acts: dict[str, Callable[[], Any]] = {
        "apet, one class": lambda: solve.solve(one),
        "apet, two classes": lambda: solve.solve(two),
        "apet, open fork-join, k = 64": lambda: solve.solve(wide),
    }
    spreads = alternate(acts, 3 if quick else 7)
    number = 500 if quick else 20_000
    spreads["simulation of one class"] = alternate({"it": lambda: simulate(one, number, 1)}, 1)["it"]
    rows: list[Row] = rows_against("apet, one class", spreads)
    table.rows += rows
    seconds = solve.solve(one).classes[0].response_time
    simulated = simulate(one, number, 1).classes[0].response_time
    table.notes.append(f"one class: {seconds:.4g} s, simulated with {number:,} jobs {simulated:.4g} s")
    return table
