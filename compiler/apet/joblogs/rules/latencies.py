"""The time from a stage's submission to its first launch, without what it waited for cores.

A stage that found all cores taken at some moment before its first launch has queued. Its own latency is then not seen:
the median of the stages that did not queue stands for it, if that is less.

Tasks of Dask that have the same name and become ready together are sent together, so each takes the median of those of
its name (of all, where few of that name did not queue), and those without inputs the median of these: otherwise a few
milliseconds would decide which of them goes first on other cores. It is in proportion to the workers that inputs come
from.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Mapping, Sequence
from statistics import median

from apet.joblogs.job_log import LoggedStage

ENOUGH = 8
"""Tasks of a name that did not queue, from which on their median stands for the name."""
ROOTS, OTHERS = "\0roots", "\0others"
"""Tasks without inputs, which are submitted together, and all others."""


def latencies(
    stages: Sequence[LoggedStage],
    first: Mapping[int, int],
    launched: Sequence[int],
    freed: Sequence[int],
    profile: Sequence[tuple[int, int]],
    sources: Mapping[int, int] | None = None,
) -> dict[int, int]:
    """By number of a stage, in microseconds; `first` is when its first task began, the other times are sorted;
    `profile` is how many cores there were from a time on. `sources` are how many workers the inputs of a task of Dask
    came from."""
    own = {s.number: max(0, first[s.number] - s.submitted) for s in stages}
    queued = {s.number for s in stages if _full(s.submitted, first[s.number], launched, freed, profile)}
    free = [own[number] for number in own if number not in queued]
    usual = int(median(free)) if free else 0
    if sources is not None:
        return _by_name(stages, own, queued, sources)
    return {number: min(value, usual) if number in queued else value for number, value in own.items()}


def _by_name(
    stages: Sequence[LoggedStage], own: Mapping[int, int], queued: Collection[int], sources: Mapping[int, int]
) -> dict[int, int]:
    """Medians of the latency per worker that inputs came from."""
    groups: dict[str, list[int]] = {ROOTS: [], OTHERS: []}
    for stage in stages:
        if stage.number not in queued:
            for name in (stage.name, OTHERS) if stage.parents else (ROOTS,):
                groups.setdefault(name, []).append(own[stage.number] // sources[stage.number])

    usual = {name: int(median(times)) if times else 0 for name, times in groups.items()}
    enough = {name for name, times in groups.items() if len(times) >= ENOUGH}

    def group(stage: LoggedStage) -> str:
        return (stage.name if stage.name in enough else OTHERS) if stage.parents else ROOTS

    return {stage.number: usual[group(stage)] * sources[stage.number] for stage in stages}


def _full(
    submitted: int, first: int, launched: Sequence[int], freed: Sequence[int], profile: Sequence[tuple[int, int]]
) -> bool:
    """Whether all cores that there were were taken at a moment between submission and first launch."""
    times = [time for time, _ in profile]

    def cores(time: int) -> int:
        return profile[max(0, bisect_right(times, time) - 1)][1]

    def taken(time: int) -> int:
        return bisect_right(launched, time) - bisect_right(freed, time)

    if taken(submitted) >= cores(submitted):
        return True
    if bisect_left(launched, first) - bisect_left(freed, first) >= cores(first - 1):
        return True

    # tasks that run become more where one is launched, and cores fewer where the profile changes
    begin, end = bisect_right(launched, submitted), bisect_left(launched, first)
    changes = times[bisect_right(times, submitted) : bisect_left(times, first)]
    return any(taken(time) >= cores(time) for time in (*launched[begin:end], *changes))
