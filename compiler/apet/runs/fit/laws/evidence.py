"""How well each structure explains the runs, and its coefficients.

    ln t_i = ln f_m(n_i; c) + d(ln n_i) + e_i

f_m is a sum of terms with free coefficients c, d a Gaussian process with a Matern kernel of order 3/2, e noise: that of
the class, that known of the run, and a discount of runs far from the largest. A law is pure where d is 0. The evidence
is by Laplace's method around the least squares of ln t, found by Gauss-Newton (C. E. Rasmussen and C. K. I. Williams,
Gaussian Processes for Machine Learning, 2006, sections 2.7 and 3.4); shares of terms at the largest run are uniform
before the runs are seen, and the logarithm of their sum is flat.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit.laws.structures import MOST_TERMS, Structure, basis, structures

Array = NDArray[np.float64]
REACH = 1.2
"""Of deviations, in ln n."""
STEPS = 5
LEAST = 1e-9
"""Of a run time: a law below is nowhere near it."""
RIDGE, JITTER = 1e-13, 1e-20
LEAST_SHARE = 1e-8
"""Of the largest run: a term of less is none, and its structure another one."""
CLEARLY_OFF = 0.03
"""Of ln t: a deviation that a change of regime may explain."""
NEGLIGIBLE = 1e-7
"""Of the greatest weight."""


class Residuals(NamedTuple):
    """A class of what a law leaves over, in ln t: the deviation, the noise, and the discount of far runs per unit of ln
    n; the logarithm of its prior weight."""

    deviation: float
    noise: float
    discount: float
    prior: float


PURE = {
    "size": {1e-9: 1.0, 1e-6: 1.0, 1e-4: 0.0, 0.001: -1.0, 0.003: -0.6, 0.01: 2.0},
    "procs": {1e-9: 3.0, 1e-6: 3.0, 1e-4: 2.0, 0.001: -1.0, 0.003: 0.0, 0.01: 1.0},
}
DEVIATIONS = {
    "size": {0.012: 1.3, 0.03: -0.4, 0.07: -1.5, 0.16: -0.7},
    "procs": {0.012: 0.1, 0.03: -1.4, 0.07: -2.2, 0.16: -1.2},
}
NOISES = {"size": {0.003: 0.0, 0.015: -2.1}, "procs": {0.003: 0.0, 0.015: -2.4}}
DISCOUNTS = {"size": {0.0: 0.0, 0.08: -0.5, 0.2: -1.8}, "procs": {0.0: 0.0, 0.08: -2.2, 0.2: -0.6}}
"""Logarithms of prior weights. `python -m tests.benchmarks.law_priors` prints those under which measured curves and
drawn laws are likeliest, and what both predict: with the likeliest, laws with noise are predicted worse by half."""


def classes(kind: str) -> list[Residuals]:
    """Pure laws by their noise, then laws as trends."""
    pure = [Residuals(0.0, noise, 0.0, prior) for noise, prior in PURE[kind].items()]
    trends = [
        Residuals(d, e, c, of_d + of_e + of_c)
        for d, of_d in DEVIATIONS[kind].items()
        for e, of_e in NOISES[kind].items()
        for c, of_c in DISCOUNTS[kind].items()
    ]
    return pure + trends


@dataclass(frozen=True, slots=True)
class Posterior:
    """Laws with a weight, rows; absent terms have the coefficient 0.

    exponents    (laws, terms, 2)  i and j of n^i log^j n
    coefficients (laws, terms)     seconds at the largest run
    covariance   (laws, terms, terms)
    slopes       (laws, runs, terms)  of ln f at the runs by the coefficients
    residuals    (laws, runs)      ln t less ln f
    kernels      (laws,)           number of the class
    weights      (laws,)           sum 1

    `evidence` is the logarithm of the density of ln t before the runs are seen, over all structures and classes.
    """

    kind: str
    n: Array
    exponents: Array
    coefficients: Array
    covariance: Array
    slopes: Array
    residuals: Array
    kernels: NDArray[np.int64]
    inverses: Array
    weights: Array
    evidence: float

    @property
    def bent(self) -> float:
        """The probability that the runs leave every law clearly, or the small ones do."""
        far = np.array([c.deviation >= CLEARLY_OFF or c.discount > 0 for c in classes(self.kind)])
        return float(self.weights[far[self.kernels]].sum())

    @property
    def pure(self) -> NDArray[np.bool_]:
        """Which laws are pure, (laws,)."""
        return self.kernels < len(PURE[self.kind])


class _Covariances(NamedTuple):
    """Of the residuals of each class: inverse (classes, runs, runs), logarithm of the determinant (classes,)."""

    inverse: Array
    logdet: Array


class _Fits(NamedTuple):
    """Of structures with the same number of terms: which, coefficients, normal matrices, slopes, residuals, score."""

    chosen: list[int]
    coefficients: Array
    normal: Array
    slopes: Array
    residuals: Array
    score: Array


def posterior(kind: str, n: Array, logs: Array, known: Array) -> Posterior:
    """All structures under all classes, by their evidence; n ascending, `known` the variance of ln t by run."""
    rows = structures(kind, bool(n[0] >= 1 and n[-1] > 1))
    residuals = classes(kind)
    covariances = _covariances(np.log(n / n[-1]), known, residuals)
    prior = np.array([r.prior for r in residuals])
    groups = sorted({(len(r.terms), r.below) for r in rows if len(r.terms) <= len(n)})
    with np.errstate(all="ignore"):
        fits = [_fitted(rows, *group, n, logs, covariances, len(PURE[kind])) for group in groups]

    totals = [f.score + prior + np.array([rows[m].prior for m in f.chosen])[:, None] for f in fits]
    best = max(float(t.max()) for t in totals)
    kept = [np.nonzero(t > best + math.log(NEGLIGIBLE)) for t in totals]
    weights = np.concatenate([np.exp(t[k] - best) for t, k in zip(totals, kept, strict=True)])
    exponents = np.concatenate([_exponents(rows, f, k[0]) for f, k in zip(fits, kept, strict=True)])

    def picked(values: Sequence[Array], *axes: int) -> Array:
        return np.concatenate([_pad(v[k], axes) for v, k in zip(values, kept, strict=True)])

    return Posterior(
        kind=kind,
        n=n,
        exponents=exponents,
        coefficients=picked([f.coefficients for f in fits], 1),
        covariance=np.concatenate([_pad(_inverted(f.normal[k]), (1, 2)) for f, k in zip(fits, kept, strict=True)]),
        slopes=picked([f.slopes for f in fits], 2),
        residuals=picked([f.residuals for f in fits]),
        kernels=np.concatenate([k[1] for k in kept]),
        inverses=covariances.inverse,
        weights=weights / weights.sum(),
        evidence=best + math.log(float(weights.sum())) - _total(prior) - _total(np.array([r.prior for r in rows])),
    )


def _total(logs: Array) -> float:
    """The logarithm of a sum."""
    return float(np.logaddexp.reduce(logs))


def _exponents(rows: Sequence[Structure], fits: _Fits, which: NDArray[np.int64]) -> Array:
    terms = np.array([rows[m].terms for m in fits.chosen], dtype=float)
    return _pad(terms[which], (1,))


def _pad(values: Array, axes: tuple[int, ...]) -> Array:
    room = [(0, MOST_TERMS - size if axis in axes else 0) for axis, size in enumerate(values.shape)]
    return np.pad(values, room)


def _inverted(normal: Array) -> Array:
    """Inverses of positive definite matrices; nearly singular ones lose what the runs do not tell."""
    finite = np.where(np.isfinite(normal), normal, 0.0)
    return np.asarray(np.linalg.pinv(finite, hermitian=True))


def matern(distance: Array) -> Array:
    """The kernel at distances in ln n, 1 at 0."""
    q = math.sqrt(3) * np.abs(distance) / REACH
    return np.asarray((1 + q) * np.exp(-q))


def _covariances(z: Array, known: Array, residuals: Sequence[Residuals]) -> _Covariances:
    deviation, noise, discount = (np.array([r[k] for r in residuals])[:, None] for k in range(3))
    inner = deviation[:, :, None] ** 2 * matern(z[:, None] - z)
    inner = inner + np.eye(len(z)) * (noise**2 + known + (discount * z) ** 2 + JITTER)[:, None, :]
    return _Covariances(np.asarray(np.linalg.inv(inner)), np.asarray(np.linalg.slogdet(inner)[1]))


def _fitted(
    rows: Sequence[Structure], count: int, below: bool, n: Array, logs: Array, within: _Covariances, pure: int
) -> _Fits:
    """Structures of so many terms: least squares of relative errors, then Gauss-Newton in ln t."""
    chosen = [m for m, r in enumerate(rows) if (len(r.terms), r.below) == (count, below)]
    x = np.stack([basis(n, float(n[-1]), rows[m].terms) for m in chosen])
    t, ridge = np.exp(logs), RIDGE * np.eye(count)
    relative = x / t[:, None]
    left = np.einsum("mkp,hkl->mhpl", relative, within.inverse)
    normal = np.einsum("mhpl,mlq->mhpq", left, relative)
    c = _solved(normal, left.sum(axis=-1), ridge)
    good = (c[..., 0] < 0) & (c[..., 1:] > 0).all(axis=-1) if below else (c > 0).all(axis=-1)
    good &= (np.einsum("mhp,mkp->mhk", c, x) > 0).all(axis=-1)
    c = np.where(good[..., None], c, float(t[-1]) / count)

    for step in range(STEPS):
        f = np.maximum(np.einsum("mhp,mkp->mhk", c, x), LEAST * t)
        rest, slopes = logs - np.log(f), x[:, None] / f[..., None]
        left = np.einsum("mhkp,hkl->mhpl", slopes, within.inverse)
        normal = left @ slopes
        if step < STEPS - 1:
            move = _solved(normal, np.einsum("mhpl,mhl->mhp", left, rest), ridge)
            c = _moved(c, move, x, below, first=step == 0)
    good &= np.isfinite(rest).all(axis=-1)
    score = np.where(good, _evidence(c, rest, normal, within, below), -np.inf)
    if count >= len(n):
        score[:, :pure] = -np.inf  # a sum through all runs shows nothing
    return _Fits(chosen, c, normal, slopes, rest, score)


def _solved(normal: Array, right: Array, ridge: Array) -> Array:
    scale = np.einsum("mhpp->mh", normal)[..., None, None]
    safe = np.where(np.isfinite(normal).all(axis=(-1, -2), keepdims=True), normal + scale * ridge, np.eye(len(ridge)))
    return np.asarray(np.linalg.solve(safe + 1e-300 * np.eye(len(ridge)), right[..., None])[..., 0])


def _moved(c: Array, move: Array, x: Array, below: bool, *, first: bool) -> Array:
    """A step that keeps the law above 0: coefficients stay positive but for a constant below 0."""
    if below:
        bad = (np.einsum("mhp,mkp->mhk", c + move, x) <= 0).any(axis=-1)
        return np.where(bad[..., None], c, c + move)
    if first:
        return np.asarray(c * np.exp(np.clip(move / c, -2, 2)))
    return np.where(c + move > 0, c + move, c * 0.2)


def _evidence(c: Array, rest: Array, normal: Array, within: _Covariances, below: bool) -> Array:
    """Its logarithm, (structures, classes); minus infinity where a coefficient has no place in its structure."""
    count, whole = c.shape[-1], c.sum(axis=-1)
    misfit = np.einsum("mhk,hkl,mhl->mh", rest, within.inverse, rest)
    sign, curved = np.linalg.slogdet(np.where(np.isfinite(normal), normal, 0.0))
    sensible = c[..., 0] < 0 if below else (c > LEAST_SHARE * whole[..., None]).all(axis=-1)
    value = -0.5 * (misfit + within.logdet + curved) + 0.5 * (count - 1) * math.log(2 * math.pi)
    value = value - count * np.log(np.maximum(whole, 1e-300)) + math.lgamma(count)
    return np.where((sign > 0) & (whole > 0) & sensible & np.isfinite(value), value, -np.inf)
