"""Which sums of terms explain the runs: a search from one term to three, scored by the evidence of each sum.

A structure is a set of terms with positive coefficients. Errors are relative; their covariance K holds what no sum
explains (a Matérn kernel over the logarithms of the parameters), the noise of the runs, and a discount for runs far
from the largest corner, where small terms of no consequence there still matter. The score is a Student likelihood with
an Occam factor (D. MacKay, Bayesian interpolation, 1992). Adding a term to a structure is a step of block elimination,
so that no fit touches the runs again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.runs.fit.surface.term_library import Array

Indices = NDArray[np.intp]

MODEL_ERROR, MODEL_LENGTH = 0.10, 1.3
"""Of the kernel: standard deviation in ln t, length in ln x."""
NOISE = 0.015
FREEDOM = 3.0
WIDTH = 0.5
OCCAM = 0.5
UNSHARED = 1.5
RIDGE = 1e-9
KEPT = (120, 60)
"""Structures that are extended by a term, of one and of two terms."""
OF_EACH_SIZE = 150
CLOSE = 8.0
"""Structures whose score is so far below the best one do not count."""


class FitSetting(NamedTuple):
    """How much runs far from the largest corner are discounted, how strongly prior weights count, and what a further
    term costs."""

    discount: float
    prior: float
    penalty: float


SETTINGS = (FitSetting(0.05, 3.0, 3.5), FitSetting(0.08, 2.0, 3.0))


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the runs say about all terms: the Gram matrix of relative terms under the inverse covariance."""

    gram: Array  #: (terms, terms)
    product: Array  #: (terms,), of the terms with the runs
    total: float  #: of the runs with themselves
    scaled: Array  #: the Gram matrix in units of the prior widths of coefficients, (terms, terms)
    priors: Array  #: (terms,)
    count: int  #: of runs

    def student(self, misfit: Array) -> Array:
        """The logarithm of the likelihood."""
        return np.asarray(-(FREEDOM + self.count - 1) / 2 * np.log(FREEDOM + misfit))


@dataclass(frozen=True, slots=True)
class Structures:
    """Sets of terms of one size: `terms` and `coefficients` (structures, size), `scores`, and `occam` without the
    likelihood, (structures,)."""

    terms: Indices
    coefficients: Array
    scores: Array
    occam: Array


class _Partial(NamedTuple):
    """Structures on the way, best first, with what a further term needs: the inverses of their blocks, of the Gram
    matrix and of the Occam factor."""

    terms: Indices  # (n, size)
    inverse: Array  # (n, size, size)
    coefficients: Array  # (n, size)
    misfit: Array  # (n,)
    occam_inverse: Array  # (n, size, size)
    occam: Array  # (n,), prior and Occam factor

    def first(self, most: int) -> _Partial:
        """The best so many."""
        return self._replace(
            terms=self.terms[:most],
            inverse=self.inverse[:most],
            coefficients=self.coefficients[:most],
            misfit=self.misfit[:most],
            occam_inverse=self.occam_inverse[:most],
            occam=self.occam[:most],
        )

    def finished(self, evidence: Evidence) -> Structures:
        """With their scores."""
        scores = evidence.student(self.misfit) + self.occam
        return Structures(self.terms, self.coefficients, scores, self.occam)


def covariance(z: Array, noise: Array, discount: float) -> Array:
    """Of relative errors, (points, points): z = ln(x / largest), `noise` are variances."""
    distances = (z**2).sum(axis=1)
    return np.asarray(kernel(z, z) + np.diag(NOISE**2 + noise + discount**2 * distances))


def kernel(a: Array, b: Array) -> Array:
    """A Matérn kernel of order 3/2 over the distances of points in ln x."""
    scaled = np.sqrt(3.0) * np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(axis=2)) / MODEL_LENGTH
    return np.asarray(MODEL_ERROR**2 * (1.0 + scaled) * np.exp(-scaled))


def evidence(relative: Array, inverse: Array, priors: Array) -> Evidence:
    """Of terms relative to the runs, (points, terms), under an inverse covariance."""
    weighted = inverse @ relative
    gram = relative.T @ weighted
    gram[np.diag_indices_from(gram)] *= 1.0 + RIDGE
    widths = WIDTH / np.maximum(relative.max(axis=0), 1e-300)
    scaled = gram * widths[:, None] * widths
    return Evidence(gram, weighted.sum(axis=0), float(inverse.sum()), scaled, priors, len(relative))


def search(evidence: Evidence) -> list[Structures]:
    """The structures of one, two and three terms that matter, each set once."""
    level = _extended(evidence, _empty(evidence))
    chosen = [level.finished(evidence)]
    for width in KEPT:
        if not len(level.terms):
            break
        level = _extended(evidence, level.first(width))
        chosen.append(level.finished(evidence))

    top = max((float(s.scores.max()) for s in chosen if len(s.scores)), default=-np.inf)
    return [_subset(s, np.flatnonzero(s.scores > top - CLOSE)) for s in chosen]


def _empty(evidence: Evidence) -> _Partial:
    none = np.zeros((1, 0, 0))
    misfit = np.array([evidence.total])
    return _Partial(np.zeros((1, 0), dtype=np.intp), none, np.zeros((1, 0)), misfit, none, np.zeros(1))


def _extended(evidence: Evidence, base: _Partial) -> _Partial:
    """The best of each structure with each further term: all are scored, few are kept."""
    gram, product = evidence.gram, evidence.product
    diagonal = np.diagonal(gram)
    border = gram[base.terms]  # (structures, size, terms)
    solved = base.inverse @ border
    rest = diagonal - np.einsum("bst,bst->bt", border, solved)
    ahead = product - np.einsum("bst,bs->bt", solved, product[base.terms])

    scaled = evidence.scaled[base.terms]
    occam_rest = 1.0 + np.diagonal(evidence.scaled) - np.einsum("bst,bst->bt", scaled, base.occam_inverse @ scaled)
    with np.errstate(all="ignore"):
        coefficient = ahead / rest
        misfit = np.maximum(base.misfit[:, None] - ahead * coefficient, 0.0)
        occam = base.occam[:, None] + evidence.priors - OCCAM / 2 * np.log(occam_rest)
        scores = evidence.student(misfit) + occam
        sound = (coefficient > 0) & (rest > 10 * RIDGE * diagonal) & np.isfinite(scores)
        sound &= (base.coefficients[:, :, None] > solved * coefficient[:, None, :]).all(axis=1)
    sound[np.arange(len(base.terms))[:, None], base.terms] = False

    row, new = _distinct(base.terms, np.where(sound, scores, -np.inf))
    return _bordered(evidence, base, row, new)


def _distinct(terms: Indices, scores: Array) -> tuple[Indices, Indices]:
    """Structure and further term of the best scores, best first, each set once."""
    count, size = scores.shape[1], terms.shape[1] + 1
    most = min(OF_EACH_SIZE * size, scores.size)
    flat = scores.ravel()
    order = np.argpartition(-flat, most - 1)[:most]
    order = order[np.argsort(-flat[order], kind="stable")]
    order = order[np.isfinite(flat[order])]
    row, new = order // count, order % count
    sets = np.sort(np.column_stack([terms[row], new]), axis=1)
    _, first = np.unique(sets @ (count ** np.arange(size)), return_index=True)
    keep = np.sort(first)[:OF_EACH_SIZE]
    return row[keep], new[keep]


def _bordered(evidence: Evidence, base: _Partial, row: Indices, new: Indices) -> _Partial:
    """The structures `row` of the base with the term `new` each, by block elimination."""
    terms = base.terms[row]
    border = evidence.gram[terms, new[:, None]]
    inverse, solved, rest = _border(base.inverse[row], border, evidence.gram[new, new])
    ahead = evidence.product[new] - (solved * evidence.product[terms]).sum(axis=1)
    coefficient = ahead / rest
    own = base.coefficients[row] - solved * coefficient[:, None]
    misfit = np.maximum(base.misfit[row] - ahead * coefficient, 0.0)

    scaled, corner = evidence.scaled[terms, new[:, None]], 1.0 + evidence.scaled[new, new]
    occam_inverse, _, occam_rest = _border(base.occam_inverse[row], scaled, corner)
    occam = base.occam[row] + evidence.priors[new] - OCCAM / 2 * np.log(occam_rest)
    coefficients = np.column_stack([own, coefficient])
    return _Partial(np.column_stack([terms, new]), inverse, coefficients, misfit, occam_inverse, occam)


def _border(inverse: Array, border: Array, corner: Array) -> tuple[Array, Array, Array]:
    """Inverses of bordered matrices, what the border solves to, and the Schur complements."""
    count, size = border.shape
    solved = (inverse @ border[:, :, None])[:, :, 0] if size else np.zeros((count, 0))
    rest = corner - (border * solved).sum(axis=1)
    over = 1.0 / rest
    larger = np.empty((count, size + 1, size + 1))
    larger[:, :size, :size] = inverse + solved[:, :, None] * solved[:, None, :] * over[:, None, None]
    larger[:, :size, size] = larger[:, size, :size] = -solved * over[:, None]
    larger[:, size, size] = over
    return larger, solved, rest


def _subset(structures: Structures, rows: Indices) -> Structures:
    s = structures
    return Structures(s.terms[rows], s.coefficients[rows], s.scores[rows], s.occam[rows])
