"""The shapes that run times over sizes or processors may have, relative to the largest run, with prior weights.

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
SHARES = (0.1, 0.25, 0.4, 0.6, 0.75, 0.85, 0.93, 0.98, 1, 1.03, 1.1, 1.2, 1.35)
SERIAL = (0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.45, 0.6, 0.75, 0.9, 1)
OVERHEAD = (0, 0.01, 0.04, 0.1, 0.2, 0.4, 0.7, 0.95)
USUAL_EXPONENT, SPREAD_OF_EXPONENTS = 2.2, 0.8


class Shapes(NamedTuple):
    """A grid of shapes: their parameters by column, one row per shape, and the logarithms of their prior weights.

    Columns over sizes: exponent, power of the logarithm, share; over processors: serial share, overhead share, whether
    the overhead grows with the logarithm.
    """

    kind: str
    parameters: Array
    prior: Array

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
    rows = _sizes() if kind == "size" else _processors()
    found = np.array(rows)
    return Shapes(kind, found[:, :3], found[:, 3])


def _sizes() -> list[tuple[float, float, float, float]]:
    rows = list[tuple[float, float, float, float]]()
    for a, j, w in product(EXPONENTS, (0, 1), SHARES):
        usual = 1.5 * (2 * a == round(2 * a)) + 1.2 * (a == round(a))
        prior = usual - 0.75 * j - 1.2 * (w != 1) - 1.7 * max(w - 1, 0) / 0.3
        rows.append((a, j, w, prior - 0.5 * ((a - USUAL_EXPONENT) / SPREAD_OF_EXPONENTS) ** 2))
    return rows


def _processors() -> list[tuple[float, float, float, float]]:
    rows = list[tuple[float, float, float, float]]()
    for serial, overhead, logarithmic in product(SERIAL, OVERHEAD, (0, 1)):
        if serial + overhead > 1 + 1e-12 or (not overhead and logarithmic):
            continue
        prior = -1.2 * serial - 3.4 * (overhead > 0) - 4.3 * overhead + 0.8 * (serial == 0)
        rows.append((serial, overhead, logarithmic, prior))
    return rows
