"""Predictions for many configurations of one machine choice at once, as columns of numbers."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apet.cost import deep_recursion
from apet.formula.columns.bands import Band
from apet.formula.columns.columns import Values, chunks, in_chunks
from apet.formula.columns.loops import TooWide
from apet.formula.columns.plan import Batch, BatchPlan
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.ground.records import NamedTuple
from apet.prediction.binding import bind
from apet.prediction.column_inputs import ColumnInputs
from apet.prediction.column_items import MOST_ERROR, batch_of
from apet.prediction.deployment import Deployment
from apet.prediction.predictor import Predictor
from apet.prediction.processor_count import tied_names

Floats = NDArray[np.float64]
CELLS = 1 << 19
"""Numbers per table that a chunk may need: some megabytes for the tables in use at one time."""
LEAST_WIDE = 1_000
"""Terms of long sums from which on a second thread pays: the rest holds Python's lock too long."""
LEAST_CHUNK, MOST_CHUNK = 16, 8192


class BatchRows(NamedTuple):
    """One entry per configuration, in seconds, as in `Prediction`.

    `dominant` is the place in `names` of what the estimate at tmax is: "T0" or "T[…]", a family as a whole. Of terms
    that are equal but for rounding it may be any.
    """

    estimate_tmin: Floats
    estimate_tmax: Floats
    lower_tmin: Floats
    lower_tmax: Floats
    upper_tmin: Floats
    upper_tmax: Floats
    guaranteed_tmin: Floats
    guaranteed_tmax: Floats
    dominant: NDArray[np.int32]
    names: tuple[str, ...]


class BatchPredictor:
    """Predicts many configurations of one application on one machine model.

    Estimates are within 2^-46 of those of `Predictor.predict` relatively, mostly within 2^-50; guaranteed intervals
    hold the exact bounds and are as close. Each row is the same however the batch is cut. Configurations that floats
    cannot decide, and those with mistakes, go through `Predictor.predict` one at a time.
    """

    def __init__(self, predictor: Predictor, threads: int | None = None) -> None:
        """`threads`: how many work at a time; None for two where that pays, which it does for wide formulas."""
        self.predictor = predictor
        self.threads = threads
        self.app = predictor.app
        app = self.app
        peaks = [r.peak.node for r in app.resources]
        self._bounds = [app.T_total.node, app.lower.node, app.upper.node]
        self._limits = [*peaks, app.T0.node]
        self._required = [r.node for r in app.requirements]
        self.names = (*(app.term(r.label) for r in app.resources), app.base)
        self._plans: dict[frozenset[str], tuple[BatchPlan, BatchPlan, BatchPlan]] = {}

    def run(
        self, processors: int | None, columns: Mapping[str, Values], fixed: Mapping[str, Number | Interval]
    ) -> BatchRows:
        """The predictions on the `processors` fastest machines, one per entry of the columns, all of equal length.

        Raises the `ApetError` that `Predictor.predict` raises for the first configuration that has no prediction, and
        `ValueError` for columns of different lengths.
        """
        lengths = {len(column) for column in columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of different lengths: {sorted(lengths)}")
        count = lengths.pop() if lengths else 1
        results = Results(count, self.names)
        if count:
            if self.predictor.trial is None and self.app.open_shape is None:
                with deep_recursion(), np.errstate(all="ignore"):
                    self._fast(processors, columns, fixed, results)
            self._one_by_one(processors, columns, fixed, results)
        return results.rows()

    def _one_by_one(
        self,
        processors: int | None,
        columns: Mapping[str, Values],
        fixed: Mapping[str, Number | Interval],
        results: Results,
    ) -> None:
        """What is left, exactly."""
        for row in results.left():
            settings = {**fixed, **{name: plain(column[row]) for name, column in columns.items()}}
            one = self.predictor.predict(processors, settings)
            results.table[:, row] = (*one.estimate, *one.lower, *one.upper, *one.guaranteed)
            results.dominant[row] = self._number(one.dominant["tmax"])

    def _number(self, name: str) -> int:
        """The place of a limit's name, which says the busiest member of a family."""
        if name in self.names:
            return self.names.index(name)
        family = name.split("[", 2)[1]
        families = [r.label.partition("[")[0] if r.table is not None else None for r in self.app.resources]
        return families.index(family)

    # With arrays

    def _fast(
        self,
        processors: int | None,
        columns: Mapping[str, Values],
        fixed: Mapping[str, Number | Interval],
        results: Results,
    ) -> None:
        """Everything that arrays can tell."""
        machines = self.predictor.machines
        if machines is not None and machines.fitted:
            return
        if tied_names(self.app) & columns.keys():
            return  # each row is a number of processors of its own, or refused
        deployment = self.predictor.deployed(self.predictor.counted(processors, fixed))
        points = {n: v for n, v in fixed.items() if not isinstance(v, Interval) or v.is_point}
        if len(points) < len(fixed):
            return

        try:
            first = {name: plain(column[0]) for name, column in columns.items()}
            values = bind(self.app, deployment.P, {**fixed, **first}).points
            inputs = ColumnInputs(self.app, deployment.P, columns, fixed, values)
        except (ApetError, ArithmeticError, ValueError):
            return  # predicting the first configuration says what is wrong, or is the way for all

        if self.app.needs_shares and "tasks" in inputs.names:
            self._by_tasks(deployment, inputs, results)
        else:
            self._together(deployment, inputs, inputs.fixed, np.arange(inputs.count), results)

    def _by_tasks(self, deployment: Deployment, inputs: ColumnInputs, results: Results) -> None:
        """How tasks are dealt is worked out once for each number of tasks."""
        tasks = np.empty(inputs.count)
        for start, stop in chunks(inputs.count, MOST_CHUNK):
            column = inputs.part(start, stop).floats["tasks"]
            sure = (column.error == 0) & (column.value == np.floor(column.value)) & (column.value < 2.0**53)
            tasks[start:stop] = np.where(sure, column.value, np.nan)

        rows = np.flatnonzero(tasks >= 0)
        numbers, inverse = np.unique(tasks[rows], return_inverse=True)
        order = np.argsort(inverse, kind="stable")
        ends = np.searchsorted(inverse[order], np.arange(len(numbers) + 1))

        for k, number in enumerate(numbers):
            chosen = rows[order[ends[k] : ends[k + 1]]]
            fixed = {**inputs.fixed, "tasks": int(number)}
            self._together(deployment, inputs.chosen(chosen), fixed, chosen, results)

    def _together(
        self, deployment: Deployment, inputs: ColumnInputs, fixed: Mapping[str, Number], rows: Any, results: Results
    ) -> None:
        names = frozenset(inputs.names - fixed.keys())
        if names not in self._plans:
            self._plans[names] = self._planned(names)
        plans = self._plans[names]
        if not all(plan.supported for plan in plans):
            return
        constant = {**fixed, "P": deployment.P}
        low, high = batch_of(plans[0], deployment, constant, "tmin"), batch_of(plans[1], deployment, constant, "tmax")
        checks = batch_of(plans[2], deployment, constant, "tmin")
        wide = any(len(k.factors) >= LEAST_WIDE for plan in plans for k in plan.kernels.values())
        threads = self.threads or (min(2, os.cpu_count() or 1) if wide else 1)

        def act(start: int, stop: int) -> None:
            self._cut(inputs, (low, high, checks), rows, start, stop, results)

        in_chunks(act, inputs.count, self._chunk(inputs, low, plans), threads)

    def _planned(self, names: frozenset[str]) -> tuple[BatchPlan, BatchPlan, BatchPlan]:
        graph = self.app.graph
        return (
            BatchPlan(graph, self._bounds, names, ()),
            BatchPlan(graph, [*self._bounds, *self._limits], names, ()),
            BatchPlan(graph, self._required, names, ()),
        )

    def _chunk(self, inputs: ColumnInputs, low: Batch, plans: Sequence[BatchPlan]) -> int:
        """How many configurations fit into the caches together, with all their loops."""
        low.widest = 1
        try:
            low.run(inputs.part(0, 1).columns(), 1)
        except TooWide:
            return LEAST_CHUNK
        nodes = max(1, *(sum(p.varied.values()) for p in plans))
        wanted = min(CELLS // low.widest, 64 * CELLS // nodes)
        return int(min(max(wanted, LEAST_CHUNK), MOST_CHUNK))

    def _cut(
        self,
        inputs: ColumnInputs,
        batches: tuple[Batch, Batch, Batch],
        rows: Any,
        start: int,
        stop: int,
        results: Results,
    ) -> None:
        """One chunk; in halves where its loops need too much memory, and not at all where one configuration does."""
        try:
            columns = inputs.part(start, stop).columns()
            low, high, required = (batch.run(columns, stop - start) for batch in batches)
        except TooWide:
            if stop - start > 1:
                middle = (start + stop) // 2
                self._cut(inputs, batches, rows, start, middle, results)
                self._cut(inputs, batches, rows, middle, stop, results)
            return
        results.put(rows[start:stop], low, high, required)


class Results:
    """The rows of a batch as they come; estimates are NaN until then."""

    def __init__(self, count: int, names: tuple[str, ...]) -> None:
        self.table = np.full((8, count), np.nan)
        self.dominant = np.zeros(count, dtype=np.int32)
        self.names = names

    def put(self, rows: Any, low: Sequence[Band], high: Sequence[Band], required: Sequence[Band]) -> None:
        """What arrays say about some rows, where that is sure."""
        count = len(rows)
        sure = np.ones(count, dtype=bool)
        for band in required:
            sure &= _row(band.value, count) >= _row(band.distance, count)
        table = np.empty((8, count))

        for k, band in enumerate((low[0], high[0], low[1], high[1], low[2], high[2])):
            table[k] = _row(band.value, count)
            off = _row(band.distance, count)
            sure &= np.isfinite(table[k]) & (off <= MOST_ERROR * np.abs(table[k]))

        table[6] = _outward(low[1], -np.inf, count)
        table[7] = _outward(high[2], np.inf, count)
        limits = np.stack([_row(band.value, count) for band in high[3:]])
        sure &= np.isfinite(limits).all(axis=0)
        self.table[:, rows[sure]] = table[:, sure]
        self.dominant[rows[sure]] = np.argmax(limits[:, sure], axis=0)

    def left(self) -> list[int]:
        """The rows that have no values yet."""
        return [int(row) for row in np.flatnonzero(np.isnan(self.table[0]))]

    def rows(self) -> BatchRows:
        """All of them."""
        a, b, c, d, e, f, g, h = self.table
        return BatchRows(a, b, c, d, e, f, g, h, self.dominant, self.names)


def _row(array: Any, count: int) -> Any:
    return np.broadcast_to(np.atleast_2d(array), (1, count))[0]


def _outward(band: Band, to: float, count: int) -> Any:
    """The end moved by its error, and by one float more where that was rounded."""
    value, off = _row(band.value, count), _row(band.distance, count)
    moved = np.nextafter(value + np.copysign(off, to), to)
    return np.where(off == 0, value, moved)


def plain(value: Any) -> Number:
    """A number of Python for one of a column."""
    number: Number = value.item() if isinstance(value, np.generic) else value
    return number
