"""The prediction of one curve over several parameters: structures weighted by how well they explain the runs.

What the structures leave unexplained continues beyond the runs as far as the kernel reaches, as in kriging.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from apet.runs.fit.surface import structures as structures_of
from apet.runs.fit.surface.structures import FREEDOM, SETTINGS, UNSHARED, FitSetting, Structures
from apet.runs.fit.surface.term_library import Array, TermLibrary, TermShape

LEAST = 1e-300
FARTHEST_RESIDUAL = 3.0
"""In ln t: where a phase is all but absent, no sum can follow it."""


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
    chosen = structures_of.search(evidence)

    kriging = structures_of.kernel(z_targets, z) @ inverse
    parts = [_predictions(s, values, ahead, np.log(data.seconds), inverse, kriging) for s in chosen if len(s.scores)]
    misfit = np.concatenate([p[1] for p in parts])
    logs = np.concatenate([p[0] for p in parts])
    occam = np.concatenate([s.occam for s in chosen if len(s.scores)])
    scores = evidence.student(misfit) + occam
    weights = np.exp(scores - scores.max())
    weights /= weights.sum()
    middle = weights @ logs
    spread = np.sqrt(weights @ (logs - middle) ** 2)
    scale = float(np.sqrt(weights @ (FREEDOM + misfit) / (FREEDOM + len(z) - 1)))
    return Averaged(middle, spread, scale, _likeliest(chosen, scores, terms))


def _predictions(
    chosen: Structures, values: Array, ahead: Array, logs: Array, inverse: Array, kriging: Array
) -> tuple[Array, Array]:
    """ln t of each structure at the targets, and its misfit in logarithms."""
    fits = np.einsum("psk,sk->sp", values[:, chosen.terms], chosen.coefficients)
    beyond = np.einsum("psk,sk->sp", ahead[:, chosen.terms], chosen.coefficients)
    residuals = logs - np.log(np.maximum(fits, LEAST))
    residuals = np.clip(residuals, -FARTHEST_RESIDUAL, FARTHEST_RESIDUAL)
    weights = inverse.sum(axis=0)
    shift = residuals @ weights / weights.sum()
    residuals = residuals - shift[:, None]
    misfit = np.einsum("sp,pq,sq->s", residuals, inverse, residuals)
    return np.log(np.maximum(beyond, LEAST)) + shift[:, None] + residuals @ kriging.T, misfit


def _likeliest(chosen: Sequence[Structures], scores: Array, terms: TermLibrary) -> tuple[SumTerm, ...]:
    best = int(np.argmax(scores))
    for each in chosen:
        if best < len(each.scores):
            return tuple(
                SumTerm(float(c), terms.term(j)) for c, j in zip(each.coefficients[best], each.terms[best], strict=True)
            )
        best -= len(each.scores)
    return ()
