"""How fast this machine computes what a trace counts: volumes over the CPU time of the program itself."""

from __future__ import annotations

import re
import statistics
from collections.abc import Sequence
from typing import NamedTuple

from apet.traces.mpi import merging
from apet.traces.mpi.acquiring import Acquired, Order, acquire

_COMPUTE = re.compile(rb"^\d+ compute (\d+)", re.MULTILINE)


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


def volumes_of(acquired: Acquired) -> list[int]:
    """What each rank computes, in the trace's own unit."""
    return [sum(int(v) for piece in merging.chunks(p) for v in _COMPUTE.findall(piece)) for p in acquired.parts]


def acquire_volumes(order: Order) -> tuple[list[int], Acquired]:
    """Run the program and sum up what its ranks compute."""
    volumes = list[list[int]]()
    acquired = acquire(order, lambda run: volumes.append(volumes_of(run)))
    return volumes[0], acquired


def measure_rate(order: Order, volumes: Sequence[float], runs: int) -> Rate:
    """The rate of a program whose ranks have these volumes, from runs that record CPU time outside of MPI."""
    seconds = [[max(v, 1) * 1e-9 for v in acquire_volumes(order._replace(mode="cpu"))[0]] for _ in range(runs)]
    rates = [
        statistics.median(volume / run[rank] for run in seconds) for rank, volume in enumerate(volumes) if volume > 0
    ]
    whole = sum(volumes) / statistics.median(map(sum, seconds))
    single = [volume / run[rank] for run in seconds for rank, volume in enumerate(volumes) if volume > 0] or [whole]
    ends = min(rates, default=whole), max(rates, default=whole)
    return Rate(whole, *ends, runs, sum(seconds[0]), min(*single, whole), max(*single, whole))
