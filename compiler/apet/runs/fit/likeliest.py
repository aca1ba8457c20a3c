"""The likeliest shape of a blend as a law: what stands for the average of many where a formula is asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping

from apet.runs.fit.blend import BlendFit
from apet.runs.fit.shapes import shapes
from apet.runs.scaling_laws import Law, PhaseSum, Power, Sum

SHORTEST_LOGARITHM = 0.3


def likeliest(fits: Mapping[str, BlendFit], kind: str, largest: float) -> Law:
    """The shape of the greatest weight of each fit, scaled to the runs; the sum over phases where there are several."""
    laws: dict[str, Law] = {name: _law(fitted, kind, largest) for name, fitted in fits.items()}
    if len(laws) == 1:
        return next(iter(laws.values()))
    return PhaseSum(tuple(laws), tuple(laws.values()))


def _law(fitted: BlendFit, kind: str, largest: float) -> Sum:
    best = max(fitted.weights, key=lambda m: fitted.weights[m])
    scale = math.exp(fitted.offsets[best])
    first, second, third = (float(p) for p in shapes(kind).parameters[best])
    terms = _size(first, second, third, largest) if kind == "size" else _processors(first, second, third, largest)
    return Sum(tuple(Power(scale * c, e, j) for c, e, j in terms if c != 0))


def _size(exponent: float, logarithms: float, share: float, largest: float) -> list[Power]:
    """(1 - w) + w r^a (ln n / ln nl)^j."""
    grown = bool(logarithms) and largest > 1
    coefficient = share * largest**-exponent / (math.log(largest) if grown else 1.0)
    return [Power(1 - share, 0.0), Power(coefficient, exponent, int(grown))]


def _processors(serial: float, overhead: float, logarithmic: float, largest: float) -> list[Power]:
    """(1 - c - g) / r + c + g r, or g (1 + z / ln nl)."""
    parallel = Power((1 - serial - overhead) * largest, -1.0)
    if not logarithmic:
        return [parallel, Power(serial, 0.0), Power(overhead / largest, 1.0)]
    log = math.log(max(largest, 1.0))
    slope = overhead / max(log, SHORTEST_LOGARITHM)
    constant = serial + overhead - slope * math.log(largest)
    return [parallel, Power(constant, 0.0), Power(slope, 0.0, 1)]
