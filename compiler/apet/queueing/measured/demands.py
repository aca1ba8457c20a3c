"""Service demands from a table of throughput and utilization per interval.

The utilization law, U_k m_k = sum_c X_c D_ck, holds in every interval (J. P. Buzen, 1976); demands are the non-negative
least squares over all intervals (C. L. Lawson and R. J. Hanson, 1974). Their intervals are D +- t sqrt(V), with as many
degrees of freedom as there are rows more than classes. Utilizations scatter more where they are greater, so that V
comes from each residual e and its leverage h (HC3: J. G. MacKinnon and H. White, 1985): (X'X)^-1 X' diag(e / (1 -
h))^2 X (X'X)^-1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source, Span
from apet.queueing import errors

Array = NDArray[np.float64]
LEVEL = 0.975
"""The quantile of Student's t: two-sided intervals of 95 %."""
BACKGROUND = "background"
"""The class of what stations do without requests: once a second their busy seconds."""
ROUNDING = 1e-6
"""Busy shares that tables do not write."""
SINGULAR = 1e-10
"""Relative size of a singular value from which on classes cannot be told apart."""


@dataclass(frozen=True, slots=True)
class UtilizationTable:
    """Rows of intervals: `throughput` by class in jobs per second, `utilization` by station as a busy share of all its
    servers, each as many numbers as there are rows."""

    throughput: Mapping[str, Sequence[float]]
    utilization: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class ServiceDemand:
    """Seconds of service per job at a station, with the half-width of a 95 % interval (None for as many rows as
    classes)."""

    seconds: float
    half_width: float | None


def demands(
    table: UtilizationTable, servers: Mapping[str, int], source: Source | None = None
) -> dict[str, dict[str, ServiceDemand]]:
    """By class and station, `BACKGROUND` among the classes where a load stays that no class brings. Raises `ApetError`
    where rows are too few, or too alike to tell classes apart."""
    place = None if source is None else Span(0, 1)
    names = list(table.throughput)
    rates = np.array([table.throughput[name] for name in names], dtype=float).T
    rows = len(rates)
    if rows < len(names):
        raise ApetError(errors.TooFewRows(source, place, str(rows), str(len(names))))
    idle = [name for name, column in zip(names, rates.T, strict=True) if not column.any()]
    if idle:
        advice = "leave out this column, or measure intervals in which such jobs end"
        raise ApetError(errors.NoMeasurements(source, place, f"throughput[{idle[0]}] is 0 everywhere", advice))
    singular = np.linalg.svd(rates, compute_uv=False)
    if singular[-1] <= SINGULAR * singular[0]:
        raise ApetError(errors.ClassesAlike(source, place, ", ".join(names)))

    estimates: dict[str, dict[str, ServiceDemand]] = {name: {} for name in names}
    for station, busy in table.utilization.items():
        work = np.array(busy, dtype=float) * servers.get(station, 1)
        row, background = _with_background(rates, work)
        for name, demand in zip(names, row, strict=True):
            estimates[name][station] = demand
        if background:
            estimates.setdefault(BACKGROUND, {})[station] = background
    return estimates


def _with_background(rates: Array, work: Array) -> tuple[list[ServiceDemand], ServiceDemand | None]:
    """The demands of classes at a station, and the seconds per second that it is busy without them, where their 95 %
    interval is above 0."""
    constant = np.column_stack([rates, np.ones(len(rates))])
    singular = np.linalg.svd(constant, compute_uv=False)
    if len(rates) > constant.shape[1] and singular[-1] > SINGULAR * singular[0]:
        *row, background = _fitted(constant, work)
        if background.half_width is not None and background.seconds > background.half_width + ROUNDING:
            return row, background
    return _fitted(rates, work), None


def _fitted(rates: Array, work: Array) -> list[ServiceDemand]:
    seconds = _non_negative(rates, work)
    widths = _widths(rates, work - rates @ seconds)
    return [ServiceDemand(float(mean), width) for mean, width in zip(seconds, widths, strict=True)]


def _non_negative(rates: Array, work: Array) -> Array:
    from scipy.optimize import nnls

    return np.asarray(nnls(rates, work)[0], dtype=np.float64)


def _widths(rates: Array, residuals: Array) -> list[float | None]:
    rows, classes = rates.shape
    if rows <= classes:
        return [None] * classes
    from scipy.special import stdtrit

    inverse = np.linalg.inv(rates.T @ rates)
    leverage = np.minimum(np.einsum("ij,jk,ik->i", rates, inverse, rates), 1 - SINGULAR)
    weighted = rates * (residuals / (1 - leverage))[:, None]
    variances = np.diag(inverse @ weighted.T @ weighted @ inverse)
    return [float(stdtrit(rows - classes, LEVEL) * np.sqrt(v)) for v in variances]
