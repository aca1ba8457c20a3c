"""What can be wrong with a trace that was read without an error."""

from __future__ import annotations

from collections.abc import Sequence

from apet.ground.diagnostics import Diagnostic
from apet.traces.trace import Stuck

MOST_LISTED = 8


class Deadlock(Diagnostic):
    """Ranks that wait for each other."""

    message = "deadlock: {stuck} of {ranks} ranks wait for ever\n{listed}"
    hint = "apet check TRACE finds messages without a partner and collectives that differ"


class Unreplayable(Diagnostic):
    """An action of a trace in memory that cannot be carried out."""

    message = "{trace}: rank {rank}, {place}{action}: {reason}"
    hint = "docs/reference/trace-files.md lists all arguments"


class TooManyPaths(Diagnostic):
    """A trace in which too many paths may be the longest."""

    message = "{trace} has too many different longest paths for a formula"
    hint = "apet predict gives its bounds as numbers"


def listed(stuck: Sequence[Stuck]) -> str:
    """The ranks, the lines of their actions, and what each waits for."""
    lines = [f"  rank {s.rank}, {_place(s)}{s.action}: waits for {s.waits_for}" for s in stuck[:MOST_LISTED]]
    if len(stuck) > MOST_LISTED:
        lines.append(f"  and {len(stuck) - MOST_LISTED} more")
    return "\n".join(lines)


def _place(stuck: Stuck) -> str:
    return f"line {stuck.line}, " if stuck.line else ""


class ChoosesByTime(Diagnostic):
    """A trace of which the order of what happens depends on time."""

    message = "{name} waits for some of several requests: its time is no convex function of one figure"
    hint = "'apet predict' bounds it, 'apet simulate --vary latency=1:100:2x' replays it"
