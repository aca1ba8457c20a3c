"""The terms that a fit may choose from: products of one power with a logarithm for each parameter, with prior weights.

Which exponents occur in programs, and how often, follows the normal form of A. Calotoiu et al. (Using automated
performance modeling to find scalability bugs in complex codes, 2013), with exponents below 0 for processors; the
weights were chosen on half of the measured programs in `tests/benchmarks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apet.runs.experiments import PROCESSORS, RunParameter

Array = NDArray[np.float64]


class TermShape(NamedTuple):
    """`x^exponent (ln x)^logarithms`, the logarithm to the power of 0 or 1."""

    exponent: float
    logarithms: int = 0


SIZE_SHAPES = {
    TermShape(0): 0.0,
    TermShape(1): 0.0,
    TermShape(2): -0.3,
    TermShape(1, 1): -0.7,
    TermShape(3): -0.8,
    TermShape(1 / 2): -1.2,
    TermShape(3 / 2): -1.2,
    TermShape(0, 1): -1.2,
    TermShape(2, 1): -1.5,
    TermShape(2 / 3): -1.5,
    TermShape(5 / 2): -1.8,
    TermShape(5 / 4): -1.8,
    TermShape(3 / 4): -2.0,
    TermShape(1 / 4): -2.0,
    TermShape(7 / 4): -2.0,
    TermShape(-1): -2.0,
    TermShape(9 / 4): -2.2,
    TermShape(-1 / 2): -2.4,
}
PROCESSOR_SHAPES = {
    TermShape(-1): 0.0,
    TermShape(0): -0.2,
    TermShape(0, 1): -0.8,
    TermShape(-1 / 2): -0.8,
    TermShape(1): -1.2,
    TermShape(-2 / 3): -1.2,
    TermShape(-1, 1): -1.3,
    TermShape(1 / 2): -1.6,
    TermShape(-3 / 4): -2.0,
    TermShape(-1 / 4): -2.0,
    TermShape(1, 1): -2.2,
    TermShape(3 / 2): -2.5,
}
"""Logarithms of prior weights, by shape."""
PLAIN = (TermShape(0), TermShape(1), TermShape(-1))
"""All that two values of a parameter can tell apart."""
TWO_VALUES = 2
LIKELY = -1.9
"""With more than two parameters less likely shapes are left out: their products would be thousands."""
MOST_TERMS = 1200
LEAST_LOGARITHM = 0.3


@dataclass(frozen=True, slots=True)
class TermLibrary:
    """The terms over parameters whose largest values are `largest`: a term is 1 at that corner."""

    shapes: tuple[tuple[TermShape, ...], ...]  #: of each parameter
    chosen: NDArray[np.intp]  #: the shape of each parameter by term, (terms, parameters)
    weights: Array  #: logarithms of the products of prior weights, (terms,)
    unshared: Array  #: how much work of larger inputs no processor shares, (terms,), 0 or more
    largest: tuple[float, ...]

    def term(self, number: int) -> tuple[TermShape, ...]:
        """A shape for each parameter."""
        return tuple(own[k] for own, k in zip(self.shapes, self.chosen[number], strict=True))

    def values(self, x: Array) -> Array:
        """All terms at points (points, parameters) as (points, terms)."""
        table = np.ones((len(x), len(self.chosen)))
        for k, shapes in enumerate(self.shapes):
            columns = np.column_stack([shape_values(s, x[:, k], self.largest[k]) for s in shapes])
            table *= columns[:, self.chosen[:, k]]
        return table


def shape_values(shape: TermShape, x: Array, largest: float) -> Array:
    """A shape at values of its parameter, relative to the largest one."""
    power: Array = (x / largest) ** shape.exponent
    if shape.logarithms:
        power = power * np.log(np.maximum(x, 1.0)) / max(float(np.log(max(largest, 1.0))), LEAST_LOGARITHM)
    return power


def library(parameters: Sequence[RunParameter], counts: Sequence[int], largest: Sequence[float]) -> TermLibrary:
    """The terms for parameters of which so many values were measured."""
    choices = [_choices(p, count, len(parameters)) for p, count in zip(parameters, counts, strict=True)]
    grid = np.stack(np.meshgrid(*(np.arange(len(c)) for c in choices), indexing="ij"), axis=-1)
    places = grid.reshape(-1, len(choices))
    weights = sum((np.array([w for _, w in c])[places[:, k]] for k, c in enumerate(choices)), np.zeros(len(places)))
    ranked = np.argsort(-weights, kind="stable")[:MOST_TERMS]
    places, weights = places[ranked], weights[ranked]

    exponents = [np.array([shape.exponent for shape, _ in c])[places[:, k]] for k, c in enumerate(choices)]
    shared, grown = np.zeros(len(places)), np.zeros(len(places))
    for parameter, exponent in zip(parameters, exponents, strict=True):
        if parameter.role == PROCESSORS:
            shared += exponent
        else:
            grown += np.maximum(exponent, 0.0)
    parallel = any(p.role == PROCESSORS for p in parameters)
    unshared = grown * (1.0 + np.clip(shared, -1.0, 0.0)) if parallel else np.zeros(len(places))
    shapes = tuple(tuple(shape for shape, _ in c) for c in choices)
    return TermLibrary(shapes, places, weights, unshared, tuple(largest))


def _choices(parameter: RunParameter, count: int, parameters: int) -> list[tuple[TermShape, float]]:
    shapes = PROCESSOR_SHAPES if parameter.role == PROCESSORS else SIZE_SHAPES
    return [
        (shape, weight)
        for shape, weight in shapes.items()
        if (weight > LIKELY or parameters <= TWO_VALUES) and (count > TWO_VALUES or shape in PLAIN)
    ]
