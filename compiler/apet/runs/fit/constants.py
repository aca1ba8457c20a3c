"""The constants of the default method, by kind of target: found on measured curves, judged on groups left out.

`python -m tests.benchmarks.scaling` finds them again, and says what they give on groups that had no part in it.
"""

from __future__ import annotations

from typing import NamedTuple

from apet.runs.fit.blend import Constants
from apet.runs.fit.shapes import ProcsPrior, SizePrior


class Mixture(NamedTuple):
    """How ln t is put together: the share of the averaged normal form (of t, or over processors of n t) with its
    weighting and sharpness, the share of the chord between neighbours, and the rest is the blend."""

    normal_form: float
    weighting: float
    sharpness: float
    chord: float


class Settings(NamedTuple):
    """Everything of one kind of target."""

    blend: Constants
    mixture: Mixture


LEVELS = (0.01, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99)
"""Of errors in units of the own uncertainty, below 0 where a run was faster than predicted, the quantiles at these
levels are known from measured curves."""

SETTINGS = {
    "size": Settings(
        Constants(SizePrior(1.52, 1.87, 1.19, 1.60, 1.79, 2.03, 1.21), 0.067, 1.01, 0.0035, 2.06),
        Mixture(1 / 2, 0.5, 8.0, 0.0),
    ),
    "procs": Settings(
        Constants(ProcsPrior(1.37, 4.58, 4.24, 0.61, 0.76), 0.058, 1.66, 0.0026, 2.11),
        Mixture(0.0, 1.0, 40.0, 0.0),
    ),
    "between": Settings(
        Constants(ProcsPrior(1.54, 2.39, 5.46, 0.27, 0.35), 0.157, 2.44, 0.0062, 1.49),
        Mixture(1 / 3, 1.0, 40.0, 1 / 3),
    ),
}
"""By kind of target: "size", "procs" beyond the largest run, and "between" measured numbers of processors."""

QUANTILES = {
    "size": (-1.89, -0.90, -0.70, -0.34, -0.14, 0.12, 0.44, 0.86, 2.14, 5.20, 15.18),
    "procs": (-2.61, -1.33, -0.98, -0.45, -0.04, 0.13, 0.52, 1.58, 2.90, 4.15, 5.62),
    "between": (-8.65, -3.25, -1.73, -0.81, -0.23, -0.04, 0.14, 0.74, 1.82, 2.71, 4.37),
}
"""As found; the 95 % of sizes is 5.33 rounded down, with which more than 90 % of the targets are covered still."""
