"""What the compiled core does with a trace before there is a platform: lower it to flat programs, or check it.

The lines of each rank become flat programs as soon as they are read, so that no action is ever held in Python. Checking
replays on a platform where nothing takes time, and keeps nothing. Telling what is wrong with a line, and which ranks
act together where a trace does not say it, is left to Python, which reads the whole trace.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from apet.traces.platform.parts import SMPI_PROTOCOL, Protocol
from apet.traces.replay.check import arrive
from apet.traces.replay.engine import ACTIONS, BYTES, CHECKING, KEEPING, MESSAGES, Replayer, packed
from apet.traces.replay.lowering import programs_of, reader
from apet.traces.replay.program import LoweredTrace
from apet.traces.replay.streaming import Lines, run_to_end
from apet.traces.trace import Checked


def captured(name: str, lines: Lines, protocol: Protocol = SMPI_PROTOCOL) -> LoweredTrace | None:
    """The flat programs, numbered as `lower` numbers them; None where that is left to Python."""
    replayer = reader(lines.ranks, KEEPING, protocol)
    try:
        if not all(_read(replayer, lines, rank) for rank in range(lines.ranks)) or not replayer.agrees():
            return None
        flat = LoweredTrace(name, replayer.counts[ACTIONS], programs_of(replayer), protocol)
    finally:
        replayer.close()
    return flat if arrive(flat.programs) else None


def checked(name: str, lines: Lines) -> Checked | None:
    """What is in a trace with which nothing is wrong; None where Python has to look."""
    replayer = reader(lines.ranks, CHECKING)
    try:
        if not run_to_end(replayer, lines) or not replayer.agrees() or not replayer.arrived():
            return None
        totals, flops = packed("q", bytes(32)), packed("d", bytes(8 * lines.ranks))
        replayer.core.apet_totals(replayer.state, totals)
        replayer.core.apet_flops(replayer.state, flops)
        counts = replayer.counts
    finally:
        replayer.close()
    *wrong, communicators = totals
    if any(wrong):
        return None

    volumes = counts[ACTIONS], counts[MESSAGES], counts[BYTES]
    return Checked(name, lines.ranks, *volumes, math.fsum(flops), communicators + 1, ())


def _read(replayer: Replayer, lines: Lines, rank: int) -> bool:
    """Read all lines of a rank; False where one is not plain."""
    complete: Sequence[int] = ()
    while rank not in complete:
        text, complete = lines.more(rank)
        if text and not replayer.feed(text):
            return False
    replayer.complete(rank)
    return True
