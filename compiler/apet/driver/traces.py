"""Time-independent traces of MPI programs on platforms."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.driver.arguments import located

if TYPE_CHECKING:
    from apet.analysis.traces import Checked, CompiledTrace, Replayed, Trace, TraceBounds
    from apet.machine.platform import Platform

WORTH_BUILDING = 60_000
"""Bytes of a trace, which may be compressed."""


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """A time-independent trace: merged, or a list of files, plain or gzip; a shipped sample's name serves too."""
    from apet.frontends.trace import read_trace as read_it

    return read_it(located(path))


def read_platform(
    path: str | os.PathLike[str], hostfile: str | os.PathLike[str] | None = None
) -> tuple[Platform, list[int]]:
    """A platform (SimGrid's XML, or a machine file in TOML) and the hosts of ranks in turn: those of a host file, or
    all. `ApetError`."""
    from apet.frontends.platform import read_hostfile

    if os.fspath(path).endswith(".toml"):
        from apet.driver.models import load_machines
        from apet.frontends.platform.machine_file import platform_of

        platform = platform_of(load_machines(path))
    else:
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


def replay_file(
    path: str | os.PathLike[str], platform: Platform, hosts: Sequence[int], *, segments: bool = False
) -> Replayed:
    """Replay the trace in a file, as `replay` does; where possible while it is read, so that any length will do."""
    from apet.backends.replay.streaming import stream
    from apet.frontends.trace.windows import windows

    name = located(path)
    build = _long(name)
    lines = windows(name, build)
    if lines is not None:
        try:
            found = stream(os.path.basename(name), lines, platform, hosts, segments, build)
        except (OSError, EOFError, zlib.error):
            found = None
        finally:
            lines.close()
        if found is not None:
            return found
    return replay(read_trace(path), platform, hosts, segments=segments)


def _long(name: str | os.PathLike[str]) -> bool:
    """Whether a file is so long that building the compiled core is worth it."""
    try:
        return os.path.getsize(name) > WORTH_BUILDING
    except OSError:
        return False


def trace_bounds(trace: Trace, platform: Platform, hosts: Sequence[int]) -> TraceBounds:
    """Seconds that a replay takes at least and at most, however links are shared. `ApetError` on a deadlock."""
    from apet.backends.replay.bounds import bounds

    return bounds(trace, platform, hosts)


def compile_trace(trace: Trace, platform: Platform, hosts: Sequence[int]) -> CompiledTrace:
    """The bounds as formulas in `speed`, `latency` and `bandwidth`, multiples of the platform's."""
    from apet.backends.replay.compiling import compile_trace as compiled

    return compiled(trace, platform, hosts)
