"""The greatest of many sparse sums by a small C kernel, where there is one: columns are read where they lie.

The bits are those of `linear.Matrix`; a test holds them equal.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apet import compiled
from apet.formula.columns.columns import LEAST_BITS, MOST_BITS

SOURCE = Path(__file__).with_name("kernel.c")
OPTIONS = ("-O3", "-ffp-contract=off", "-fPIC", "-shared")
WORTH_BUILDING = 100_000_000
"""Terms times configurations from which building the kernel takes less time than it saves."""


def prepare(work: int) -> None:
    """Have the kernel built if there is no library yet and so many terms times configurations are worth it."""
    compiled.library(SOURCE, OPTIONS, work >= WORTH_BUILDING)


class Kernel:
    """A matrix of coefficients for the kernel."""

    def __init__(self, data: NDArray[Any], columns: NDArray[Any], starts: NDArray[Any], constants: Any) -> None:
        self.factors = np.ascontiguousarray(data, dtype=np.float64)
        self.columns = np.ascontiguousarray(columns, dtype=np.int64)
        self.starts = np.ascontiguousarray(starts, dtype=np.int64)
        self.constants = None if constants is None else np.ascontiguousarray(constants, dtype=np.float64).ravel()

    def extreme(self, kind: str, values: Sequence[NDArray[np.float64]], count: int) -> NDArray[np.float64] | None:
        """The greatest ("max") or least sum of each configuration; None without a kernel, or where an operand is not
        within what arrays are trusted with."""
        library = compiled.library(SOURCE, OPTIONS, False)
        if library is None:
            return None
        result = np.empty(count)
        places = (ctypes.c_void_p * len(values))(*(v.ctypes.data for v in values))
        done = library.apet_extreme(
            ctypes.c_int64(len(self.starts) - 1),
            _place(self.starts),
            _place(self.columns),
            _place(self.factors),
            None if self.constants is None else _place(self.constants),
            ctypes.c_int64(len(values)),
            places,
            ctypes.c_int64(count),
            ctypes.c_int(kind == "min"),
            ctypes.c_int64(LEAST_BITS),
            ctypes.c_int64(MOST_BITS),
            _place(result),
        )
        return result if done else None


def _place(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
