"""How fast this machine computes what a trace counts: volumes over the CPU time of the program itself."""

from __future__ import annotations

import statistics
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.ground.host import cores
from apet.traces.lines.regions import sleeping, volumes_by_region
from apet.traces.mpi import merging
from apet.traces.mpi.acquiring import Acquired, Order, acquire

MOST_RUNS = 30
AGREEING = 3
"""Runs that take the same time, as long as nothing disturbs them; further ones only take longer."""
SAME = 1.03
"""By how much such runs may differ."""
SHARE = 0.05
"""Of the time that a run may take, what runs beyond those that were ordered may take together."""
LEAST_SHARE = 0.01
"""Of a rank's CPU time, what its own code takes at least where libraries sleep."""


class TotalVolumes(NamedTuple):
    """What a trace has: volumes by rank and by region, and by rank the seconds for which libraries sleep."""

    by_rank: Sequence[float]
    regions: Mapping[int, int]
    asleep: Sequence[float] = ()


class Rate(NamedTuple):
    """Volumes per second of CPU time: of all ranks together, and of the slowest and the fastest rank, each the median
    of the runs; how many runs, and the median of their seconds of CPU time."""

    per_second: float
    least: float
    greatest: float
    runs: int
    cpu_seconds: float
    regions: Mapping[int, float] = {}
    """By region of `MPI_Pcontrol`, how many times as fast as the whole program it computes."""
    elapsed: tuple[float, float] | None = None
    """Seconds that a run takes from MPI's initialisation on, the least and the third (or the greatest of fewer), by the
    CPU time of ranks that spin where they wait. None where ranks give their cores away."""


def volumes_of(acquired: Acquired) -> list[Counter[int]]:
    """What each rank computes in each region, in the trace's own unit."""
    return [volumes_by_region(merging.chunks(part)) for part in acquired.parts]


def acquire_volumes(order: Order) -> tuple[TotalVolumes, Acquired]:
    """Run the program and sum up what its ranks compute."""
    volumes = list[TotalVolumes]()
    acquired = acquire(order, lambda run: volumes.append(_summed(run)))
    return volumes[0], acquired


def _summed(acquired: Acquired) -> TotalVolumes:
    by_region = volumes_of(acquired)
    asleep = [sleeping(merging.chunks(part)) for part in acquired.parts] if acquired.libraries else []
    return TotalVolumes([each.total() for each in by_region], sum(by_region, Counter[int]()), asleep)


def measure_rate(order: Order, volumes: TotalVolumes, runs: int) -> Rate:
    """The rate of a program with these volumes, from runs that record CPU time outside of MPI: so many, and more until
    their least times agree."""
    spinning, cpu = order.ranks <= cores(), order._replace(mode="cpu", libraries=False)
    measured, times = list[TotalVolumes](), list[float]()
    begin = time.monotonic()
    while len(times) < runs or not (_agree(times) or time.monotonic() - begin > SHARE * order.limit):
        by_rank, run = acquire_volumes(cpu)
        measured.append(by_rank)
        times.append(max(part.seconds for part in run.parts) if spinning else sum(by_rank.by_rank) * 1e-9)

    asleep = volumes.asleep or [0.0] * order.ranks
    spent = [[total * 1e-9 for total in run.by_rank] for run in measured]
    seconds = [
        [max(total - off, LEAST_SHARE * total, 1e-9) for total, off in zip(run, asleep, strict=True)] for run in spent
    ]
    whole = sum(volumes.by_rank) / statistics.median(map(sum, seconds))
    rates = [
        volume / statistics.median(run[rank] for run in seconds)
        for rank, volume in enumerate(volumes.by_rank)
        if volume > 0
    ] or [whole]
    relative = {
        region: volume / (statistics.median(run.regions[region] for run in measured) * 1e-9) / whole
        for region, volume in volumes.regions.items()
        if region and volume and all(run.regions[region] for run in measured)
    }

    elapsed = (min(times), sorted(times)[:AGREEING][-1]) if spinning else None
    median = statistics.median(sum(run) for run in seconds)
    return Rate(whole, min(rates), max(rates), len(times), median, relative, elapsed)


def _agree(times: Sequence[float]) -> bool:
    """Whether further runs would hardly find a shorter time."""
    least = sorted(times)[:AGREEING]
    return len(times) >= MOST_RUNS or (len(least) == AGREEING and least[-1] <= SAME * least[0])
