"""How wide an interval must be that holds 90 % of such runs: from how much the opinions differ, and from the design.

The width is a product of powers of what is known before the run: chosen, like its constants, on a part of the measured
programs, and judged on the others (docs/background/several-parameters.md).
"""

from __future__ import annotations

import math
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from apet.runs.experiments import Experiment
from apet.runs.fit.surface.term_library import Array

if TYPE_CHECKING:
    from apet.runs.fit.surface.blend import Blended

NEARBY = 1e-9


class Design(Enum):
    """How the runs lie: only lines through one point, lines and few joint points, or spread."""

    LINES = "lines"
    JOINT = "lines and corner"
    SPREAD = "spread"


class ErrorQuantiles(NamedTuple):
    """Of ln of the time over the blend, in units of `s`: where the ends of the interval lie, and the median."""

    below: float
    median: float
    above: float


INSIDE = ErrorQuantiles(-2.8, 0.0, 2.6)
BEYOND = {
    Design.SPREAD: ErrorQuantiles(-2.6, 0.3, 4.3),
    Design.JOINT: ErrorQuantiles(-2.6, 0.3, 4.3),
    Design.LINES: ErrorQuantiles(-4.0, 0.0, 5.9),
}
"""Programs usually deviate by slowing down: beyond the runs the median of their times is above the blend. The ends are
those of the errors of all programs, stretched until each group of programs holds 88 % under each design, those on which
nothing was chosen included; `python -m tests.benchmarks.several_ends` prints them."""
FEW_POINTS, GROWTH = 8, 0.25
"""With more points opinions come closer to each other than to the truth: `s` grows by this power of their number."""
FEW_JOINT = 1 / 3
"""Of the points: with fewer that differ in several parameters, a design is lines and corners."""
LEAST_SCALE = 0.3
TRUST = {"high": 0.08, "fair": 0.135}
"""The greatest `s`, thirds of the measured programs: errors of about 4, 9 and 21 per cent."""


def design_of(experiment: Experiment) -> Design:
    """How the points of a design lie around that one which most others differ from in one parameter only."""
    x = np.array([p.x for p in experiment.points])
    if x.shape[1] == 1:
        return Design.SPREAD
    if dependent(x):
        return Design.LINES
    differing = (np.abs(np.log(x[:, None, :] / x[None, :, :])) > NEARBY).sum(axis=2)
    joint = int((differing > 1).sum(axis=1).min())
    if joint == 0:
        return Design.LINES
    return Design.JOINT if joint <= FEW_JOINT * len(x) else Design.SPREAD


def dependent(x: Array) -> bool:
    """Whether parameters vary only together, as n and P do in weak scaling: points (points, parameters) on one line in
    logarithms, or on a plane of fewer dimensions than there are parameters."""
    logs = np.log(x)
    return bool(np.linalg.matrix_rank(logs - logs.mean(axis=0), tol=NEARBY) < x.shape[1])


def deviations(blend: Blended, z: Array, z_targets: Array) -> Array:
    """`s` at the targets: z = ln(x / largest) of runs and targets."""
    distance = np.sqrt(((z_targets[:, None, :] - z[None, :, :]) ** 2).sum(axis=2)).min(axis=1)
    scale = max(blend.scale, LEAST_SCALE)
    return np.asarray(
        np.exp(-0.746)
        * (blend.structures_spread + 0.02) ** 0.342
        * (blend.phases_spread + 0.02) ** 0.289
        * (blend.opinions_spread + 0.03) ** 0.086
        * (distance + 0.2) ** 0.058
        * scale**0.292
        * (len(z) / FEW_POINTS) ** GROWTH
    )


def quantiles(design: Design, beyond: float) -> ErrorQuantiles:
    """The constants for a target so many times beyond all runs in some parameter; up to 1 it is inside their box, which
    lines only do not fill."""
    own = BEYOND[design]
    if beyond <= 1 + NEARBY and design is not Design.LINES:
        return INSIDE
    return own._replace(median=own.median * min(math.log2(max(beyond, 1.0)), 1.0))
