"""How far a measured ln t may be from the law of its program: what repetitions and written digits say."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import numpy as np
from numpy.typing import NDArray

from apet.runs.measurements import Run

Array = NDArray[np.float64]
DIGITS = 14
"""Significant digits of a float that a change of unit does not disturb."""
LEAST_DIGITS = 3
"""That someone looks at before writing down a time."""
POOLED_FREEDOM = 4.0
"""Degrees of freedom for which the scatter of all runs counts beside that of each."""


def centres(runs: Sequence[Run]) -> tuple[Array, Array]:
    """ln t and its known variance by run: the mean over repetitions, whose scatter is shared in part among the runs, or
    the representative time, and in both cases the rounding of what was written."""
    t = np.array([r.t for r in runs], dtype=float)
    if min(len(r.repetitions) for r in runs) < 2:
        return np.log(t), _rounding(t)

    logs = [np.log(np.array(r.repetitions, dtype=float)) for r in runs]
    squares = np.array([float(((x - x.mean()) ** 2).sum()) for x in logs])
    counts = np.array([len(x) for x in logs], dtype=float)
    pooled = float(squares.sum() / (counts - 1).sum())
    own = (POOLED_FREEDOM * pooled + squares) / (POOLED_FREEDOM + counts - 1)
    return np.array([float(x.mean()) for x in logs]), own / counts + _rounding(t) / counts


def _rounding(t: Array) -> Array:
    """Variance of ln t by the last digit: of a table with so many decimals, or so many significant digits."""
    places, significant = list[int](), list[int]()
    for x in t:
        _, digits, exponent = Decimal(f"{x:.{DIGITS}g}").normalize().as_tuple()
        places.append(int(exponent))
        significant.append(len(digits))

    # Zeros at the end may have been left out.
    missing = max(LEAST_DIGITS - max(significant), 0)
    leading = np.floor(np.log10(t)) + 1
    finest = np.maximum(float(min(places)), leading - max(significant)) - missing
    return np.asarray((10.0**finest / t) ** 2 / 12)
