"""How far a log can be trusted: what the replay of its own run misses."""

from __future__ import annotations

from apet.joblogs.rules.work import WorkGraph
from apet.joblogs.what_if import on_cores

NOTED, NO_BOUNDS = 0.03, 0.10
"""Errors of the own run from which on they are noted, and from which on there are no bounds."""


def own_error(work: WorkGraph) -> float:
    """The replay of the log's own run over the measured time, less 1."""
    if not work.measured:
        return 0.0
    return on_cores(work, work.cores, own_run=True).makespan / work.measured - 1
