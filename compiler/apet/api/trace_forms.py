"""Traces from other forms."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from apet.api.arguments import located

if TYPE_CHECKING:
    from apet.traces.trace import Trace


def convert_trace(path: str | os.PathLike[str], rate: float = 1e9, *, unroll: bool = False) -> Trace:
    """A trace from a time-independent trace in any form, or from an OTF2 archive (its `.otf2` file, or what
    `otf2-print -A` prints), where `rate` says how many flops a second of computing stands for.

    `unroll` writes collectives of some ranks and non-blocking ones as the messages they are, and synchronous sends as
    sends. `ApetError` if it cannot be read.
    """
    from apet.traces.otf2 import is_otf2, read_otf2
    from apet.traces.read import read_trace

    name = located(path)
    trace = read_otf2(name, rate) if is_otf2(name) else read_trace(name)
    if not unroll:
        return trace
    from apet.traces.replay.unrolling import unrolled

    return unrolled(trace)


def trace_volumes(trace: Trace) -> list[float]:
    """Flops that each rank computes between its MPI calls."""
    return [float(sum(action[1] for action in actions if action[0] == "compute")) for actions in trace.ranks]
