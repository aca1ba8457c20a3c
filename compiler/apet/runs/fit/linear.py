"""Laws that are linear in their coefficients, all of which are 0 or more: Amdahl's, Gunther's, a power with a constant.

G. M. Amdahl, 1967: T(p) = serial + parallel / p. N. J. Gunther, 1993 (universal scalability law): T(p) = T(1) (1 +
sigma (p - 1) + kappa p (p - 1)) / p, linear in T(1), T(1) sigma and T(1) kappa; here p is counted in multiples of the
smallest run. Relative errors are minimised.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.ground.notes import Note, NoteKind
from apet.runs.fit.student import prediction, quantile
from apet.runs.measurements import Curve, Extrapolation
from apet.runs.scaling_laws import Power, Sum, seconds

Array = NDArray[np.float64]
POOR_FIT = 0.1
"""Relative: root mean square of errors on the runs themselves from which trust is low."""
LEAST_ERROR = 0.01
"""Relative: runs repeat no better than to one per cent."""


class Nonnegative(NamedTuple):
    """Coefficients, and the mean square of relative errors."""

    coefficients: Array
    error: float


def nonnegative(columns: Array, t: Array) -> Nonnegative:
    """Coefficients of 0 or more of at most three columns that minimise the relative errors: the best of all subsets."""
    scaled = columns / t[:, None]
    best = Nonnegative(np.zeros(columns.shape[1]), 1.0)
    for count in range(1, columns.shape[1] + 1):
        for chosen in combinations(range(columns.shape[1]), count):
            part = scaled[:, chosen]
            solution, *_ = np.linalg.lstsq(part, np.ones(len(t)), rcond=None)
            error = float(np.mean((part @ solution - 1.0) ** 2))
            if solution.min() >= 0 and error < best.error - 1e-15:
                coefficients = np.zeros(columns.shape[1])
                coefficients[list(chosen)] = solution
                best = Nonnegative(coefficients, error)

    return best


def amdahl(curve: Curve, targets: Sequence[float]) -> Extrapolation:
    """Serial seconds and parallel seconds."""
    return _processors("amdahl", curve, targets, (-1.0, 0.0), ("parallel seconds", "serial seconds"))


def universal(curve: Curve, targets: Sequence[float]) -> Extrapolation:
    """Gunther's universal scalability law: contention and coherency."""
    n, t = curve.arrays()
    base, times = float(n[0]), n / n[0]
    best = nonnegative(np.stack([1 / times, (times - 1) / times, times - 1], axis=1), t)
    first, second, third = (float(c) for c in best.coefficients)
    law = Sum((Power((first - second) * base, -1.0), Power(second - third, 0.0), Power(third / base, 1.0)))
    fit = {f"T({base:.6g})": first} | ({"sigma": second / first, "kappa": third / first} if first else {})
    return assembled("usl", curve, targets, law, {"whole": fit}, 3, best.error)


def _processors(
    method: str, curve: Curve, targets: Sequence[float], exponents: Sequence[float], names: Sequence[str]
) -> Extrapolation:
    n, t = curve.arrays()
    best = nonnegative(np.stack([n**e for e in exponents], axis=1), t)
    law = Sum(tuple(Power(float(c), e) for c, e in zip(best.coefficients, exponents, strict=True)))
    fit = dict(zip(names, map(float, best.coefficients), strict=True))
    return assembled(method, curve, targets, law, {"whole": fit}, len(exponents), best.error)


def assembled(
    method: str,
    curve: Curve,
    targets: Sequence[float],
    law: Sum,
    fit: dict[str, dict[str, float]],
    parameters: int,
    error: float,
) -> Extrapolation:
    """Predictions of a law; the interval grows with its misfit and with the distance from the runs."""
    count = len(curve.runs)
    freedom = max(count - parameters, 1)
    scale = max(math.sqrt(error * count / freedom), LEAST_ERROR)

    largest, smallest = curve.runs[-1].n, curve.runs[0].n
    predictions = []
    for x in targets:
        away = max(math.log(x / largest), math.log(smallest / x), 0.0) / max(math.log(largest / smallest), 1e-9)
        spread = scale * math.sqrt(1.0 + 1.0 / count + (2.0 * away) ** 2)
        t = max(seconds(law, x), 0.0)
        predictions.append(prediction(x, t, spread, quantile(freedom)))

    rms = math.sqrt(error)
    flags = (Note(NoteKind.FIT, f"relative errors of {rms:.0%} on the runs themselves"),) if rms > POOR_FIT else ()
    trust = "low" if rms > POOR_FIT else "high" if rms < POOR_FIT / 4 and freedom > 1 else "fair"
    described = {name: values | {"rms of relative errors": rms} for name, values in fit.items()}
    return Extrapolation(method, trust, flags, tuple(predictions), described, law)
