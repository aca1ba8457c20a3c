"""Sobol' indices: how much of T's variance each interval explains, alone and with its interactions.

I. M. Sobol', Mathematics and Computers in Simulation 55 (2001) 271; sampling after A. Saltelli et al., Computer Physics
Communications 181 (2010) 259, first order by their equation (b) of table 2, total by (f), after Jansen (1999).
Confidence by bootstrap over the samples (percentiles).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apet.ground import activity
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval
from apet.questions.explain.errors import BadSampleSize, NothingVaries
from apet.questions.explain.explanation import SobolIndex, SobolIndices
from apet.questions.explain.tornado import UncertainInputs

MOST_EVALUATIONS = 200_000
RESAMPLES = 500
LEVELS = (2.5, 97.5)
Floats = NDArray[np.float64]


def indices(inputs: UncertainInputs, samples: int, seed: int) -> SobolIndices:
    """Indices of T at inputs that are uniform on their intervals and independent; N a power of 2 is `samples`."""
    names = [each.name for each in inputs.inputs]
    if not names:
        raise ApetError(NothingVaries(None, None))
    evaluations = samples * (len(names) + 2)
    if samples < 2 or samples & (samples - 1):
        raise ApetError(BadSampleSize(None, None, samples, "it must be a power of 2"))
    if evaluations > MOST_EVALUATIONS:
        reason = f"with {len(names)} inputs that is {evaluations:,} evaluations, more than {MOST_EVALUATIONS:,}"
        raise ApetError(BadSampleSize(None, None, samples, reason))

    def seconds(points: Floats) -> Floats:
        rows = activity.over(points.tolist(), "drawing for the indices", "points", "take fewer samples")
        return np.array([inputs.seconds(dict(zip(names, row, strict=True))) for row in rows])

    estimates = estimated(seconds, len(names), samples, seed)
    rows = [
        SobolIndex(name, *(_clean(v) for v in (estimates[0][k], estimates[1][k], estimates[2][k], estimates[3][k])))
        for k, name in enumerate(names)
    ]
    return SobolIndices(samples, evaluations, seed, estimates[4], estimates[5], tuple(rows))


def _clean(value: Any) -> Any:
    return Interval(float(value[0]), float(value[1])) if isinstance(value, np.ndarray) else float(value)


Estimates = tuple[Floats, Floats, Floats, Floats, float, float]


def estimated(of: Callable[[Floats], Floats], inputs: int, samples: int, seed: int) -> Estimates:
    """First-order indices with their confidence, total ones with theirs, mean and standard deviation.

    `of` takes points of the unit cube, one per row, and gives a value for each. Where the values do not vary, all
    indices are 0.
    """
    from scipy.stats import qmc

    with np.errstate(divide="ignore", invalid="ignore"):
        # A and B are halves of one sequence in twice the dimensions, so that they are independent of each other
        both = qmc.Sobol(2 * inputs, scramble=True, seed=seed).random(samples)
        a, b = both[:, :inputs], both[:, inputs:]
        f_a, f_b = of(a), of(b)
        f_ab = np.array([of(_exchanged(a, b, k)) for k in range(inputs)])
        first, total = _indices(f_a, f_b, f_ab)

        # whole samples are drawn again: rows of A, B and all A_B belong together
        rng = np.random.default_rng(seed)
        again = [_indices(f_a[c], f_b[c], f_ab[:, c]) for c in rng.integers(0, samples, (RESAMPLES, samples))]
        ends = [np.percentile([pair[k] for pair in again], LEVELS, axis=0).T for k in (0, 1)]

    every = np.concatenate([f_a, f_b])
    return first, ends[0], total, ends[1], float(every.mean()), float(every.std())


def _exchanged(a: Floats, b: Floats, k: int) -> Floats:
    """A with column k of B."""
    mixed = a.copy()
    mixed[:, k] = b[:, k]
    return mixed


def _indices(f_a: Floats, f_b: Floats, f_ab: Floats) -> tuple[Floats, Floats]:
    """First-order and total indices; values are centred first, which costs nothing and loses fewer digits."""
    every = np.concatenate([f_a, f_b])
    mean, variance = every.mean(), every.var()

    # what rounding leaves of a constant is no variance
    if variance <= (1e-12 * np.abs(every).max()) ** 2:
        return np.zeros(len(f_ab)), np.zeros(len(f_ab))

    first = ((f_b - mean) * (f_ab - f_a)).mean(axis=1) / variance
    total = ((f_a - f_ab) ** 2).mean(axis=1) / (2 * variance)
    return first, total
