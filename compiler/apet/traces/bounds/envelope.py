"""Parametric search: the few longest paths that matter for any factors of computing, latency and bandwidth.

The length of the longest path is the maximum of linear functions, convex and homogeneous, so that factors may be taken
from a simplex. Paths are found at the corners of the maximum of those known so far, until none there is longer by more
than a tolerance. Between corners the maximum of the known is linear and the length convex: it is nowhere further off
(parametric search: M. J. Eisner and D. G. Severance, 1976).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy

from apet.traces.bounds.longest import Part
from apet.traces.bounds.transfers import Array

LOOSE, TIGHT = 5e-3, 1e-4
"""Shares by which paths that are left out may be longer: at most, and where no more than `MOST_PATHS` are needed."""
MOST_PATHS, MOST_ASKED = 300, 600
JOGGLED = 1e-6
"""What corners are off by at most: they are joggled where several planes meet."""
LEAST = 1e-9
"""Least weight of a constant: factors of the others up to its inverse."""


class Unsettled(Exception):
    """More different paths than are worth a formula."""


class Envelope(NamedTuple):
    """Paths of which the longest is the longest of all but for a share, for all factors above 0."""

    paths: list[Part]
    short: float  #: the greatest share by which a path that was left out may be longer


def envelope(lengths: Callable[[Sequence[Sequence[float]]], Sequence[Part]], constants: bool) -> Envelope:
    """The few paths that matter. `lengths` gives the longest path for each of some factors of computing, latency and
    bandwidth; `constants` says whether paths have parts that do not depend on any."""
    search = _Search(lengths, constants)
    search.run(LOOSE, MOST_ASKED, MOST_ASKED)
    found = search.found()
    if len(found.paths) < MOST_PATHS:
        with suppress(Unsettled):
            search.run(TIGHT, 2 * MOST_ASKED, MOST_PATHS)
            found = search.found()
    return found


class _Search:
    """The paths known so far, and the points at which it is known which path is the longest of all."""

    def __init__(self, lengths: Callable[[Sequence[Sequence[float]]], Sequence[Part]], constants: bool) -> None:
        self.lengths, self.constants = lengths, constants
        self.axes = [1, 2, 3, 0] if constants else [1, 2, 3]
        self.paths: dict[Part, None] = {}
        self.asked: dict[tuple[float, ...], tuple[Array, Part]] = {}

    def run(self, tolerance: float, most_asked: int, most_paths: int) -> None:
        """Until no path is longer by more than the tolerance. `Unsettled` where there are too many."""
        while True:
            self._ask([corner for corner in self._corners() if _rounded(corner) not in self.asked])
            excess = self._excess()
            missed = [part for (_, part), by in zip(self.asked.values(), excess, strict=True) if by > tolerance]
            if not missed:
                return
            self.paths |= dict.fromkeys(missed)
            if len(self.asked) > most_asked or len(self.paths) > most_paths:
                raise Unsettled

    def found(self) -> Envelope:
        """What is known, where all corners have been asked."""
        return Envelope(list(self.paths) or [(0.0, 0.0, 0.0, 0.0)], max(0.0, *self._excess()) + JOGGLED)

    def _corners(self) -> list[Array]:
        size = len(self.axes)
        if not self.paths:
            return [*numpy.eye(size), numpy.full(size, 1 / size)]
        return _corners(numpy.array(list(self.paths))[:, self.axes])

    def _ask(self, corners: Sequence[Array]) -> None:
        if not corners:
            return
        scales = [max(float(corner[3]), LEAST) if self.constants else 1.0 for corner in corners]
        factors = [[float(f) / s for f in corner[:3]] for corner, s in zip(corners, scales, strict=True)]
        for corner, part in zip(corners, self.lengths(factors), strict=True):
            self.asked[_rounded(corner)] = corner, part

    def _excess(self) -> list[float]:
        """By point asked, the share by which its longest path is longer than those known."""
        points, parts = (numpy.array(each) for each in zip(*self.asked.values(), strict=True))
        true = (parts[:, self.axes] * points).sum(axis=1)
        known = (points @ numpy.array(list(self.paths))[:, self.axes].T).max(axis=1) if self.paths else 0 * true
        with numpy.errstate(divide="ignore", invalid="ignore"):
            excess = numpy.nan_to_num((true - known) / known, nan=0.0, posinf=numpy.inf)
        return list(map(float, excess))


def _rounded(corner: Array) -> tuple[float, ...]:
    return tuple(numpy.round(corner, 10).tolist())


def _corners(planes: Array) -> list[Array]:
    """The corners of the maximum of linear functions over the simplex."""
    from scipy.spatial import HalfspaceIntersection

    size = planes.shape[1]
    planes = planes / (planes.max() or 1.0)
    rows = [
        *(numpy.concatenate((plane[:-1] - plane[-1], [-1.0, plane[-1]])) for plane in planes),
        *(numpy.concatenate((-numpy.eye(size - 1)[k], [0.0, 0.0])) for k in range(size - 1)),
        numpy.concatenate((numpy.ones(size - 1), [0.0, -1.0])),
        numpy.concatenate((numpy.zeros(size - 1), [1.0, -3.0])),
    ]
    inside = numpy.concatenate((numpy.full(size - 1, 1 / size), [2.0]))
    corners = HalfspaceIntersection(numpy.array(rows), inside, qhull_options="QJ").intersections
    low = corners[numpy.isfinite(corners).all(axis=1) & (corners[:, -1] < 2.9)]
    points = numpy.clip(numpy.column_stack((low[:, :-1], 1 - low[:, :-1].sum(axis=1))), 0.0, 1.0)
    return list(points / points.sum(axis=1, keepdims=True))
