"""Formulas evaluated for many draws at once, as columns of one configuration per draw.

Where floats together do not tell (a member that a condition leaves out, a jump that is too close), and where the
members that are held depend on the draw, draws are evaluated one by one.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from apet.formula.columns.bands import Band
from apet.formula.columns.columns import Slice
from apet.formula.columns.loops import TooWide
from apet.formula.columns.plan import BatchPlan
from apet.formula.evaluate.evaluation import Plan
from apet.formula.graph.graph import Graph
from apet.formula.graph.nodes import NodeId, operation_names
from apet.ground.interval import Number
from apet.questions.quantiles.figures import Floats

DEALT = frozenset(("share", "cores"))
"""Machine quantities that are not drawn."""


class Draws(Protocol):
    """What is drawn: numbers where all draws have the same, else arrays of shape (draws,)."""

    def symbol(self, name: str) -> Number | Floats:
        """The value of a parameter."""
        ...

    def item(
        self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number | Floats, ...]
    ) -> Number | Floats:
        """A machine quantity of one member; `LookupError` where there is none."""
        ...

    def alike(self, member: tuple[Number, ...]) -> Hashable:
        """What members have in common that have the same quantities in every draw."""
        ...


class DrawPlan:
    """How to evaluate some nodes for many draws, in which some parameters (`drawn`) and all times differ."""

    def __init__(self, graph: Graph, roots: Sequence[NodeId], environment: Draws, drawn: Collection[str] = ()) -> None:
        self.environment = environment
        self.drawn = {name: graph.nonnegative(graph.symbol(name)) for name in drawn}
        names = set(operation_names(graph.nodes[n] for n in graph.below(*roots)))
        self.plan = BatchPlan(graph, roots, drawn, names if "tasks" in drawn else names - DEALT)
        self.batch = self.plan.start(OneDraw(environment, 0), _Members(environment))
        self.alone = Plan(graph, roots)

    def run(self, count: int) -> NDArray[np.float64]:
        """The roots in each of so many draws, of shape (roots, draws); `EvaluationError` where one has no value."""
        values = self._together(count)
        for k in np.flatnonzero(~np.isfinite(values).all(axis=0)):
            values[:, k] = [float(v) for v in self.alone.run(OneDraw(self.environment, int(k)))]
        return values

    def _together(self, count: int) -> NDArray[np.float64]:
        """The same; NaN where columns do not tell."""
        values = np.full((len(self.plan.roots), count), math.nan)
        if not self.plan.supported:
            return values
        columns = {}
        for name, nonnegative in self.drawn.items():
            drawn = np.broadcast_to(np.asarray(self.environment.symbol(name), dtype=float), (count,))
            columns[name] = Slice(drawn, nonnegative)
        try:
            with np.errstate(all="ignore"):
                bands = self.batch.run(columns, count)
        except TooWide:
            return values
        for row, band in zip(values, bands, strict=True):
            row[:] = np.broadcast_to(np.atleast_2d(band.value), (1, count))[0]
        return values


class _Members:
    """Drawn quantities for columns, member by member."""

    def __init__(self, environment: Draws) -> None:
        self.environment = environment
        self._known: dict[tuple[tuple[int, ...], bytes], tuple[Sequence[int], Any]] = {}

    def item(self, name: str, subscripts: Sequence[Any], arguments: Sequence[Band]) -> Band:
        """Of processors given by arrays, a row for each; NaN where there is none, or where it differs by draw."""
        places, amounts = ([np.atleast_2d(a) for a in arrays] for arrays in (subscripts, [b.value for b in arguments]))
        if any(p.shape[1] > 1 for p in places):
            return Band(math.nan)
        lanes = max(map(len, (*places, *amounts)))
        members = np.concatenate([np.broadcast_to(p, (lanes, 1)) for p in places], axis=1)
        different = any(len(a) > 1 for a in amounts)
        first, inverse = (range(lanes), slice(None)) if different else self._classes(members)
        rows = [self._row(name, members[k].tolist(), [a[min(k, len(a) - 1)] for a in amounts]) for k in first]
        return Band(np.stack(np.broadcast_arrays(*rows))[inverse])

    def _classes(self, members: NDArray[np.float64]) -> tuple[Sequence[int], Any]:
        """The first one of each class of members that are alike, and the class of each."""
        key = members.shape, members.tobytes()  # one member (1, 2) is not the two members 1 and 2
        if key not in self._known:
            classes: dict[Hashable, list[int]] = {}
            for lane, member in enumerate(members.tolist()):
                classes.setdefault(self.environment.alike(tuple(member)), []).append(lane)
            inverse = np.empty(len(members), dtype=np.int64)
            for place, lanes in enumerate(classes.values()):
                inverse[lanes] = place
            self._known[key] = [lanes[0] for lanes in classes.values()], inverse
        return self._known[key]

    def _row(self, name: str, member: Sequence[float], amounts: Sequence[Any]) -> Floats:
        if any(map(math.isnan, member)):
            return np.full(1, math.nan)
        known = [float(a[0]) if len(a) == 1 else a for a in amounts]
        try:
            drawn = self.environment.item(name, tuple(member), tuple(known))
            return np.atleast_1d(np.asarray(drawn, dtype=float))
        except LookupError:
            return np.full(1, math.nan)


class OneDraw:
    """The values of one of the draws."""

    def __init__(self, environment: Draws, draw: int) -> None:
        self.environment = environment
        self.draw = draw

    def symbol(self, name: str) -> Number:
        """The value of a parameter."""
        return self._at(self.environment.symbol(name))

    def item(self, name: str, subscripts: tuple[Number, ...], arguments: tuple[Number, ...]) -> Number:
        """A machine quantity of one member."""
        return self._at(self.environment.item(name, subscripts, arguments))

    def _at(self, value: Number | Floats) -> Number:
        return float(value[self.draw]) if isinstance(value, np.ndarray) else value
