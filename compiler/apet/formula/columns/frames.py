"""Where values of a batch are kept: one frame outside all loops, and one per loop for what depends on its index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from apet.formula.columns.bands import Band
from apet.formula.columns.decisions import Exact
from apet.formula.graph.nodes import NodeId

MOST_KEPT = 1 << 16
"""Lanes of a loop whose values are kept for all configurations."""


class Frame:
    """Values by node. Arrays have the shape (lanes, configurations); a lane is one combination of loop indices.

    `still` is the frame for what does not depend on the configuration; that of the outermost one is itself kept for
    all chunks of a batch. `parent`, int64 of shape (lanes,), gives the lane of the outer frame for each lane; None
    where all have the same. A loop i = 1..2 with a loop j = 1..3 in it:

        frame of i   2 lanes, i = 1 2
        frame of j   6 lanes, j = 1 2 3 1 2 3, parent = 0 0 0 1 1 1
    """

    def __init__(
        self,
        outer: Frame | None,
        lanes: int,
        indices: dict[NodeId, Exact],
        parent: Any = None,
        wavers: bool = False,
    ) -> None:
        """`wavers`: how many lanes there are depends on which configurations stand beside each other."""
        self.wavers: bool = wavers or (outer is not None and outer.wavers)
        self.outer = outer
        self.lanes = lanes
        self.indices = indices
        self.parent = parent
        self.values: dict[NodeId, Band] = {}
        self.exact: dict[NodeId, Exact] = {}
        self.made_once: dict[object, Any] = {}
        self._still: Frame | None = None  # none for itself: a frame that held itself would wait for the collector

    @property
    def still(self) -> Frame:
        """The frame for what does not depend on the configuration."""
        return self if self._still is None else self._still

    @still.setter
    def still(self, frame: Frame) -> None:
        self._still = frame

    def over(self, free: frozenset[NodeId]) -> Frame:
        """The innermost frame that binds one of these indices; an inner loop may bind an outer one's index again."""
        frame = self
        while frame.outer is not None and frame.indices.keys().isdisjoint(free):
            frame = frame.outer
        return frame

    def lift(self, array: Any, below: Frame) -> Any:
        """An array of this frame for the lanes of a frame inside it."""
        if np.ndim(array) == 0 or np.shape(array)[0] == 1:
            return array
        chain: list[Frame] = []
        frame: Frame | None = below
        while frame is not self and frame is not None:
            chain.append(frame)
            frame = frame.outer
        for inner in reversed(chain):
            if inner.parent is not None:
                array = array[inner.parent]
        return array

    def lift_band(self, band: Band, below: Frame) -> Band:
        """As `lift`."""
        if below is self:
            return band
        error = None if band.error is None else self.lift(band.error, below)
        return Band(self.lift(band.value, below), band.relative, error)

    def lift_exact(self, x: Exact, below: Frame) -> Exact:
        """As `lift`."""
        if below is self:
            return x
        return Exact(self.lift(x.value, below), self.lift(x.error, below))

    def inside(self, index: NodeId, first: Any, offsets: Any, key: object, steady: bool) -> Frame:
        """The frame of a loop from `first` on at these offsets, for every lane of this one, lane by lane.

        `steady`: the ends do not depend on the configuration, so neither does the frame's part that is still.
        """
        rounds = len(offsets)
        parent = None if self.lanes == 1 else np.repeat(np.arange(self.lanes), rounds)
        still: Frame | None = None
        if steady and self.still is not self:
            still = self.still.made_once.get((key, "frame"))
        if still is None or self.still is self or not steady:
            values = _numbered(self.lanes, first, offsets)
            frame = Frame(self, self.lanes * rounds, {index: Exact(values)}, parent, not steady)
            if self.still is self or not steady:
                return frame
            still = Frame(self.still, frame.lanes, frame.indices, parent)
            if frame.lanes <= MOST_KEPT:
                self.still.made_once[(key, "frame")] = still

        frame = Frame(self, still.lanes, still.indices, parent)
        frame.still = still
        return frame

    def keep(self, key: object, make: Callable[[], Any]) -> Any:
        """Something made once for all chunks."""
        if key not in self.still.made_once:
            self.still.made_once[key] = make()
        return self.still.made_once[key]


def _numbered(lanes: int, first: Any, offsets: Any) -> Any:
    start = np.broadcast_to(np.atleast_2d(first), (lanes, np.atleast_2d(first).shape[1]))
    values = start[:, None, :] + np.asarray(offsets, dtype=float)[None, :, None]
    return values.reshape(lanes * len(offsets), start.shape[1])
