"""How far a program may be from what its operations were measured to cost, by kind of operation.

No count of operations tells what a compiler makes of a loop: registers that spill, branches it removes, code it moves.
The intervals of a machine file for compiled programs therefore are the measured figures, from a low JVM's divided by
`low` to a high JVM's times `high`. The factors are those that 90 % of the training kernels asked for, each family
judged by the factors of the others (split conformal prediction; Lei and others 2018). `python -m
tests.benchmarks.java_bands` finds them and writes `bands.toml`; a machine file lists them in its provenance.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

WRITTEN = Path(__file__).with_name("bands.toml")


class ErrorBand(NamedTuple):
    """Division of the least figure, multiplication of the greatest."""

    low: float
    high: float


EXACT = ErrorBand(1.0, 1.0)


@cache
def read(name: str) -> ErrorBand:
    """A band of `bands.toml`: "compiled", "interpreted", or of a task that was timed once, "near" and "near_calls" at
    sizes nearby, "calibrated" at others."""
    factors = tomllib.loads(WRITTEN.read_text(encoding="utf-8"))[name]
    return ErrorBand(factors["low"], factors["high"])


def band(mode: str, level: str) -> ErrorBand:
    """The band of operations of a level ("core", "flat") in a mode."""
    if mode == "Xint":
        return read("interpreted")
    return read("compiled") if level == "core" else EXACT
