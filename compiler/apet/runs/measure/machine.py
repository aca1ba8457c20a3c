"""What the machine did to measured runs: whether others had its cores, and whether the times are free of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from apet.runs.measure.growing_sizes import FARTHEST, WORTH, MeasuredRuns
from apet.runs.measure.start_up import StartUp

FEWEST = 3
"""Sizes whose peaks of memory show how these grow."""
LEAST_GROWTH = 2**18
"""Bytes: allocators reserve by less."""


def notes(
    measured: MeasuredRuns,
    load: float | None,
    cores: int,
    start_up: StartUp | None = None,
    caches: Mapping[str, int] = {},
) -> list[str]:
    """What a reader of the runs should know; `load` is that before the first run, `caches` are bytes by level."""
    return [*_of_load(measured, load, cores), *_of_sizes(measured, start_up), *_of_caches(measured, caches)]


def _of_load(measured: MeasuredRuns, load: float | None, cores: int) -> Iterator[str]:
    known = "" if load is None else f", load {load:g} on {cores} cores"
    if measured.without_waits and measured.slowdown > 1 + WORTH:
        yield (
            f"it was busy{known}: the runs had a core {1 / measured.slowdown:.0%} of the time that they took, "
            "and their waits for one are left out"
        )
    elif not measured.without_waits and load is not None and load >= cores:
        part = sum(timed.cpu for timed in measured.all) / sum(timed.wall for timed in measured.all)
        yield (
            f"it was busy{known}: the runs used {part:.2f} cores on average, and how long their threads waited for "
            "others is not known; measure again when it is idle"
        )


def _of_sizes(measured: MeasuredRuns, start_up: StartUp | None) -> Iterator[str]:
    """Whether the size changes the run time at all."""
    if start_up is not None and not start_up.grows:
        yield (
            f"the size changes nothing up to n = {start_up.largest:,}: every run takes about {start_up.start:.2g} s, "
            "which is the start of the program, unless the size is not passed on to it; where runs take longer beyond, "
            "allow more time or say --from N"
        )


def _of_caches(measured: MeasuredRuns, caches: Mapping[str, int]) -> Iterator[str]:
    """Where the data, which grow as peaks of memory do, leave a cache that holds those of all runs."""
    peaks = {n: min(timed.peak for timed in own) for n, own in measured.runs.items()}
    if measured.plan.kind != "size" or len(peaks) < FEWEST:
        return
    least, most = min(peaks), max(peaks)
    grown = peaks[most] - peaks[least]
    if grown < LEAST_GROWTH:
        return
    for level, size in caches.items():
        leaves = size / grown * (most - least)
        if most < leaves <= FARTHEST * most:
            yield (
                f"the data of all runs fit into the cache {level}, {size:,} bytes; from about n = {leaves:,.3g} on "
                "they do not, and another law may begin"
            )
