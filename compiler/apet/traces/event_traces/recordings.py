"""Recordings of AI programs: traces of PyTorch's profiler and graphs of Chakra, a file of a process, or a folder of
those of all."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from apet.ground.diagnostics import ApetError
from apet.traces.event_traces.chakra import read_chakra
from apet.traces.event_traces.chakra_graph import is_chakra
from apet.traces.event_traces.errors import BadRecording
from apet.traces.event_traces.kineto import read_kineto
from apet.traces.event_traces.kineto_file import is_kineto
from apet.traces.lines.files import DAMAGED, opened
from apet.traces.trace import Trace

NAMES = re.compile(r"\.(json|et)(\.gz|\.xz)?$")
HEAD = 1 << 16


class Window(NamedTuple):
    """What is read of a recording: one step of the training, None: all; by how many processes, None: as it says."""

    step: int | None = None
    processes: int | None = None


WHOLE = Window()


def is_recording(name: str) -> bool:
    """Whether a file is a recording of one process; not if it cannot be read."""
    head = _head(name)
    return is_kineto(head) or is_chakra(head)


def recordings_of(name: str) -> list[str]:
    """The file itself, or all of a folder that are of the kind of its first one; none where it is something else."""
    if not os.path.isdir(name):
        return [name] if is_recording(name) else []
    heads = {file: _head(os.path.join(name, file)) for file in sorted(os.listdir(name)) if NAMES.search(file)}
    for is_one in (is_kineto, is_chakra):
        if files := [os.path.join(name, file) for file, head in heads.items() if is_one(head)]:
            return files
    return []


def read_recording(files: Sequence[str], name: str, rate: float, window: Window) -> Trace:
    """The trace of all processes. `ApetError` if it cannot be read."""
    if is_kineto(_head(files[0])):
        return read_kineto(files, name, rate, *window)
    if window.step is not None:
        raise ApetError(BadRecording(None, None, name, "a graph of Chakra has no steps"))
    return read_chakra(files, name, rate, window.processes)


def _head(name: str) -> bytes:
    try:
        with opened(name) as file:
            return file.read(HEAD)
    except DAMAGED:
        return b""
