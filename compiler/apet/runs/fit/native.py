"""The search of Downey's model by a small C core, where there is one: the same grid, the same closed forms.

Nothing depends on it: without a compiler, or with `APET_NATIVE=0`, arrays do the same.
"""

from __future__ import annotations

import ctypes
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
SOURCE = Path(__file__).with_name("downey.c")
OPTIONS = ("-O2", "-ffp-contract=off", "-fPIC", "-shared", "-lm")
WORTH_BUILDING = 400
"""Searches of this process from which building the core takes less time than it saves."""
LOOKED_FOR = 16
"""Searches that are done without looking for a core: a single prediction is over by then."""
_searches = count(1)


class Problem(NamedTuple):
    """What is searched: points by ascending n as 1/n, 1/t and weights that sum to 1; how many points the first branch
    may hold; the range of T(1), and the greatest sigma / (sigma + 1)."""

    n: Array
    over: Array
    inverse: Array
    w: Array
    splits: NDArray[np.int64]
    one: tuple[float, float]
    most_share: float


def optima(problem: Problem, x: Array, rounds: int, fine: int, most: int) -> Array | None:
    """Rows of A, sigma, T(1) and error: local minima over the grid x of ln A, best first; None without a core."""
    core = _core()
    if core is None:
        return None
    found = np.empty((most, 4))
    end = (ctypes.c_int64(rounds), ctypes.c_int64(fine), _place(found))
    number = int(core.apet_downey(*_arguments(problem), ctypes.c_int64(len(x)), _place(x), *end))
    return found[:number] if number else None


def last_within(problem: Problem, x: Array, bound: float) -> Array | None:
    """A, sigma, T(1) and error of the last A = exp(x) whose error is within the bound; None without a core."""
    core = _core()
    if core is None:
        return None
    found = np.empty(4)
    end = (ctypes.c_double(bound), _place(found))
    done = core.apet_downey_last(*_arguments(problem), ctypes.c_int64(len(x)), _place(x), *end)
    return found if done else None


def _core() -> Any:
    number = next(_searches)
    if number <= LOOKED_FOR:
        return None
    from apet import compiled

    library = compiled.library(SOURCE, OPTIONS, number >= WORTH_BUILDING)
    if library is not None:
        library.apet_downey.restype = library.apet_downey_last.restype = ctypes.c_int64
    return library


def _arguments(p: Problem) -> tuple[Any, ...]:
    points = (ctypes.c_int64(len(p.n)), _place(p.n), _place(p.over), _place(p.inverse), _place(p.w))
    splits = (ctypes.c_int64(len(p.splits)), _place(p.splits))
    return (*points, *splits, *map(ctypes.c_double, (*p.one, p.most_share)))


def _place(array: NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
