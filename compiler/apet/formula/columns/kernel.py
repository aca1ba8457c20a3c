"""The greatest of many sparse sums by a small C kernel, columns are read where they lie.

The bits are those of `linear.Matrix`; a test holds them equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apet.core import library
from apet.formula.columns.columns import LEAST, MOST

WIDEST = 8
"""Numbers in the widest vectors."""


class Kernel:
    """A matrix of coefficients in compressed rows for the kernel.

    Row k has the coefficients `factors[starts[k] : starts[k + 1]]` (float64) of the operands with these numbers in
    `columns` (int64), and `constants[k]` (float64) if there are constants; `starts` is int64 of shape (rows + 1,).
    """

    def __init__(self, data: NDArray[Any], columns: NDArray[Any], starts: NDArray[Any], constants: Any) -> None:
        self.factors = np.ascontiguousarray(data, dtype=np.float64)
        self.columns = np.ascontiguousarray(columns, dtype=np.int64)
        self.starts = np.ascontiguousarray(starts, dtype=np.int64)
        self.constants = None if constants is None else np.ascontiguousarray(constants, dtype=np.float64).ravel()

    def extreme(
        self, kind: str, values: Sequence[NDArray[np.float64]], count: int, lanes: int = WIDEST
    ) -> NDArray[np.float64] | None:
        """The greatest ("max") or least sum of each configuration; None where an operand is not within what arrays are
        trusted with. Vectors have at most so many `lanes`, fewer where the processor has no wider ones."""
        result = np.empty(count)
        matrix = len(self.starts) - 1, self.starts, self.columns, self.factors, self.constants
        given, least = (len(values), values, count), kind == "min"
        trustworthy = library().apet_extreme(*matrix, *given, least, LEAST, MOST, lanes, result)
        return result if trustworthy else None
