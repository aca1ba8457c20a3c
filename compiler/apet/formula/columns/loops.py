"""Sums, maxima and minima over loop indices, as reductions of arrays of (rounds, configurations)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from apet.formula.columns import bands, decisions
from apet.formula.columns.bands import UNIT, Band
from apet.formula.columns.decisions import Exact
from apet.formula.columns.frames import Frame
from apet.formula.evaluate.arithmetic import MOST_ITERATIONS
from apet.formula.graph.nodes import Index, NodeId, Reduce, operands

if TYPE_CHECKING:
    from apet.formula.columns.plan import Evaluation

BLOCK = 4096
"""Rounds evaluated at a time, a power of two: sums are binary trees over blocks, the same for every batch."""
MOST_LEVELS = math.ceil(math.log2(MOST_ITERATIONS))
MOST_CELLS = 1 << 19
"""Numbers in one array: a chunk that needs more is cut."""


class TooWide(Exception):
    """A chunk has too many configurations for its loops; cut it."""


def certain(x: Exact) -> Any:
    """The value where it is exact, else NaN."""
    if np.ndim(x.error) == 0:
        return x.value if x.error == 0 else x.value * math.nan
    return np.where(x.error == 0, x.value, np.nan)


def extent(run: Evaluation, low: NodeId, high: NodeId, frame: Frame) -> tuple[Any, Any, Any]:
    """First index, number of rounds, and where both are unknown, as arrays; there the number is 0."""
    first = decisions.rounded("ceil", run.decision(low, frame)).value
    last = decisions.rounded("floor", run.decision(high, frame)).value
    count = np.atleast_2d(np.maximum(last - first + 1, 0.0))
    unknown = ~(count <= MOST_ITERATIONS)
    return np.nan_to_num(first), np.where(unknown, 0.0, count), unknown


def check_size(lanes: int, run: Evaluation) -> None:
    """Refuse arrays that are too large; those of a single configuration are bounded by `MOST_ITERATIONS`."""
    run.batch.widest = max(run.batch.widest, lanes)
    if lanes * run.count > MOST_CELLS and run.count > 1:
        raise TooWide
    if lanes > 4 * MOST_ITERATIONS:
        raise TooWide


def reduce(run: Evaluation, node: NodeId, loop: Reduce, frame: Frame) -> Band:
    """The value of a loop that stayed symbolic."""
    first, count, unknown = extent(run, loop.low, loop.high, frame)
    steady = not (run.plan.varied[loop.low] or run.plan.varied[loop.high])
    settled = steady and not frame.wavers
    # A round that counts for nobody, where others might have some: what is off must not depend on who they are.
    rounds = max(int(count.max()), 0 if settled else 1)
    if run.spend is not None and frame.lanes > 1:
        run.spend(int(np.broadcast_to(count, (frame.lanes, 1)).sum()))
    if not rounds:
        empty = Band(math.nan if loop.kind == "min" else 0.0)
        return _unsure(empty, unknown)

    if settled and frame.lanes == 1 and run.plan.varied[loop.body]:
        chosen = frame.keep((node, "classes"), lambda: classes(run, loop, frame, float(np.ravel(first)[0]), rounds))
        if chosen is not None:
            return _unsure(_over_classes(run, node, loop, frame, float(np.ravel(first)[0]), chosen), unknown)
    size = max(1, 1 << (max(1, BLOCK // frame.lanes).bit_length() - 1))
    parts = PartialResults(loop.kind, math.ceil(math.log2(rounds)) if settled else MOST_LEVELS)
    for start in range(0, rounds, size):
        offsets = np.arange(start, min(start + size, rounds))
        inner = frame.inside(loop.index, first, offsets, (node, start, len(offsets)), steady)
        check_size(inner.lanes, run)
        band = run.value(loop.body, inner)
        mask = None if (count == rounds).all() else offsets[None, :, None] < count[:, None, :]
        parts.take(_table(band, frame.lanes, len(offsets)), mask)

    return _unsure(parts.result(), unknown | (count == 0) if loop.kind == "min" else unknown)


def _over_classes(run: Evaluation, node: NodeId, loop: Reduce, frame: Frame, first: float, chosen: Any) -> Band:
    """Once per class of rounds that are equal."""
    offsets, sizes = chosen
    inner = frame.inside(loop.index, first, offsets, (node, "class"), True)
    band = run.value(loop.body, inner)
    if loop.kind == "sum":
        band = bands.product(band, Band(sizes[:, None]))
    parts = PartialResults(loop.kind, math.ceil(math.log2(max(1, len(offsets)))))
    parts.take(_table(band, 1, len(offsets)), None)
    return parts.result()


def _unsure(band: Band, unknown: Any) -> Band:
    return band._replace(value=np.where(unknown, np.nan, band.value)) if unknown.any() else band


def _table(band: Band, lanes: int, rounds: int) -> Band:
    """With axes (lanes, rounds, configurations)."""

    def shaped(array: Any) -> Any:
        array = np.atleast_2d(array)
        return np.broadcast_to(array, (lanes * rounds, array.shape[1])).reshape(lanes, rounds, array.shape[1])

    return Band(shaped(band.value), band.relative, None if band.error is None else shaped(band.error))


class PartialResults:
    """What the blocks of a loop amount to."""

    def __init__(self, kind: str, levels: int) -> None:
        self.kind = kind
        self.levels = levels
        self.best: Band | None = None
        self.sums = [Tree(), Tree(), Tree()]
        self.relative = 0.0
        self.rough = False

    def take(self, band: Band, mask: Any) -> None:
        """The next block, whose rounds count where the mask says."""
        if mask is not None:
            left_out = math.inf if self.kind == "min" else 0.0
            value = np.where(mask, band.value, left_out)
            band = Band(value, band.relative, None if band.error is None else np.where(mask, band.error, 0.0))
        self.relative = max(self.relative, band.relative)
        if self.kind != "sum":
            block = bands.extreme_along(self.kind, band, 1)
            self.best = block if self.best is None else bands.extreme(self.kind, [self.best, block])
            return

        self.sums[0].add(tree(band.value))
        if band.error is not None:
            self.rough = True
            self.sums[1].add(tree(band.error))
            self.sums[2].add(tree(np.abs(band.value)))

    def result(self) -> Band:
        """The whole; maxima are of costs and not below 0."""
        if self.kind == "max":
            assert self.best is not None
            return bands.extreme("max", [self.best, Band(0.0)])
        if self.kind == "min":
            assert self.best is not None
            return self.best
        value = self.sums[0].total()
        if not self.rough:
            return Band(value, (self.relative + self.levels * UNIT) * bands.SLACK)
        return Band(value, 0.0, (self.sums[1].total() + self.sums[2].total() * (self.levels * UNIT)) * bands.SLACK)


def tree(table: Any) -> Any:
    """Sums along axis 1, neighbours first: the order does not depend on how many zeros follow."""
    while table.shape[1] > 1:
        if table.shape[1] % 2:
            zero = np.zeros((table.shape[0], 1, table.shape[2]))
            table = np.concatenate([table, zero], axis=1)
        table = table[:, 0::2] + table[:, 1::2]
    return table[:, 0]


class Tree:
    """Sums of blocks, neighbours first, like a binary counter: after five blocks the stack holds the sum of the first
    four (level 2) and the fifth (level 0). Blocks are float64 of shape (lanes, 1 or configurations)."""

    def __init__(self) -> None:
        self.stack: list[tuple[int, Any]] = []

    def add(self, block: Any) -> None:
        """The next block's sum."""
        level = 0
        while self.stack and self.stack[-1][0] == level:
            block = self.stack.pop()[1] + block
            level += 1
        self.stack.append((level, block))

    def total(self) -> Any:
        """The sum of all blocks."""
        total = self.stack[-1][1]
        for _, block in reversed(self.stack[:-1]):
            total = block + total
        return total


def classes(run: Evaluation, loop: Reduce, frame: Frame, first: float, rounds: int) -> Any:
    """Offsets of rounds that stand for all that cost the same, and how many those are; None if that helps little."""
    graph, varied = run.graph, run.plan.varied
    border, seen, stack = set[NodeId](), set[NodeId](), [loop.body]
    while stack:
        n = stack.pop()
        if n in seen or loop.index not in graph.free[n]:
            continue
        seen.add(n)
        if isinstance(graph.nodes[n], Index):
            return None
        if not varied[n] and len(graph.free[n]) == 1:
            border.add(n)
            continue
        stack += operands(graph.nodes[n])
    if rounds == 1:
        return None

    whole = Frame(frame.still, rounds, {loop.index: Exact((first + np.arange(rounds))[:, None])})
    rows = [_row(run.value(n, whole), run.decision(n, whole), rounds) for n in sorted(border)]
    return representatives(rows, rounds)


def _row(band: Band, exact: Exact, rounds: int) -> Any:
    """Equal where both faces of a value are."""
    columns = [band.value, band.distance, exact.value, exact.error]
    return [np.broadcast_to(np.atleast_2d(c), (rounds, 1))[:, 0] for c in columns]


def representatives(rows: list[Any], rounds: int) -> Any:
    """One round of each class by runs of equal neighbours, then by sorting the runs."""
    columns = [c for row in rows for c in row]
    change = np.zeros(rounds, dtype=bool)
    change[0] = True
    for column in columns:
        change[1:] |= column[1:] != column[:-1]
    starts = np.flatnonzero(change)
    if 2 * len(starts) > rounds and rounds > 64:
        return None

    lengths = np.diff(np.append(starts, rounds))
    table = np.stack([c[starts] for c in columns], axis=1) if columns else np.zeros((len(starts), 1))
    _, place, inverse = np.unique(table, axis=0, return_index=True, return_inverse=True)
    sizes = np.zeros(len(place))
    np.add.at(sizes, inverse.ravel(), lengths)
    order = np.argsort(starts[place])
    return starts[place][order], sizes[order]
