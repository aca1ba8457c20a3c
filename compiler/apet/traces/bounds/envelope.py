"""Parametric search: the few longest paths that matter for any factors of computing, latency and bandwidth.

The length of the longest path is the maximum of linear functions, convex and homogeneous, so that factors may be taken
from a simplex. Paths are found at the corners of the maximum of those known so far, until none there is longer by more
than a tolerance. Between corners the maximum of the known is linear and the length convex: it is nowhere further off
(parametric search: M. J. Eisner and D. G. Severance, 1976).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy

from apet.traces.bounds.longest import Part
from apet.traces.bounds.transfers import Array

TOLERANCE = 5e-3
MOST_ASKED = 600
LEAST = 1e-9
"""Least weight of a constant: factors of the others up to its inverse."""


class Unsettled(Exception):
    """More different paths than are worth a formula."""


def envelope(lengths: Callable[[Sequence[Sequence[float]]], Sequence[Part]], constants: bool) -> list[Part]:
    """Paths of which the longest is at most 0.5 % shorter than the longest of all, for all factors above 0.

    `lengths` gives the longest path for each of some factors of computing, latency and bandwidth; `constants` says
    whether paths have parts that do not depend on any.
    """
    axes = (1, 2, 3, 0) if constants else (1, 2, 3)
    longest = list[Part]()
    corners_done = set[tuple[float, ...]]()
    waiting = [*numpy.eye(len(axes)), numpy.full(len(axes), 1 / len(axes))]
    while waiting:
        missed = list[Part]()
        scales = [max(float(corner[3]), LEAST) if constants else 1.0 for corner in waiting]
        parts = lengths([[float(f) / s for f in corner[:3]] for corner, s in zip(waiting, scales, strict=True)])
        corners_done.update(map(_rounded, waiting))
        for corner, part in zip(waiting, parts, strict=True):
            value = sum(part[k] * f for k, f in zip(axes, corner, strict=True))
            most = max((sum(p[k] * f for k, f in zip(axes, corner, strict=True)) for p in longest), default=0.0)
            if value > most * (1 + TOLERANCE):
                missed.append(part)
        longest += dict.fromkeys(missed)
        if len(corners_done) > MOST_ASKED:
            raise Unsettled
        corners = _corners(numpy.array([[p[k] for k in axes] for p in longest])) if missed else []
        waiting = [c for c in corners if _rounded(c) not in corners_done]

    return longest or [(0.0, 0.0, 0.0, 0.0)]


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
