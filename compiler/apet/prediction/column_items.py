"""Machine quantities for columns of processors: one look-up per group of equal machines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from apet.formula.columns import bands
from apet.formula.columns.bands import UNIT, Band, NoItems
from apet.formula.columns.plan import Batch, BatchPlan
from apet.ground.interval import Number
from apet.machine import Configuration, End, MissingNetwork
from apet.machine.machines import MachineGroup
from apet.prediction.deployment import Deployment

MOST_ERROR = 2.0**-46
"""A value with a greater relative error bound is computed exactly instead."""


def batch_of(plan: BatchPlan, deployment: Deployment, values: Mapping[str, Number], end: End) -> Batch:
    """An evaluation in columns at one end of the operation times, where `values` are those that do not vary."""
    exact, configuration = deployment.environment(end, values, exact=True), deployment.configuration
    if configuration is None:
        return plan.start(exact, NoItems())
    tasks = values.get("tasks")
    columns = MachineColumns(configuration, end, None if tasks is None else int(tasks), deployment.schedule)
    return plan.start(exact, columns)


class MachineColumns:
    """Operation times at one end of their intervals, cores and shares, by arrays of processor numbers."""

    def __init__(self, configuration: Configuration, end: End, tasks: int | None, schedule: str) -> None:
        self.configuration = configuration
        self.end = end
        self.tasks = tasks
        self.schedule = schedule
        self._firsts = np.array([0, *(g.first for g in configuration.groups)], dtype=float)
        self._groups = (configuration.machines.coordinator, *(g.group for g in configuration.groups))
        self._tables: dict[str, Band] = {}
        self._shares: Any = None

    def item(self, name: str, subscripts: Sequence[Any], arguments: Sequence[Band]) -> Band:
        """`t_send`, an operation's time, `share` or `cores`; NaN for a processor that there is not."""
        if name == "t_send":
            return self._send(subscripts[0], subscripts[1], arguments[0])
        if name == "share":
            return Band(np.full(np.shape(subscripts[0]), np.nan)) if arguments else self._share(subscripts[0])
        table = self._tables.get(name)
        if table is None:
            table = self._tables[name] = self._table(name)
        place, there = self._place(subscripts[0])
        error = None if table.error is None else table.error[place]
        return Band(np.where(there, table.value[place], np.nan), table.relative, error)

    def _place(self, numbers: Any, least: int = 0) -> tuple[Any, Any]:
        """The place of each processor's group, and which processors there are."""
        numbers = np.asarray(numbers, dtype=float)
        with np.errstate(invalid="ignore"):
            there = (numbers == np.floor(numbers)) & (numbers >= least) & (numbers <= self.configuration.P)
        place = np.searchsorted(self._firsts, np.where(there, numbers, least), side="right") - 1
        return place, there

    def _table(self, name: str) -> Band:
        """One number per group, the coordinator's first."""
        numbers: list[Number] = []
        for first, group in zip(self._firsts, self._groups, strict=True):
            if name == "cores":
                numbers.append(group.cores)
            else:
                numbers.append(self.configuration.time(name[2:], int(first), self.end, exact=True))
        return _stacked(numbers)

    def _share(self, numbers: Any) -> Band:
        if self._shares is None:
            assert self.tasks is not None
            dealt = self.configuration.shares(self.tasks, self.schedule)
            self._shares = np.fromiter(dealt, dtype=float, count=len(dealt))
            if self.tasks > 2**53:
                self._shares = np.where(self._shares < 2**53, self._shares, np.nan)
        there = self._place(numbers, 1)[1]
        tasks = self._shares[np.where(there, np.asarray(numbers, dtype=float) - 1, 0).astype(np.int64)]
        return Band(np.where(there, tasks, np.nan))

    def _send(self, senders: Any, receivers: Any, size: Band) -> Band:
        """latency + size / bandwidth of the two groups; 0 to oneself."""
        (p, there_p), (q, there_q) = self._place(senders), self._place(receivers)
        codes, inverse = np.unique(p * len(self._groups) + q, return_inverse=True)
        links = [self._link(*divmod(int(code), len(self._groups))) for code in codes.ravel()]
        inverse = inverse.reshape(np.broadcast_shapes(np.shape(p), np.shape(q)))
        lag, pace = (_rounded([link[k] for link in links], inverse) for k in (0, 1))
        band = bands.total(0, [(bands.quotient(size, pace), 1), (lag, 1)])
        apart = np.not_equal(senders, receivers)
        value = np.where(there_p & there_q, np.where(apart, band.value, 0.0), np.nan)
        return Band(value, band.relative, None if band.error is None else np.where(apart, band.error, 0.0))

    def _link(self, p: int, q: int) -> tuple[Number, Number]:
        one, other = self._groups[p], self._groups[q]
        try:
            latency, bandwidth = self._between(one, other)
        except MissingNetwork:
            return float("nan"), float("nan")
        return (latency.lo, bandwidth.hi) if self.end == "tmin" else (latency.hi, bandwidth.lo)

    def _between(self, one: MachineGroup, other: MachineGroup) -> Any:
        return self.configuration.machines.network.between(one.name, other.name)


def _stacked(numbers: Sequence[Number]) -> Band:
    """Exact numbers as one column."""
    columns = [bands.of_number(n if isinstance(n, float) else Fraction(n)) for n in numbers]
    value = np.array([b.value for b in columns])
    if all(b.error is None for b in columns):
        return Band(value, max(b.relative for b in columns))
    return Band(value, 0.0, np.array([float(b.distance) for b in columns]))


def _rounded(numbers: Sequence[Number], place: Any) -> Band:
    """Some exact numbers, with a bound that is the same whichever others stand beside them."""
    each = [bands.of_number(n if isinstance(n, float) else Fraction(n)) for n in numbers]
    return Band(np.array([b.value if b.error is None else np.nan for b in each])[place], UNIT)
