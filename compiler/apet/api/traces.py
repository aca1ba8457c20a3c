"""Time-independent traces of MPI programs on platforms."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.api.arguments import located

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from apet.traces.platform.platform import Platform
    from apet.traces.read.windows import Windows
    from apet.traces.replay.program import LoweredTrace
    from apet.traces.trace import Checked, CompiledTrace, Replayed, Trace, TraceBounds

    Found = TypeVar("Found")


def read_trace(path: str | os.PathLike[str]) -> Trace:
    """A time-independent trace: merged, or a list of files, plain or gzip; a shipped sample's name serves too."""
    from apet.traces.read import read_trace as read_it

    return read_it(located(path))


def read_platform(
    path: str | os.PathLike[str], hostfile: str | os.PathLike[str] | None = None
) -> tuple[Platform, list[int]]:
    """A platform (SimGrid's XML, or a machine file in TOML) and the hosts of ranks in turn: those of a host file, or
    all. `ApetError`."""
    from apet.traces.platform import read_hostfile

    if os.fspath(path).endswith(".toml"):
        from apet.api.models import load_machines
        from apet.traces.platform.machine_file import platform_of

        platform = platform_of(load_machines(path))
    else:
        from apet.traces.platform import read_platform as read_it

        platform = read_it(located(path))
    if hostfile is None:
        return platform, list(range(len(platform.hosts)))
    return platform, read_hostfile(located(hostfile), platform)


def check_trace(trace: Trace) -> Checked:
    """What is in a trace, and what is wrong with it: deadlocks, messages without partner, collectives that differ."""
    from apet.traces.replay.check import check

    return check(trace)


def replay(trace: Trace, platform: Platform, hosts: Sequence[int], *, segments: bool = False) -> Replayed:
    """Replay a trace event by event with SMPI's cost model; rank r runs on `hosts[r % len(hosts)]`.

    `segments` asks for what the ranks did when. `ApetError` where ranks wait for each other.
    """
    from apet.traces.replay import replay as replayed

    return replayed(trace, platform, hosts, segments)


def replay_file(
    path: str | os.PathLike[str], platform: Platform, hosts: Sequence[int], *, segments: bool = False
) -> Replayed:
    """Replay the trace in a file, as `replay` does; where possible while it is read, so that any length will do."""
    from apet.traces.replay.streaming import stream

    found = _by_lines(path, lambda name, lines: stream(name, lines, platform, hosts, segments))
    return found or replay(read_trace(path), platform, hosts, segments=segments)


def check_trace_file(path: str | os.PathLike[str]) -> Checked:
    """What is in the trace in a file, and what is wrong with it, as `check_trace`; where nothing is wrong, any length
    will do."""
    from apet.traces.replay.capturing import checked

    return _by_lines(path, checked) or check_trace(read_trace(path))


def flat_trace(path: str | os.PathLike[str]) -> LoweredTrace:
    """The trace in a file as flat programs, to be compiled and bounded in less time and memory than as a `Trace`.

    `ApetError` if it cannot be read, or where ranks wait for each other.
    """
    from apet.traces.replay.capturing import captured

    found = _by_lines(path, captured)
    if found is not None:
        return found
    from apet.traces.bounds.bounds import complete
    from apet.traces.replay.lowering import lower
    from apet.traces.replay.program import LoweredTrace

    trace = read_trace(path)
    programs = lower(trace)
    complete(trace, programs)
    return LoweredTrace(trace.name, trace.events, programs)


def _by_lines(path: str | os.PathLike[str], act: Callable[[str, Windows], Found | None]) -> Found | None:
    """What the core finds while it reads a trace; None where the trace has to be read as a whole."""
    from apet.traces.read.windows import windows

    name = located(path)
    lines = windows(name)
    if lines is None:
        return None
    try:
        return act(os.path.basename(name), lines)
    except (OSError, EOFError, zlib.error):
        return None
    finally:
        lines.close()


def trace_bounds(trace: Trace | LoweredTrace, platform: Platform, hosts: Sequence[int]) -> TraceBounds:
    """Seconds that a replay takes at least and at most, however links are shared. `ApetError` on a deadlock."""
    from apet.traces.bounds.bounds import bounds, bounds_of
    from apet.traces.replay.program import LoweredTrace

    if isinstance(trace, LoweredTrace):
        return bounds_of(trace.programs, platform, hosts)
    return bounds(trace, platform, hosts)


def compile_trace(trace: Trace | LoweredTrace, platform: Platform, hosts: Sequence[int]) -> CompiledTrace:
    """The bounds as formulas in `speed`, `latency` and `bandwidth`, multiples of the platform's. `ApetError` on a
    deadlock, or where they would be too long."""
    from apet.traces.bounds.formulas import compile_programs
    from apet.traces.bounds.formulas import compile_trace as compiled
    from apet.traces.replay.program import LoweredTrace

    if isinstance(trace, LoweredTrace):
        return compile_programs(*trace, platform, hosts)
    return compiled(trace, platform, hosts)
