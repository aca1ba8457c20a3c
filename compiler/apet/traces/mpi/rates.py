"""How fast this machine computes what a trace counts: volumes over the CPU time of the program itself."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from apet.ground.host import cores
from apet.traces.lines.regions import volumes_by_region
from apet.traces.mpi import merging
from apet.traces.mpi.acquiring import Acquired, Order, acquire


class Rate(NamedTuple):
    """Volumes per second of CPU time: of all ranks and runs together, and of the slowest and the fastest rank (each the
    median of the runs); how many runs, seconds of CPU time in the first, and the rates of the slowest and the fastest
    rank in any run."""

    per_second: float
    least: float
    greatest: float
    runs: int
    cpu_seconds: float
    slowest: float
    fastest: float
    regions: Mapping[int, float] = {}
    """By region of `MPI_Pcontrol`, how many times as fast as the whole program it computes."""
    elapsed: tuple[float, float] | None = None
    """Seconds that a run takes from MPI's initialisation on, the least and the median, by the CPU time of ranks that
    spin where they wait: what other processes take away does not count. None where ranks give their cores away."""


def volumes_of(acquired: Acquired) -> list[Counter[int]]:
    """What each rank computes in each region, in the trace's own unit."""
    return [volumes_by_region(merging.chunks(part)) for part in acquired.parts]


def acquire_volumes(order: Order) -> tuple[list[Counter[int]], Acquired]:
    """Run the program and sum up what its ranks compute, by rank and region."""
    volumes = list[list[Counter[int]]]()
    acquired = acquire(order, lambda run: volumes.append(volumes_of(run)))
    return volumes[0], acquired


def measure_rate(order: Order, volumes: Sequence[float], runs: int, regions: Mapping[int, int] | None = None) -> Rate:
    """The rate of a program whose ranks have these volumes, in all, and together in `regions` these, from runs that
    record CPU time outside of MPI."""
    acquired = [acquire_volumes(order._replace(mode="cpu")) for _ in range(runs)]
    measured = [by_rank for by_rank, _ in acquired]
    spinning = order.ranks <= cores()
    longest = [max(part.seconds for part in run.parts) for _, run in acquired]
    elapsed = (min(longest), statistics.median(longest)) if spinning else None
    seconds = [[max(by_region.total(), 1) * 1e-9 for by_region in run] for run in measured]
    rates = [
        statistics.median(volume / run[rank] for run in seconds) for rank, volume in enumerate(volumes) if volume > 0
    ]
    whole = sum(volumes) / statistics.median(map(sum, seconds))
    single = [volume / run[rank] for run in seconds for rank, volume in enumerate(volumes) if volume > 0] or [whole]
    ends = min(rates, default=whole), max(rates, default=whole)

    spent = [sum(run, Counter[int]()) for run in measured]
    relative = {
        region: volume / (statistics.median(run[region] for run in spent) * 1e-9) / whole
        for region, volume in (regions or {}).items()
        if region and volume and all(run[region] for run in spent)
    }
    return Rate(whole, *ends, runs, sum(seconds[0]), min(*single, whole), max(*single, whole), relative, elapsed)
