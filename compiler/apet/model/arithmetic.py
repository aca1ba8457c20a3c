"""The operators and functions of a model by name."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from apet.ground.exact import binary_logarithm, divide, logarithm, modulus, power, square_root
from apet.ground.interval import Number


def whole_range(low: Number, high: Number) -> range:
    """The integers i with low <= i <= high; none if high < low."""
    return range(math.ceil(low), math.floor(high) + 1)


BINARY: dict[str, Callable[[Number, Number], Number]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": divide,
    "%": modulus,
    "^": power,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}
"""Operators of two operands; a comparison is 1 if true, else 0."""

CALLS: dict[str, Callable[..., Number]] = {
    "min": lambda *values: min(values),
    "max": lambda *values: max(values),
    "ceil": math.ceil,
    "floor": math.floor,
    "abs": abs,
    "log": logarithm,
    "log2": binary_logarithm,
    "sqrt": square_root,
}
"""Functions by name; the numbers of their arguments are in `terms.FUNCTIONS`."""
