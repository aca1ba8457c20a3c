"""Time-independent traces of MPI programs on platforms."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.driver.arguments import located

if TYPE_CHECKING:
    from apet.analysis.traces import Checked, CompiledTrace, Replayed, Trace, TraceBounds
    from apet.machine.platform import Platform


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """A time-independent trace: merged, or a list of files, plain or gzip; a shipped sample's name serves too."""
    from apet.frontends.trace import read_trace as read_it

    return read_it(located(path))


def read_platform(
    path: str | os.PathLike[str], hostfile: str | os.PathLike[str] | None = None
) -> tuple[Platform, list[int]]:
    """A platform (SimGrid's XML) and the hosts of ranks in turn: those of a host file, or all. `ApetError`."""
    from apet.frontends.platform import read_hostfile
    from apet.frontends.platform import read_platform as read_it

    platform = read_it(located(path))
    if hostfile is None:
        return platform, list(range(len(platform.hosts)))
    return platform, read_hostfile(located(hostfile), platform)


def check_trace(trace: Trace) -> Checked:
    """What is in a trace, and what is wrong with it: deadlocks, messages without partner, collectives that differ."""
    from apet.backends.replay.check import check

    return check(trace)


def replay(trace: Trace, platform: Platform, hosts: Sequence[int], *, segments: bool = False) -> Replayed:
    """Replay a trace event by event with SMPI's cost model; rank r runs on `hosts[r % len(hosts)]`.

    `segments` asks for what the ranks did when. `ApetError` where ranks wait for each other.
    """
    from apet.backends.replay import replay as replayed

    return replayed(trace, platform, hosts, segments)


def trace_bounds(trace: Trace, platform: Platform, hosts: Sequence[int]) -> TraceBounds:
    """Seconds that a replay takes at least and at most, however links are shared. `ApetError` on a deadlock."""
    from apet.backends.replay.bounds import bounds

    return bounds(trace, platform, hosts)


def compile_trace(trace: Trace, platform: Platform, hosts: Sequence[int]) -> CompiledTrace:
    """The bounds as formulas in `speed`, `latency` and `bandwidth`, multiples of the platform's."""
    from apet.backends.replay.compiling import compile_trace as compiled

    return compiled(trace, platform, hosts)
