"""The structures of laws: sums of one to four terms n^i log^j n, and how likely each is before the runs are seen.

Over sizes: nothing that grows, a term, a term and a constant (which may be below 0), or two terms of usual algorithms,
with or without a constant. Over processors: Amdahl's law with communication that grows, a power with or without a
constant, and what grows from a constant under weak scaling.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Exponents = tuple[float, int]
MOST_TERMS = 4

EXPONENTS = (
    1 / 4, 1 / 3, 1 / 2, 2 / 3, 3 / 4, 1, 5 / 4, 4 / 3, 3 / 2, 5 / 3, 7 / 4, 2, 9 / 4, 7 / 3, 5 / 2, 8 / 3, 11 / 4, 3,
    13 / 4, 7 / 2, 4,
)  # fmt: skip
CONSTANT: Exponents = (0.0, 0)
PARALLEL: Exponents = (-1.0, 0)
PAIRED: tuple[Exponents, ...] = ((0.0, 1), (1.0, 0), (1.0, 1), (2.0, 0), (2.0, 1), (3.0, 0))
"""Terms that occur together: loops beside each other."""
COMMUNICATION: dict[Exponents, float] = {(0.0, 1): -1.9, (0.5, 0): -3.9, (1.0, 0): -3.5, (0.0, 2): -4.5, (1.0, 1): -3.8}
GROWING: tuple[Exponents, ...] = ((0.0, 1), (1 / 3, 0), (0.5, 0), (2 / 3, 0), (1.0, 0), (0.0, 2), (1.0, 1))
POWERS = {-0.9: -4.6, -0.8: -4.6, -0.75: -4.6, -2 / 3: -4.6, -0.5: -4.6, -1 / 3: -4.6, 0.25: -3.8, 0.5: -3.8, 1.0: -3.8}


class Structure(NamedTuple):
    """Terms by their exponents; whether the first, a constant, is below 0; the logarithm of the prior weight."""

    terms: tuple[Exponents, ...]
    below: bool
    prior: float


@lru_cache(maxsize=4)
def structures(kind: str, with_logarithms: bool = True) -> tuple[Structure, ...]:
    """All structures over "size" or "procs"."""
    rows = _over_sizes() if kind == "size" else _over_processors()
    return tuple(row for row in rows if with_logarithms or not any(j for _, j in row.terms))


def _over_sizes() -> Iterator[Structure]:
    yield Structure((CONSTANT,), False, 0.0)
    singles: list[Exponents] = [(i, j) for i in EXPONENTS for j in (0, 1, 2)] + [(0.0, 1), (0.0, 2)]
    for term in singles:
        yield Structure((term,), False, _usual(*term))
        yield Structure((CONSTANT, term), False, _usual(*term) - 0.4)
        yield Structure((CONSTANT, term), True, _usual(*term) - 2.7)
    for pair in combinations(PAIRED, 2):
        weight = _usual(*max(pair)) + 0.3 * _usual(*min(pair))
        yield Structure(pair, False, weight - 5.5)
        yield Structure((CONSTANT, *pair), False, weight - 4.5)


def _usual(i: float, j: int) -> float:
    """Whole exponents are likelier than halves, these than thirds; steep growth and logarithms are rare."""
    whole, half, third = (abs(i * k - round(i * k)) < 1e-9 for k in (1, 2, 3))
    return (2.1 if whole else 1.0 if half else -0.5 if third else 0.0) + (0, -1.5, -2.5)[j] - 0.5 * (i + 0.4) ** 2


def _over_processors() -> Iterator[Structure]:
    yield Structure((CONSTANT,), False, -2.0)
    yield Structure((PARALLEL,), False, 0.0)
    yield Structure((PARALLEL, CONSTANT), False, 2.3)
    for term, weight in COMMUNICATION.items():
        yield Structure((PARALLEL, term), False, weight)
        yield Structure((PARALLEL, CONSTANT, term), False, weight + 2.3)
    yield Structure((PARALLEL, CONSTANT, (1.0, 0), (0.0, 1)), False, -6.0)
    for i, weight in POWERS.items():
        yield Structure(((i, 0),), False, weight)
        if i < 0 and i not in (-0.9, -0.75):
            yield Structure(((i, 0), CONSTANT), False, -2.3)
    for term in GROWING:
        yield Structure((CONSTANT, term), False, -3.8)


def basis(n: Array, largest: float, terms: Sequence[Exponents]) -> Array:
    """Each term at each n, (n, terms), 1 at the largest run."""
    log = np.maximum(np.log(np.maximum(n, 1.0)), 0.0) / scale_of_logarithm(largest)
    return np.stack([(n / largest) ** i * (log**j if j else 1.0) for i, j in terms], axis=-1)


def scale_of_logarithm(largest: float) -> float:
    """ln of the largest run, away from 0."""
    return max(math.log(max(largest, 1.0)), 1e-9)
