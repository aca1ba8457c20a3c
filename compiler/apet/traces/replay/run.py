"""The replay of a trace on a platform."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from apet.ground.diagnostics import ApetError
from apet.traces.platform.platform import Platform
from apet.traces.replay.costs import Path, path
from apet.traces.replay.engine import EngineResult, run
from apet.traces.replay.errors import Deadlock, listed
from apet.traces.replay.lowering import lower
from apet.traces.replay.program import LoweredTrace, Programs
from apet.traces.replay.waiting import standing
from apet.traces.trace import LinkUse, RankTimes, Replayed, Trace


def replay(trace: Trace, platform: Platform, hosts: Sequence[int], segments: bool = False) -> Replayed:
    """Run a trace on a platform; rank r is on `hosts[r % len(hosts)]`. `ApetError` where ranks wait for each other.

    `segments` asks for what the ranks did when.
    """
    programs = lower(trace, platform.network.protocol)
    places = placed(programs, hosts)
    return replayed(trace, programs, platform, places, run(programs, platform, places, segments))


def replay_programs(
    lowered: LoweredTrace, platform: Platform, hosts: Sequence[int], segments: bool = False
) -> Replayed:
    """The same of flat programs that come to their end."""
    programs = lowered.programs
    places = placed(programs, hosts)
    volumes = lowered.events, len(programs.size), sum(programs.size)
    return result(lowered.name, volumes, platform, places, run(programs, platform, places, segments))


def placed(programs: Programs, hosts: Sequence[int]) -> list[int]:
    """The host of each rank."""
    return [hosts[r % len(hosts)] for r in range(programs.ranks)]


def paths_of(programs: Programs, platform: Platform, places: Sequence[int]) -> list[Path]:
    """The path of each pair of ranks that exchange messages."""
    path_of: dict[tuple[int, int], Path] = {}
    paths = list[Path]()
    for source, target in programs.pairs:
        key = places[source], places[target]
        if key not in path_of:
            path_of[key] = path(platform, *key)
        paths.append(path_of[key])
    return paths


def slowness(platform: Platform, places: Sequence[int]) -> tuple[list[float], list[float]]:
    """By rank, seconds per flop at least, and at most: when all ranks of its host compute, and the host is slowest."""
    ranks = Counter(places)
    hosts = [platform.hosts[p] for p in places]
    least = [1 / host.speed if host.speed > 0 else 0.0 for host in hosts]
    crowds = [max(1.0, ranks[p] / host.cores) * host.slowdown for p, host in zip(places, hosts, strict=True)]
    return least, [each * crowd for each, crowd in zip(least, crowds, strict=True)]


def replayed(
    trace: Trace, programs: Programs, platform: Platform, places: Sequence[int], course: EngineResult
) -> Replayed:
    """The result; `ApetError` where not every rank came to its end."""
    stuck = standing(trace, programs, course.stands)
    if stuck:
        raise ApetError(Deadlock(None, None, len(stuck), programs.ranks, listed(stuck)))
    volumes = trace.events, len(programs.size), sum(programs.size)
    return result(trace.name, volumes, platform, places, course)


def result(
    name: str, volumes: tuple[int, int, int], platform: Platform, places: Sequence[int], course: EngineResult
) -> Replayed:
    """What was found; `volumes` are the numbers of actions, messages and bytes."""
    times = tuple(RankTimes(*each) for each in zip(course.computed, course.waited, course.ends, strict=True))
    span = max(course.ends, default=0.0)
    used = [
        LinkUse(link.name, b, b / (link.bandwidth * span) if span > 0 else 0.0)
        for link, b in zip(platform.links, course.carried, strict=True)
        if b
    ]
    busiest = tuple(sorted(used, key=lambda u: (-u.utilization, u.name)))
    hosts = tuple(platform.hosts[p].name for p in places)
    return Replayed(name, platform.name, span, times, hosts, *volumes, busiest, tuple(course.segments))
