"""Traces of PyTorch's profiler (Kineto): a file of Chrome's trace format for each process, packed or not."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

from apet.ground.diagnostics import ApetError
from apet.traces.event_traces.errors import BadRecording
from apet.traces.event_traces.nccl import Groups, is_collective
from apet.traces.event_traces.source_lines import MISFITS, date, duration, unpacked
from apet.traces.lines.files import DAMAGED

ON_GPU = frozenset(("kernel", "gpu_memcpy", "gpu_memset"))
ON_HOST = frozenset(("cuda_runtime", "cuda_driver", "runtime"))


class Kernel(NamedTuple):
    """What a stream does; dates in microseconds. `correlation` is that of its launch."""

    begin: float
    end: float
    stream: int
    correlation: int
    arguments: Mapping[str, Any]
    collective: bool


class HostCall(NamedTuple):
    """A call of the runtime; dates in microseconds."""

    begin: float
    end: float
    name: str
    correlation: int


class Recording(NamedTuple):
    """What one file says."""

    file: str
    process: int | None  #: its number among all; None where it is not said
    groups: Groups
    kernels: Sequence[Kernel]  #: in the order of time
    calls: Sequence[HostCall]  #: in the order of time
    waits: Mapping[int, Mapping[str, Any]]  #: by correlation what a call waits for, where that is recorded
    begin: float
    end: float | None  #: of the host; None: with its last call


def recording_of(file: str, step: int | None) -> Recording:
    """What a file says, or what of it belongs to a step. `ApetError` if it cannot be read."""
    try:
        return _parsed(file, json.loads(unpacked(file)), step)
    except json.JSONDecodeError as error:
        refuse(file, f"line {error.lineno}: {error.msg}")
    except DAMAGED as error:
        refuse(file, str(error))
    except MISFITS as error:
        refuse(file, f"an event has not what PyTorch's profiler writes: {error}")


def _parsed(file: str, content: Any, step: int | None) -> Recording:
    events = [e for e in content["traceEvents"] if e.get("ph") == "X"]
    begin, end = _limits(file, events, step)
    calls, kernels, waits = list[HostCall](), list[Kernel](), dict[int, Mapping[str, Any]]()
    for e in events:
        kind, arguments = str(e.get("cat", "")).lower(), e.get("args", {})
        if kind in ON_GPU:
            start = date(e["ts"])
            where = int(arguments["stream"]), int(arguments.get("correlation", -1))
            kernels.append(Kernel(start, start + duration(e["dur"]), *where, arguments, is_collective(str(e["name"]))))
        elif kind in ON_HOST and "correlation" in arguments:
            start = date(e["ts"])
            end_of = start + duration(e.get("dur", 0))
            calls.append(HostCall(start, end_of, str(e["name"]), int(arguments["correlation"])))
        elif kind == "cuda_sync":
            waits[int(arguments["correlation"])] = arguments

    if step is not None and end is not None:
        calls = [c for c in calls if begin <= c.begin < end]
        launched = {c.correlation for c in calls}
        kernels = [k for k in kernels if k.correlation in launched]
    if not kernels:
        refuse(file, "there are no kernels of a GPU" + ("" if step is None else f" in step {step}"))
    calls.sort()
    kernels.sort(key=lambda k: k[:4])
    process = content.get("distributedInfo", {}).get("rank")
    groups = Groups.of(content.get("distributedInfo", {}), [k.arguments for k in kernels if k.collective])
    begin = begin if step is not None else min(kernels[0].begin, calls[0].begin if calls else math.inf)
    return Recording(file, None if process is None else int(process), groups, kernels, calls, waits, begin, end)


def _limits(file: str, events: Sequence[Mapping[str, Any]], step: int | None) -> tuple[float, float | None]:
    """When a step begins and ends on the host."""
    if step is None:
        return 0.0, None
    steps = {}
    for e in events:
        name, _, number = str(e.get("name")).partition("#")
        if name == "ProfilerStep" and not str(e.get("cat", "")).startswith("gpu"):
            steps[int(number)] = date(e["ts"]), date(e["ts"]) + duration(e["dur"])
    if step not in steps:
        known = ", ".join(map(str, sorted(steps))) or "none"
        refuse(file, f"there is no step {step}: its steps are {known}")
    return steps[step]


def refuse(file: str, problem: str) -> NoReturn:
    """Raise what is wrong with a recording."""
    raise ApetError(BadRecording(None, None, file, problem))
