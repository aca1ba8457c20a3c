"""Queueing networks beside GNU Octave's package `queueing`, and jobs with precedence beside a method for them."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.benchmarks.job_methods import tagged_job
from tests.benchmarks.measure import Row, Spread, Table, agree, alternate, rows_against

from apet.queueing.data.jobs import (
    Circulation,
    JobStation,
    JobStep,
    JobTask,
    ParallelJob,
    Pipeline,
    PipelineStage,
    Scenario,
)
from apet.queueing.data.networks import JobClass, Network, NetworkResult, Station
from apet.queueing.data.unrolling import variants
from apet.queueing.methods.mva import exact_one_class
from apet.queueing.methods.mva import schweitzer as approximate
from apet.queueing.methods.precedence import solve


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
    """Jobs with precedence: the answer, to 0.4 %, and the tagged job in a mean field."""
    table = Table("jobs", "Jobs with precedence: the answer, and the tagged job of the benchmarks")
    one, two = scenario(2), scenario(3)
    acts: dict[str, Callable[[], Any]] = {
        "apet, one class": lambda: solve.solve(one),
        "apet, two classes": lambda: solve.solve(two),
        "tagged job, one class": lambda: tagged_job.solve(one),
        "tagged job, two classes": lambda: tagged_job.solve(two),
    }
    rows: list[Row] = rows_against("apet, one class", alternate(acts, 3 if quick else 7))
    table.rows += rows
    seconds, analysed = (method(one).classes[0].response_time for method in (solve.solve, tagged_job.solve))
    table.notes.append(f"one class: {seconds:.4g} s, by the tagged job {analysed:.4g} s")
    return table
