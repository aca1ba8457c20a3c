"""ln t at targets by laws that may hold exactly, mixed with a blend by the probability that one of them does.

The probability is the weight of pure laws. The 90 % interval has the quantiles of the mixture: pure laws are off by a
normal error, all else by the errors of measured curves (`recipe.QUANTILES`), in units of an uncertainty of its own.
Constants were found on `tests/data/scaling` and on laws drawn by `tests.benchmarks.laws`, and judged on other laws.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit.blend import line
from apet.runs.fit.laws.evidence import Posterior, classes, matern, posterior
from apet.runs.fit.laws.noise import centres
from apet.runs.fit.laws.structures import basis, scale_of_logarithm
from apet.runs.fit.recipe import HIGH, LEVELS, LIKELY_LAW, LOW, QUANTILES
from apet.runs.measurements import Curve, Run
from apet.runs.scaling_laws import Power, Sum

Array = NDArray[np.float64]
MOST_RUNS = 32
"""More are thinned out: the time of a fit grows with their cube."""
FLOOR = 0.003
"""Of ln t: no run repeats better."""
ODDS = {"size": (0.9, 0.0), "procs": (-1.5, -2.5), "between": (-6.0, -6.0)}
"""Added to the logarithm of the odds of pure laws, for the prediction and for the interval. Real programs leave their
law beyond the runs more often than the runs show; between runs there is little to leave."""
REPEATED = (2.0, 1.0)
"""Added over sizes where repetitions show the noise, so that a deviation cannot hide in it."""
SPREAD = {"size": (0.5, 0.25, 0.0), "procs": (0.5, 0.0, 0.25)}
"""Powers of the spread among laws, the distance from the log-log line, and the width of the blend's own interval, whose
product is the uncertainty of what is no pure law."""
ENDS = {"size": (-0.93, 2.82), "procs": (-1.26, 1.95)}
UNIT = {"size": 6.1, "procs": 5.5}
LEAST_SPREAD, LEAST_DISTANCE, WIDEST = 0.004, 0.03, 0.8
CHUNK = 64
ROUNDS = 45
TINY = 1e-300


@dataclass(frozen=True, slots=True)
class LogRange:
    """ln t at targets: the prediction and the ends of its 90 % interval, (targets,) each."""

    mean: Array
    low: Array
    high: Array


@dataclass(frozen=True, slots=True)
class MixedLaws:
    """`mixed` is the prediction; `law` that of pure laws alone, None where none is likely; `share` how much these count
    beyond the runs; `spread` the standard deviation of ln t by pure laws."""

    mixed: LogRange
    law: LogRange | None
    share: float
    spread: Array


def fitted(curve: Curve) -> Posterior:
    """The laws of a curve, as remembered."""
    return _fitted(curve.kind, tuple((r.n, r.t, r.repetitions) for r in curve.runs))


@lru_cache(maxsize=32)
def _fitted(kind: str, runs: tuple[tuple[float, float, tuple[float, ...]], ...]) -> Posterior:
    if len(runs) > MOST_RUNS:
        runs = tuple(runs[round(k * (len(runs) - 1) / (MOST_RUNS - 1))] for k in range(MOST_RUNS))
    logs, known = centres([Run(*run) for run in runs])
    return posterior(kind, np.array([n for n, *_ in runs], dtype=float), logs, known)


def mixed_with(curve: Curve, at: Array, blend: LogRange) -> MixedLaws:
    """The blend, drawn towards pure laws as far as these are likely."""
    laws = fitted(curve)
    pure = laws.pure
    means, variances = _predicted(laws, at)
    noise = np.array([c.noise for c in classes(curve.kind)])[laws.kernels]
    beyond = at >= laws.n[-1]

    # What is no pure law: the blend, with the spread of laws that deviate.
    width = _spread_of_trends(laws, means, variances + noise[:, None] ** 2, blend)
    n, t = curve.arrays()
    distance = np.abs(line(np.log(n / n[-1]), np.log(t), np.log(at / n[-1])) - blend.mean) + LEAST_DISTANCE
    a, b, c = SPREAD[curve.kind]
    own = ((blend.high - blend.low) / UNIT[curve.kind]) ** c
    spread = np.minimum(WIDEST, np.maximum(width, LEAST_SPREAD) ** a * distance**b * own)
    below = np.where(beyond, ENDS[curve.kind][0] * spread, blend.low - blend.mean)
    above = np.where(beyond, ENDS[curve.kind][1] * spread, blend.high - blend.mean)

    # The mixture.
    own_means, weights = means[pure], laws.weights[pure]
    deviations = np.sqrt(variances[pure] + noise[pure][:, None] ** 2 + FLOOR**2)
    for_point, for_interval = (_shares(laws, curve, beyond, which) for which in (0, 1))
    places = np.array(QUANTILES[curve.kind])
    tables = blend.mean[:, None] + np.where(
        places < 0, -places / places[1] * -below[:, None], places / places[9] * above[:, None]
    )
    mean, law, sd = blend.mean, None, np.zeros_like(at)
    if len(weights):
        average, sd = _average(weights, own_means, deviations**2)
        mean = (1 - for_point) * blend.mean + for_point * average
        law = _range(average, np.ones_like(at), weights, own_means, deviations, tables)
    mixed = _range(mean, for_interval, weights, own_means, deviations, tables)
    return MixedLaws(mixed, law, _share(laws, curve, curve.kind, 0), sd)


def by_pure_laws(curve: Curve, at: Array) -> tuple[Array, Array] | None:
    """Mean and standard deviation of ln t, (targets,) each, of runs that follow a law for all that they show, else
    None."""
    laws = fitted(curve)
    if float(laws.weights[laws.pure].sum()) < LIKELY_LAW:
        return None
    means, variances = (values[laws.pure] for values in _predicted(laws, at))
    noise = np.array([c.noise for c in classes(curve.kind)])[laws.kernels[laws.pure]]
    return _average(laws.weights[laws.pure], means, variances + noise[:, None] ** 2 + FLOOR**2)


def _average(weights: Array, means: Array, variances: Array) -> tuple[Array, Array]:
    """Mean and standard deviation of a mixture at each target."""
    mean = weights @ means / weights.sum()
    return mean, np.sqrt(weights @ (variances + (means - mean) ** 2) / weights.sum())


def _predicted(laws: Posterior, at: Array) -> tuple[Array, Array]:
    """Mean and variance of ln t by each law without noise, (laws, targets)."""
    parts = [_predicted_few(laws, at[k : k + CHUNK]) for k in range(0, len(at), CHUNK)]
    if not parts:
        return np.zeros((len(laws.weights), 0)), np.zeros((len(laws.weights), 0))
    means, variances = zip(*parts, strict=True)
    return np.concatenate(means, axis=1), np.concatenate(variances, axis=1)


def _predicted_few(laws: Posterior, at: Array) -> tuple[Array, Array]:
    largest, z, there = laws.n[-1], np.log(laws.n / laws.n[-1]), np.log(at / laws.n[-1])
    i, j = laws.exponents[:, None, :, 0], laws.exponents[:, None, :, 1]
    logs = np.maximum(np.log(np.maximum(at, 1.0)), 0.0)[None, :, None] / scale_of_logarithm(float(largest))
    terms = (at[None, :, None] / largest) ** i * logs**j
    values = np.maximum(np.einsum("wp,wtp->wt", laws.coefficients, terms), 1e-300)

    # The deviation is known near the runs, and moves with the coefficients.
    deviation = np.array([c.deviation for c in classes(laws.kind)])
    cross = deviation[:, None, None] ** 2 * matern(there[:, None] - z)
    reach = cross @ laws.inverses
    prior = deviation[:, None] ** 2 - np.einsum("htl,htl->ht", reach, cross)
    gradient = terms / values[..., None] - np.einsum("wtl,wlp->wtp", reach[laws.kernels], laws.slopes)
    variance = prior[laws.kernels] + np.einsum("wtp,wpq,wtq->wt", gradient, laws.covariance, gradient)
    means = np.log(values) + np.einsum("wtl,wl->wt", reach[laws.kernels], laws.residuals)
    return means, np.maximum(variance, 1e-14)


def _spread_of_trends(laws: Posterior, means: Array, variances: Array, blend: LogRange) -> Array:
    """The standard deviation of ln t by laws that deviate, (targets,)."""
    trends = laws.weights * ~laws.pure
    if trends.sum() <= 0:
        return np.full_like(blend.mean, FLOOR)
    middle = np.clip(trends @ means / trends.sum(), blend.mean - 1, blend.mean + 1)
    return np.asarray(np.sqrt(trends @ (variances + (means - middle) ** 2) / trends.sum()))


def _shares(laws: Posterior, curve: Curve, beyond: NDArray[np.bool_], which: int) -> Array:
    return np.where(beyond, *(_share(laws, curve, kind, which) for kind in (curve.kind, "between")))


def _share(laws: Posterior, curve: Curve, kind: str, which: int) -> float:
    """The probability of pure laws for a prediction (0) or an interval (1)."""
    odds = ODDS[kind][which]
    if kind == "size" and min(len(r.repetitions) for r in curve.runs) > 1:
        odds += REPEATED[which]
    pure = float(laws.weights[laws.pure].sum()) * math.exp(odds)
    return pure / (pure + float(laws.weights[~laws.pure].sum())) if pure else 0.0


def _range(mean: Array, share: Array, weights: Array, means: Array, deviations: Array, tables: Array) -> LogRange:
    """Quantiles of the mixture by bisection, at all targets at once."""
    lowest, highest = tables.min(axis=1), tables.max(axis=1)
    if len(weights):
        lowest, highest = np.minimum(lowest, means.min(axis=0)), np.maximum(highest, means.max(axis=0))
    ends = []
    for level in (LOW, HIGH):
        a, b = lowest - 1, highest + 1
        for _ in range(ROUNDS):
            x = (a + b) / 2
            own = weights @ _normal((x - means) / deviations) / weights.sum() if len(weights) else 0.0
            others = np.array([np.interp(v, row, LEVELS, left=0, right=1) for v, row in zip(x, tables, strict=True)])
            under = share * own + (1 - share) * others < level
            a, b = np.where(under, x, a), np.where(under, b, x)
        ends.append((a + b) / 2)
    return LogRange(mean, np.minimum(ends[0], mean), np.maximum(ends[1], mean))


def _normal(x: Array) -> Array:
    """The normal distribution to 1e-7 (M. Abramowitz and I. A. Stegun, 1964, 26.2.17)."""
    u = 1 / (1 + 0.2316419 * np.abs(x))
    series = 0.319381530 + u * (-0.356563782 + u * (1.781477937 + u * (-1.821255978 + u * 1.330274429)))
    tail = np.exp(-0.5 * x * x) / math.sqrt(2 * math.pi) * u * series
    return np.where(x > 0, 1 - tail, tail)


def likeliest(curve: Curve) -> Sum:
    """The structure of the greatest weight, pure laws counted as for predictions, with its likeliest coefficients."""
    laws = fitted(curve)
    share, pure = _share(laws, curve, curve.kind, 0), float(laws.weights[laws.pure].sum())
    raised = laws.weights * np.where(laws.pure, share / max(pure, TINY), (1 - share) / max(1 - pure, TINY))
    sums = dict[bytes, float]()
    for row, weight in zip(laws.exponents, raised, strict=True):
        sums[row.tobytes()] = sums.get(row.tobytes(), 0.0) + float(weight)

    structure = max(sums, key=lambda key: sums[key])
    same = [k for k, row in enumerate(laws.exponents) if row.tobytes() == structure]
    best = max(same, key=lambda k: float(raised[k]))
    present = laws.coefficients[best] != 0
    exponents = [(float(i), int(j)) for i, j in laws.exponents[best][present]]
    coefficients = _refitted(curve, exponents, laws.coefficients[best][present])
    largest = float(laws.n[-1])
    log = scale_of_logarithm(largest)
    terms = zip(coefficients, exponents, strict=True)
    return Sum(tuple(Power(float(c) * largest**-i / log**j, i, j) for c, (i, j) in terms))


def _refitted(curve: Curve, exponents: Sequence[tuple[float, int]], coefficients: Array) -> Array:
    """Least squares of relative errors, where no coefficient changes its sign: a trend is not drawn to the runs."""
    n, t = curve.arrays()
    terms = basis(n, float(n[-1]), exponents) / t[:, None]
    found = np.linalg.lstsq(terms, np.ones_like(t), rcond=None)[0]
    return np.asarray(found if (np.sign(found) == np.sign(coefficients)).all() else coefficients)
