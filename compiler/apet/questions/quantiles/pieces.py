"""What an operation or a message takes, as mixtures of uniform stretches."""

from __future__ import annotations

from itertools import pairwise

from apet.ground.interval import Interval
from apet.machine.machines import MachineGroup
from apet.machine.spread import Piece, pieces_of, quantile

CUTS = 64
"""Stretches that a curved distribution is cut into."""


def operation_pieces(group: MachineGroup, operation: str) -> tuple[Piece, ...]:
    """Seconds of an operation: its own time divided by what others leave of the processor, drawn apart from it."""
    own = pieces_of(group.op_s[operation])
    if not group.load.hi:
        return own
    if group.load.is_point:
        left = 1 - float(group.load.lo)
        return tuple(Piece(w, lo / left, hi / left) for w, lo, hi in own)
    taken = [quantile(pieces_of(group.load), (k + 0.5) / CUTS) for k in range(CUTS)]
    return tuple(Piece(w / CUTS, lo / (1 - t), hi / (1 - t)) for t in taken for w, lo, hi in own)


def seconds_per_byte(bandwidth: Interval) -> tuple[Piece, ...]:
    """The reciprocal of a bandwidth, stretch by stretch."""
    levels = [k / CUTS for k in range(CUTS + 1)]
    ends = [1 / quantile(pieces_of(bandwidth), level) for level in levels]
    return tuple(Piece(1 / CUTS, high, low) for low, high in reversed(list(pairwise(ends))))
