"""How far a compiled program may be from what its operations were measured to cost, by kind of operation.

No count of operations tells what a compiler makes of a loop: registers that spill, branches it removes, code it moves.
The intervals of a machine file for compiled programs therefore are the measured figures, from the lowest JVM's divided
by `low` to the highest JVM's times `high`. The factors are those within which 90 % of other programs lay in a study of
63 kernels (fitted on families of kernels, judged on the family left out); they are no property of one machine, and a
file lists them in its provenance.
"""

from __future__ import annotations

from typing import NamedTuple


class Band(NamedTuple):
    """Division of the least figure, multiplication of the greatest."""

    low: float
    high: float


EXACT = Band(1.0, 1.0)
COMPILED = Band(1.45, 1.75)
INTERPRETED = Band(1.25, 1.35)


def band(mode: str, level: str) -> Band:
    """The band of operations of a level ("core", "flat") in a mode."""
    if mode == "Xint":
        return INTERPRETED
    return COMPILED if level == "core" else EXACT
