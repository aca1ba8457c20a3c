"""The default method on one page: its steps, and every constant with value, unit and reason.

1. Phases. Functions that all runs have become phases; small ones, and what is left of the run, one phase more
   (`estimate.main_phases`).
2. Blend. The whole run and each phase is fitted by a weighted blend of shapes with a smooth deviation (`blend`, over
   the grid of `shapes`); the fits of the phases add up, weighed against that of the whole by their precision
   (`estimate`).
3. Mixture. ln t is drawn towards the averaged normal form (`normal_form`) and, between measured numbers of processors,
   towards the chord between neighbours (`estimate.mixed`).
4. Uncertainty of ln t: the geometric mean of what the shapes leave open and of the distance from the straight line
   through the last two runs (`estimate`).
5. Laws. All is drawn towards sums of few terms as far as the runs follow one of them exactly (`laws`).
6. Interval. The uncertainty times quantiles of errors, known from measured curves and corrected by this program's own
   errors on runs held back (`held_back`).
7. Flags, trust and advice (`blended`).

Constants in SETTINGS and QUANTILES were found on measured curves and judged on groups left out;
`python -m tests.benchmarks.scaling` finds them again, and says what they give on groups that had no part in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from apet.runs.fit.blend import Constants
from apet.runs.fit.shapes import ProcsPrior, SizePrior

# 1. Phases

SMALL_PHASE = 0.03
"""Of the run time: a phase of less, in the mean, joins the rest. Its noise would count like that of a large one."""
SMALLEST_TIME = 0.001
"""Of the run time: the least that is left over, so that it has a logarithm; less in the mean is no phase."""
MOST_SHARE = 1.1
"""Of the run time: phases that add up to more count some time twice, and are left alone."""

# 2. Blend

NOISE_OF_SHARES = 0.003
"""Noise of ln t of a phase, times t / phase - 1: profilers are off by a share of the whole run."""
LEAST_SHARED = 1e6
"""A phase of less than a millionth of the run counts as one of a millionth: else its noise overflows."""

# 3. Mixture

RUNS_OF_NORMAL_FORM = 4
"""Runs from which the normal form is averaged: with three, leaving one out leaves a line through two points."""
FARTHEST_APART = 1.0
"""Of ln t: the normal form draws no farther than from a prediction this far off."""

# 4. Uncertainty

WIDEST = 0.6
"""Of ln t: no prediction within four times the largest run was off by more in the middle."""
LEAST_DISAGREEMENT, LEAST_DISTANCE = 0.01, 0.03
"""Of ln t: runs repeat no better than to one per cent, and no straight line is sure to less than three."""

# 6. Interval

LOW, HIGH = 0.05, 0.95
"""Levels of the ends: 90 % lie between."""
OWN_ERRORS_WEIGHT = 30.0
"""For how many errors of this program the measured curves count."""
FARTHEST_TRY, MOST_TRIES = 4.0, 6
"""Runs are held back up to four times the largest of the others, as targets are, from at most six beginnings."""

# 5. Laws

LIKELY_LAW, CLEARLY = 0.5, 4 / 3
"""The chance from which runs are said to follow a law, and how much wider in ln t an interval must be for the one by
laws alone to be given beside it."""

# 7. Flags and trust

ROUGH_RESIDUAL = 0.14
"""Of ln t: the median distance of a run from its neighbours from which runs follow no smooth curve."""
LEAST_RATIO, MOST_RATIO = 1.2, 4.5
"""Of n: points closer than the first count as one; a curve may bend between points farther apart than the second."""
TRUSTED = {"size": (0.087, 0.218), "procs": (0.14, 0.19)}
"""Greatest uncertainties of ln t below which trust is high and fair: the thirds of measured curves, up to 4 times."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """How ln t is put together: the share of the averaged normal form (of t, or over processors of n t) with its
    weighting and sharpness, the share of the chord between neighbours, and the rest is the blend."""

    normal_form: float
    weighting: float
    sharpness: float
    chord: float


@dataclass(frozen=True, slots=True)
class Settings:
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
