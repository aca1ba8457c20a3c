"""What can be asked of a trace, in memory or in a file: read, convert, check, replay, bound, compile.

A file is read by windows by the C core where that is possible, so that its length does not matter; otherwise as a
whole. Start here, then follow the imports of the question that interests you.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from apet.ground.resources import located
from apet.traces.trace import Gap, Trace

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from apet.traces.lines.sites import CallSites
    from apet.traces.platform.parts import Protocol
    from apet.traces.platform.platform import Platform
    from apet.traces.read.windows import Windows
    from apet.traces.replay.program import LoweredTrace
    from apet.traces.trace import Checked, CompiledTrace, Replayed, TraceBounds

    Answer = TypeVar("Answer")

Path = str | os.PathLike[str]


def read_trace(path: Path) -> Trace:
    """A time-independent trace: merged, or a list of files, plain or compressed; or an event trace, of which a second
    is 10^9 flops; a shipped sample's name serves too."""
    from apet.traces.read import read_trace as read_located

    name = os.fspath(located(path))
    if is_imported(name):
        return _imported(name, _state_of(name))
    return replace(read_located(name), gaps=trace_gaps(name), processes=processes_of(name))


def is_imported(name: str) -> bool:
    """Whether there is an event trace."""
    from apet.traces.event_traces.formats import is_event_trace

    return os.path.exists(name) and is_event_trace(name)


def _state_of(name: str) -> tuple[tuple[str, int, int], ...]:
    """Which files an event trace has, when they last changed, and their sizes."""
    from apet.traces.event_traces.formats import files_of, format_of

    found = [(file, os.stat(file)) for file in files_of(name, format_of(name))]
    return tuple((file, status.st_mtime_ns, status.st_size) for file, status in found)


@lru_cache(maxsize=1)
def _imported(name: str, _: tuple[tuple[str, int, int], ...]) -> Trace:
    """The trace of an event trace as it was when it last changed: what is asked of one reads it several times."""
    from apet.traces.event_traces.reader import read_event_trace

    return read_event_trace(name)


def convert_trace(
    path: Path,
    rate: float = 1e9,
    *,
    unroll: bool = False,
    regions: Mapping[int, float] | None = None,
    step: int | None = None,
    processes: int | None = None,
) -> Trace:
    """A trace from a time-independent trace in any form, or from an event trace: an OTF2 archive (its `.otf2` file, or
    what `otf2-print -A` prints), Extrae's `.prv`, what `dumpi2ascii` prints, GOAL, liballprof's files, recordings of
    PyTorch's profiler or graphs of Chakra. There `rate` says how many flops a second of computing stands for. For the
    last two `processes` says how many there are; `step` reads one step of PyTorch's alone.

    `unroll` writes collectives of some ranks and non-blocking ones as the messages they are, and synchronous sends as
    sends; `regions` are relative speeds by region of `MPI_Pcontrol`, by which volumes are divided. `ApetError` if it
    cannot be read.
    """
    from apet.traces.event_traces.formats import is_event_trace
    from apet.traces.event_traces.reader import WHOLE, Window, read_event_trace, refuse_regions
    from apet.traces.lines.regions import at_speeds
    from apet.traces.replay.unrolling import unrolled

    name, window = located(path), Window(step, processes)
    recorded = is_event_trace(name)
    trace = read_event_trace(name, rate, window) if recorded or window != WHOLE else read_trace(name)
    if regions:
        if recorded:
            refuse_regions(os.fspath(name))
        trace = at_speeds(trace, os.fspath(name), regions)
    return unrolled(trace) if unroll else trace


def check_trace(trace: Trace | Path) -> Checked:
    """What is in a trace, and what is wrong with it: deadlocks, messages without partner, collectives that differ."""
    from apet.traces.replay.capturing import checked
    from apet.traces.replay.check import check

    if isinstance(trace, Trace):
        return check(trace)
    return replace(_streamed(trace, checked) or check(read_trace(trace)), gaps=trace_gaps(trace))


def trace_gaps(path: Path) -> tuple[Gap, ...]:
    """What the header of a trace names as missing or assumed: calls that have no form in a trace, an early end."""
    from apet.traces.lines.header import gaps_of

    name = os.fspath(located(path))
    return read_trace(name).gaps if is_imported(name) else gaps_of(name)


def processes_of(path: Path) -> int:
    """How many processes a trace is of whose ranks share a host; 0: each rank is a process."""
    from apet.traces.lines.header import hosts_in_turn

    name = os.fspath(located(path))
    return read_trace(name).processes if is_imported(name) else hosts_in_turn(name)


def trace_sites(path: Path) -> CallSites:
    """Where in the program the actions of a trace were called, by rank and line; nowhere, where it does not say."""
    from apet.traces.lines.sites import call_sites_of

    return call_sites_of(located(path))


def replay(
    trace: Trace | LoweredTrace | Path, platform: Platform, hosts: Sequence[int], *, segments: bool = False
) -> Replayed:
    """Replay a trace event by event with SMPI's cost model; rank r runs on `hosts[r % len(hosts)]`.

    `segments` asks for what the ranks did when. `ApetError` where ranks wait for each other.
    """
    from apet.traces.replay import replay as replay_trace
    from apet.traces.replay.run import replay_programs
    from apet.traces.replay.streaming import stream

    if isinstance(trace, Trace):
        return replay_trace(trace, platform, hosts, segments)
    if not isinstance(trace, str | os.PathLike):
        return replay_programs(_flat(trace, platform), platform, hosts, segments)
    streamed = _streamed(trace, lambda name, lines: stream(name, lines, platform, hosts, segments))
    return streamed or replay_trace(read_trace(trace), platform, hosts, segments)


def flat_trace(path: Path, platform: Platform | None = None) -> LoweredTrace:
    """The trace in a file as flat programs, to be compiled and bounded in less time and memory than as a `Trace`, on
    platforms with this one's protocol (None: that of SMPI).

    `ApetError` if it cannot be read, or where ranks wait for each other.
    """
    from apet.traces.replay.capturing import captured

    protocol = _protocol(platform)
    return _streamed(path, lambda name, lines: captured(name, lines, protocol)) or lowered(read_trace(path), platform)


def _protocol(platform: Platform | None) -> Protocol:
    from apet.traces.platform.parts import Protocol

    return platform.network.protocol if platform else Protocol()


def trace_bounds(trace: Trace | LoweredTrace | Path, platform: Platform, hosts: Sequence[int]) -> TraceBounds:
    """Seconds that a replay takes at least and at most, however links are shared. `ApetError` on a deadlock."""
    from apet.traces.bounds.bounds import bounds, bounds_of

    if isinstance(trace, Trace):
        return bounds(trace, platform, hosts)
    return bounds_of(_flat(trace, platform).programs, platform, hosts)


def compile_trace(trace: Trace | LoweredTrace | Path, platform: Platform, hosts: Sequence[int]) -> CompiledTrace:
    """The bounds as formulas in `speed`, `latency` and `bandwidth`, multiples of the platform's. `ApetError` on a
    deadlock, or where they would be too long."""
    from apet.traces.bounds.formulas import compile_programs
    from apet.traces.bounds.formulas import compile_trace as compile_actions

    if isinstance(trace, Trace):
        return compile_actions(trace, platform, hosts)
    return compile_programs(_flat(trace, platform), platform, hosts)


def _flat(trace: LoweredTrace | Path, platform: Platform) -> LoweredTrace:
    """`ValueError` where the flat programs are for platforms with another protocol."""
    if isinstance(trace, str | os.PathLike):
        return flat_trace(trace, platform)
    if trace.protocol != platform.network.protocol:
        raise ValueError(f"{trace.name} was read for a platform with another protocol: give it to flat_trace")
    return trace


def lowered(trace: Trace, platform: Platform | None = None) -> LoweredTrace:
    """The flat programs of a trace in memory, as `flat_trace`; `ApetError` where ranks wait for each other."""
    from apet.traces.bounds.bounds import complete
    from apet.traces.replay.lowering import lower
    from apet.traces.replay.program import LoweredTrace

    protocol = _protocol(platform)
    programs = lower(trace, protocol)
    complete(trace, programs)
    return LoweredTrace(trace.name, trace.events, programs, protocol)


def _streamed(path: Path, act: Callable[[str, Windows], Answer | None]) -> Answer | None:
    """What the core finds while it reads a trace, by name and lines.

    None where the file has to be read as a whole, also to say what is wrong with it.
    """
    from apet.traces.lines.files import DAMAGED
    from apet.traces.read.windows import windows

    name = os.fspath(located(path))
    lines = None if is_imported(name) else windows(name)
    if lines is None:
        return None

    try:
        return act(os.path.basename(name), lines)
    except DAMAGED:
        return None
    finally:
        lines.close()
