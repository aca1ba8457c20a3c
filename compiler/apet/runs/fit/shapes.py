"""The shapes that run times over sizes or processors may have, relative to the largest run, and what their prior
weights depend on.

Over sizes: a part that does not grow, and one that grows like n^a log^j n. Over processors: a part that parallelises,
one that does not, and an overhead that grows with their number or its logarithm (G. M. Amdahl, 1967; G. H. Gunther,
1993). With r = n / nl, z = ln r and w the share of the growing part in the largest run:

    size       v = (1 - w) + w r^a (1 + z / ln nl)^j
    processors v = (1 - c - g) / r + c + g r    or with 1 + z / max(ln nl, 0.3) in the place of the last r
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LEAST_LOGARITHM = 0.02
EXPONENTS = tuple(k / 4 for k in range(1, 17))
SHARES = (0, 0.1, 0.25, 0.4, 0.6, 0.75, 0.85, 0.93, 0.98, 1, 1.03, 1.1, 1.2, 1.35)
SERIAL = (0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 1)
OVERHEAD = (0, 0.01, 0.04, 0.1, 0.2, 0.4, 0.7, 0.95)


class SizePrior(NamedTuple):
    """Logarithms of prior weights over sizes: for an exponent that is a multiple of a half, and one that is whole;
    against a logarithm, a constant part, and each 0.3 of w above 1; the mean and deviation of exponents."""

    half: float
    whole: float
    logarithm: float
    constant: float
    negative: float
    mean: float
    deviation: float


class ProcsPrior(NamedTuple):
    """Logarithms of prior weights over processors: against the serial share c, any overhead, the overhead share g, and
    a logarithm; for no serial part."""

    serial: float
    any_overhead: float
    overhead: float
    logarithm: float
    parallel: float


Prior = SizePrior | ProcsPrior


class Shapes(NamedTuple):
    """A grid of shapes: their parameters by column, one row per shape.

    Columns over sizes: exponent, power of the logarithm, share; over processors: serial share, overhead share, whether
    the overhead grows with the logarithm.
    """

    kind: str
    parameters: Array

    def values(self, z: Array, largest: float) -> Array:
        """v of all shapes (rows) at z = ln(n / nl) (columns); may be 0 or less where a shape makes no sense."""
        first, second, third = (self.parameters[:, k : k + 1] for k in range(3))
        log = np.log(max(largest, 1.0))
        if self.kind == "size":
            growth = np.maximum(1 + z / max(log, 1e-9), LEAST_LOGARITHM)
            return np.asarray((1 - third) + third * np.exp(first * z) * np.where(second > 0, growth, 1.0))
        logarithmic = np.maximum(1 + z / max(log, 0.3), LEAST_LOGARITHM)
        overhead = np.where(third > 0, logarithmic, np.exp(z))
        return np.asarray((1 - first - second) * np.exp(-z) + first + second * overhead)


@lru_cache(maxsize=2)
def shapes(kind: str) -> Shapes:
    """The grid over "size" or "procs"."""
    if kind == "size":
        return Shapes(kind, np.array(list(product(EXPONENTS, (0.0, 1.0), SHARES))))
    pairs = ((c, g, j) for c, g, j in product(SERIAL, OVERHEAD, (0.0, 1.0)) if c + g <= 1 + 1e-12 and (g or not j))
    return Shapes(kind, np.array(list(pairs)))


@lru_cache(maxsize=8)
def prior_weights(prior: Prior) -> Array:
    """The logarithm of the prior weight of each shape of the grid, up to a constant."""
    match prior:
        case SizePrior():
            a, j, w = shapes("size").parameters.T
            usual = prior.half * (2 * a == np.round(2 * a)) + prior.whole * (a == np.round(a))
            rarely = prior.logarithm * j + prior.constant * (w != 1) + prior.negative * np.maximum(w - 1, 0) / 0.3
            return np.asarray(usual - rarely - 0.5 * ((a - prior.mean) / prior.deviation) ** 2)
        case ProcsPrior():
            c, g, j = shapes("procs").parameters.T
            rarely = prior.serial * c + prior.any_overhead * (g > 0) + prior.overhead * g + prior.logarithm * j
            return np.asarray(prior.parallel * (c == 0) - rarely)
