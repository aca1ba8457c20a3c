"""What the run time of a trace on a platform is made of."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from apet.api.folding import fold_actions, folded_file
from apet.api.traces import flat_trace, read_trace
from apet.traces.trace import Trace

if TYPE_CHECKING:
    from apet.traces.critical.critical_path import CriticalPath
    from apet.traces.platform.platform import Platform


def explain_trace(
    trace: Trace | str | os.PathLike[str],
    platform: Platform,
    hosts: Sequence[int],
    scales: Mapping[str, float] | None = None,
) -> CriticalPath:
    """The critical path of a trace, or of the file of one, by kind of time, rank, pair of ranks, action and loop.

    `scales` multiplies "speed", "latency" or "bandwidth" of the platform, above 0. `ApetError` if the file cannot be
    read, or where ranks wait for each other.
    """
    from apet.traces.critical.explaining import explain_trace as explained

    if not isinstance(trace, Trace):
        flat, folded = flat_trace(trace), folded_file(trace)
        if folded is not None:
            return explained(flat, folded, platform, hosts, scales or {})
        trace = read_trace(trace)
    from apet.traces.bounds.bounds import complete
    from apet.traces.critical.placing import renumbered
    from apet.traces.replay.lowering import lower
    from apet.traces.replay.program import LoweredTrace

    programs = lower(trace)
    complete(trace, programs)
    folded = renumbered(fold_actions(trace), trace)
    return explained(LoweredTrace(trace.name, trace.events, programs), folded, platform, hosts, scales or {})
