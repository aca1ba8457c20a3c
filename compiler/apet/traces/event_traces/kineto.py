"""Recordings of PyTorch's profiler as the ranks of a trace.

Lane 0 of a process is its host, one more is each stream of its GPUs. An operation of a stream waits for its launch on
the host (by correlation), for the one before it, and for what the host let the stream wait for: by `cuda_sync` events
where they are recorded, else after cudaStreamWaitEvent for what other streams had been given. The host waits in
synchronizing calls. What lies between is computing, as it was recorded. Collectives of NCCL become collectives of the
trace where their size and group are recorded; the others keep their time, and are counted.
"""

from __future__ import annotations

import math
import os
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from apet.ground.activity import over
from apet.traces.event_traces.kineto_file import Kernel, Recording, recording_of, refuse
from apet.traces.event_traces.nccl import call_of
from apet.traces.event_traces.processes import NO_ROOT, ROOTED, Call, Operation, check_room, trace_of
from apet.traces.event_traces.source_lines import MISFITS
from apet.traces.trace import Gap, Trace

EVENT, STREAM = "Event", "Stream"
STREAM_WAITS = ("cudaStreamWaitEvent", "hipStreamWaitEvent")
HOST = 0
UNSIZED = "communication without size, group or partner takes as long as recorded"
GUESSED = "streams wait for all that others had been given"
INEXACT = 2.0
"""Microseconds by which an end, the sum of two dates in whole microseconds, may be too late."""


def read_kineto(files: Sequence[str], name: str, rate: float, step: int | None, processes: int | None) -> Trace:
    """The trace of all processes; those without a file do what others do. `ApetError` if it cannot be read."""
    recordings = _in_order([recording_of(file, step) for file in over(files, "reading the trace", "files")], name)
    least = 1 + max(r.process or 0 for r in recordings)
    if min(r.process or 0 for r in recordings) < 0:
        refuse(name, "a process has a number below 0")
    number = processes or max(least, *(r.groups.world for r in recordings))
    if number < least:
        refuse(name, f"there is a recording of process {least - 1}, the first one being 0")

    check_room(name, number, max(len(r.kernels) + len(r.calls) for r in recordings))
    operations = [_recorded(recording, rate) for recording in recordings]
    known = {r.process: k for k, r in enumerate(recordings)}
    alone, lacking = len(recordings) < number, Counter[str]()
    lacking[GUESSED] = sum(map(_guesses, recordings))
    written = list[list[Operation]]()
    for process in range(number):
        k = known.get(process, process % len(recordings))
        own, assumed = _of_process(operations[k], recordings[k], process, number, alone)
        written.append(own)
        lacking += assumed
    return trace_of(os.path.basename(name), written, _gaps(recordings, number, lacking))


def _guesses(recording: Recording) -> int:
    """How many waits of streams are guessed: none where `cuda_sync` events tell them."""
    if _tells(recording):
        return 0
    return sum(call.name in STREAM_WAITS and call.correlation not in recording.waits for call in recording.calls)


def _tells(recording: Recording) -> bool:
    return any("wait_on_stream" in wait and _kind(wait) == STREAM for wait in recording.waits.values())


def _gaps(recordings: Sequence[Recording], number: int, lacking: Mapping[str, int]) -> Iterator[Gap]:
    if len(recordings) < number:
        what = f"processes without a recording do what others do ({len(recordings)} of {number} recorded)"
        yield Gap("assumed", what, number - len(recordings))
    yield from (Gap("assumed", what, count) for what, count in lacking.items() if count)


def _in_order(recordings: Sequence[Recording], name: str) -> list[Recording]:
    """Each with its number, which is its place where it is not said."""
    numbers = [k if r.process is None else r.process for k, r in enumerate(recordings)]
    if len(set(numbers)) < len(numbers):
        refuse(name, "two files are of one process")
    return [r._replace(process=n) for n, r in sorted(zip(numbers, recordings, strict=True), key=lambda each: each[0])]


class _Recorded(NamedTuple):
    """An operation before it is known who takes part in its call."""

    operation: Operation
    kernel: Kernel | None  #: a collective's
    lasts: float  #: flops of its recorded time


def _recorded(recording: Recording, rate: float) -> list[_Recorded]:
    try:
        return list(_operations(recording, rate))
    except MISFITS as error:
        refuse(recording.file, f"a wait has not what PyTorch's profiler writes: {error}")


def _of_process(
    recorded: Sequence[_Recorded], recording: Recording, process: int, number: int, alone: bool
) -> tuple[list[Operation], Counter[str]]:
    """The operations of a process by a recording of itself, or of one like it; and how often what is assumed."""
    operations, lacking = list[Operation](), Counter[str]()
    for each in recorded:
        call: Call | None = None
        if each.kernel is not None:
            groups = recording.groups._replace(world=number)
            try:
                call = call_of(each.kernel.arguments, groups, recording.process or 0, process, alone)
            except MISFITS as error:
                refuse(recording.file, f"a collective has not what PyTorch's profiler writes: {error}")
            lacking[UNSIZED] += call is None
            lacking[NO_ROOT] += call is not None and call.name in ROOTED
        if call is None:
            operations.append(each.operation._replace(flops=each.operation.flops + each.lasts))
        else:
            operations.append(each.operation._replace(call=call))
    return operations, lacking


LAUNCH, KERNEL, RETURN, STOP = range(4)


class _Item(NamedTuple):
    """When the host launches, or begins to wait, a kernel is executed, a call that waits returns, or what is read
    stops; in this order at one date."""

    begin: float
    kind: int
    end: float
    number: int  #: of the kernel or the call


def _items(recording: Recording) -> Iterator[_Item]:
    ends = {kernel.correlation: kernel.end for kernel in recording.kernels}
    for k, kernel in enumerate(recording.kernels):
        yield _Item(kernel.begin, KERNEL, kernel.end, k)
    for k, call in enumerate(recording.calls):
        waits = call.name.endswith("Synchronize")
        if waits or call.correlation in ends:
            yield _Item(call.begin, LAUNCH, call.begin, k)
        if waits or ends.get(call.correlation, call.end + 1) <= call.end:
            yield _Item(call.end, RETURN, call.end, k)
    if recording.end is not None:
        yield _Item(recording.end, STOP, recording.end, 0)


def _operations(recording: Recording, rate: float) -> Iterator[_Recorded]:
    """The operations of a process in the order of time, each with what it waited for."""
    items, per_us = sorted(_items(recording)), rate / 1e6
    waits = _Waits(recording)
    places = {item.number: k for k, item in enumerate(items) if item.kind == KERNEL}
    launches = {recording.calls[item.number].correlation: k for k, item in enumerate(items) if item.kind == LAUNCH}
    lanes = {stream: 1 + k for k, stream in enumerate(sorted(waits.launched))}
    ends = dict[int, float]()

    for k, item in enumerate(items):
        kernel = recording.kernels[item.number] if item.kind == KERNEL else None
        lane = HOST if kernel is None else lanes[kernel.stream]
        after = [places[j] for j in waits.of(item)]
        if kernel is not None and kernel.correlation in launches:
            after.append(launches[kernel.correlation])
        # what had not ended in the recording was not waited for
        after = [j for j in after if j < k and items[j].end <= item.begin + INEXACT]
        ready = max([ends.get(lane, recording.begin), *(items[j].end for j in after)])
        ends[lane] = max(ready, item.end)

        delay, lasts = max(0.0, item.begin - ready) * per_us, max(0.0, item.end - max(ready, item.begin)) * per_us
        if kernel is not None and kernel.collective:
            yield _Recorded(Operation(lane, after, delay), kernel, lasts)
        else:
            yield _Recorded(Operation(lane, after, delay + lasts), None, 0.0)


class _Waits:
    """What items wait for: kernels, by their numbers. `launched` has by stream the dates of launches, `ended` those of
    ends, `given` the numbers."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.dates = {call.correlation: call.begin for call in recording.calls}
        self.launched, self.ended = defaultdict[int, list[float]](list), defaultdict[int, list[float]](list)
        self.given = defaultdict[int, list[int]](list)
        for number, kernel in enumerate(recording.kernels):
            dates, ends = self.launched[kernel.stream], self.ended[kernel.stream]
            # a stream is a queue: what is behind is launched no earlier, and ends no earlier
            before = dates[-1] if dates else 0.0
            dates.append(max(before, self.dates.get(kernel.correlation, before)))
            ends.append(max(ends[-1] if ends else 0.0, kernel.end))
            self.given[kernel.stream].append(number)

        self.own = {kernel.correlation: number for number, kernel in enumerate(recording.kernels)}
        self.held = defaultdict[int, list[int]](list)
        recorded = _tells(recording)
        for call in recording.calls:
            if call.name in STREAM_WAITS:
                wait = recording.waits.get(call.correlation)
                if wait is not None:
                    self._hold(self._next(int(wait["stream"]), call.begin), self._by_event(wait))
                elif not recorded:
                    self._guess(call.begin)

    def _hold(self, held: Sequence[tuple[float, int]], before: Sequence[int]) -> None:
        for _, number in held:
            self.held[number] += before

    def _guess(self, date: float) -> None:
        """Without events: what is launched next waits for the other streams, as far as the recording allows it."""
        held = sorted(each for stream in self.given for each in self._next(stream, date))[:1]
        own = self.recording.kernels[held[0][1]].stream if held else None
        self._hold(held, [k for stream in self.given if stream != own for k in self._last(stream, date)])

    def _next(self, stream: int, date: float) -> list[tuple[float, int]]:
        """The first kernel that a stream is given from a date on, if any: when, and which."""
        dates = self.launched.get(stream, [])
        k = bisect_left(dates, date)
        return [(dates[k], self.given[stream][k])] if k < len(dates) else []

    def _last(self, stream: int, date: float, end: float = math.inf) -> list[int]:
        """The last kernel that a stream had been given at a date and that ended by another, if any."""
        k = min(bisect_left(self.launched.get(stream, []), date), bisect_right(self.ended.get(stream, []), end))
        return [self.given[stream][k - 1]] if k else []

    def _by_event(self, wait: Mapping[str, Any]) -> list[int]:
        """What the event stands for that a `cuda_sync` event names."""
        date = self.dates.get(int(wait.get("wait_on_cuda_event_record_corr_id", -1)))
        return [] if date is None else self._last(int(wait.get("wait_on_stream", -1)), date)

    def of(self, item: _Item) -> list[int]:
        """What an item waits for, besides its launch."""
        if item.kind == KERNEL:
            return self.held.get(item.number, [])
        if item.kind != RETURN:
            return []
        call = self.recording.calls[item.number]
        if not call.name.endswith("Synchronize"):
            return [self.own[call.correlation]]
        wait = self.recording.waits.get(call.correlation)
        if wait is not None and _kind(wait) == EVENT:
            return self._by_event(wait)
        if wait is not None and _kind(wait) == STREAM and "wait_on_stream" not in wait:
            return self._last(int(wait["stream"]), call.begin, call.end)
        return [k for stream in self.given for k in self._last(stream, call.begin, call.end)]


def _kind(wait: Mapping[str, Any]) -> str:
    return str(wait.get("cuda_sync_kind", "")).partition(" ")[0]
