"""The prediction of one curve over several parameters: structures weighted by how well they explain the runs.

Their coefficients are fitted to ln t. What they leave unexplained continues beyond the runs as far as the kernel
reaches, as in kriging.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from apet.runs.fit.surface import structures as structures_of
from apet.runs.fit.surface.structures import FREEDOM, SETTINGS, UNSHARED, FitSetting, Indices, Structures
from apet.runs.fit.surface.term_library import Array, TermLibrary, TermShape

LEAST = 1e-300
FARTHEST_RESIDUAL = 3.0
"""In ln t: where a phase is all but absent, no sum can follow it."""
STEPS, LONGEST_STEP, SLACK = 4, 1.5, 1e-3
"""Of Gauss and Newton: how many, how long one may be in ln c, and what keeps terms apart that hardly matter."""


class SumTerm(NamedTuple):
    """`coefficient` seconds at the largest corner times a shape for each parameter, each 1 there."""

    coefficient: float
    shapes: tuple[TermShape, ...]


@dataclass(frozen=True, slots=True)
class Averaged:
    """ln t at the targets with the spread among structures, (targets,) each; `scale` is the misfit against what was
    expected (1 is as expected), `likeliest` the best structure."""

    logs: Array
    spread: Array
    scale: float
    likeliest: tuple[SumTerm, ...]


@dataclass(frozen=True, slots=True)
class CurveData:
    """Runs as arrays: values of parameters (points, parameters), seconds (points,), variances of ln t (points,)."""

    x: Array
    seconds: Array
    noise: Array


def averaged(
    data: CurveData, targets: Array, terms: TermLibrary, settings: Sequence[FitSetting] = SETTINGS
) -> Averaged:
    """The mean over settings of what structures predict at targets (targets, parameters)."""
    results = [_under(data, targets, terms, s) for s in settings]
    return Averaged(
        np.mean([r.logs for r in results], axis=0),
        np.mean([r.spread for r in results], axis=0),
        float(np.mean([r.scale for r in results])),
        results[0].likeliest,
    )


def _under(data: CurveData, targets: Array, terms: TermLibrary, setting: FitSetting) -> Averaged:
    z, z_targets = (np.log(x / np.array(terms.largest)) for x in (data.x, targets))
    inverse = np.asarray(np.linalg.inv(structures_of.covariance(z, data.noise, setting.discount)), dtype=np.float64)
    values, ahead = terms.values(data.x), terms.values(targets)
    priors = setting.prior * terms.weights - setting.penalty - UNSHARED * terms.unshared
    evidence = structures_of.evidence(values / data.seconds[:, None], inverse, priors)
    chosen = [s for s in structures_of.search(evidence) if len(s.scores)]

    fitted = [_in_logarithms(s, values, np.log(data.seconds), inverse) for s in chosen]
    residuals = np.concatenate([f.residuals for f in fitted])
    misfit = np.einsum("sp,pq,sq->s", residuals, inverse, residuals)
    scores = evidence.student(misfit) + np.concatenate([s.occam for s in chosen])
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()

    sums = [np.einsum("psk,sk->sp", ahead[:, f.terms], f.coefficients) for f in fitted]
    kriging = structures_of.kernel(z_targets, z) @ inverse
    logs = np.log(np.maximum(np.concatenate(sums), LEAST)) + residuals @ kriging.T
    middle = weights @ logs
    spread = np.sqrt(weights @ (logs - middle) ** 2)
    scale = float(np.sqrt(weights @ (FREEDOM + misfit) / (FREEDOM + len(z) - 1)))
    return Averaged(middle, spread, scale, _likeliest(fitted, scores, terms))


class _LogFits(NamedTuple):
    """Structures of one size, fitted to ln t: `terms` and `coefficients` (structures, size), and what is left of ln t,
    `residuals` (structures, points)."""

    terms: Indices
    coefficients: Array
    residuals: Array


def _in_logarithms(chosen: Structures, values: Array, logs: Array, inverse: Array) -> _LogFits:
    """Coefficients that fit ln t, by steps of Gauss and Newton in ln c.

    Structures are searched by errors relative to the runs, which are never below -1: they favour sums that are too
    small, and where runs differ by orders of magnitude sums of next to nothing. Errors of ln t favour none.
    """
    own = np.moveaxis(values[:, chosen.terms], 0, 1)  # (structures, points, size)
    slack = SLACK * np.eye(own.shape[2])
    coefficients = chosen.coefficients
    for _ in range(STEPS):
        shares, residuals = _shares(own, coefficients, logs)
        weighted = inverse @ shares
        gradient = np.swapaxes(weighted, 1, 2) @ residuals[:, :, None]
        change = np.linalg.solve(np.swapaxes(shares, 1, 2) @ weighted + slack, gradient)[:, :, 0]
        coefficients = coefficients * np.exp(np.clip(change, -LONGEST_STEP, LONGEST_STEP))
    return _LogFits(chosen.terms, coefficients, _shares(own, coefficients, logs)[1])


def _shares(own: Array, coefficients: Array, logs: Array) -> tuple[Array, Array]:
    """The share of each term in its sum, (structures, points, size), and what is left of ln t, (structures, points)."""
    parts = own * coefficients[:, None, :]
    sums = np.maximum(parts.sum(axis=2), LEAST)
    residuals = np.clip(logs - np.log(sums), -FARTHEST_RESIDUAL, FARTHEST_RESIDUAL)
    return parts / sums[:, :, None], residuals


def _likeliest(fitted: Sequence[_LogFits], scores: Array, terms: TermLibrary) -> tuple[SumTerm, ...]:
    best = int(np.argmax(scores))
    for each in fitted:
        if best < len(each.terms):
            return tuple(
                SumTerm(float(c), terms.term(j)) for c, j in zip(each.coefficients[best], each.terms[best], strict=True)
            )
        best -= len(each.terms)
    return ()
