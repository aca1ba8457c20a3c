"""Sums, least and greatest of rows by group, with bounds of their errors.

`order` lists the rows group by group, an int64 array of shape (rows,); `starts` says where each group begins in it, of
shape (groups,). Bands have values of shape (rows, 1 or configurations); results have one row for each group.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from apet.formula.columns import bands
from apet.formula.columns.bands import UNIT, Band


def sums(band: Band, order: Any, starts: Any, there: Any) -> Band:
    """Sums of rows; `there` is None, or which entries exist: what does not exist is 0, and adding it is exact."""
    value = ordered_sum(band.value, order, starts)
    if there is None:
        additions: Any = int(np.diff(np.append(starts, len(order))).max()) - 1
    else:
        additions = np.maximum(ordered_sum(there.astype(float), order, starts) - 1, 0.0)
    if band.error is None:
        return Band(value, (band.relative + additions * UNIT) * bands.SLACK)
    sizes = ordered_sum(np.abs(band.value), order, starts)
    return Band(value, 0.0, (ordered_sum(band.error, order, starts) + sizes * (additions * UNIT)) * bands.SLACK)


def ordered_sum(value: Any, order: Any, starts: Any) -> Any:
    """Sums of rows, first to last: the rows of a sparse matrix of ones are added one after the other."""
    if len(starts) == len(order):
        return value[order]
    from scipy.sparse import csr_array

    ones = csr_array((np.ones(len(order)), order, np.append(starts, len(order))), shape=(len(starts), len(order)))
    return ones @ np.ascontiguousarray(value)


def least(band: Band, order: Any, starts: Any) -> Band:
    """The least of each group."""
    if len(starts) == len(order):
        return Band(band.value[order], band.relative, None if band.error is None else band.error[order])
    value = np.minimum.reduceat(band.value[order], starts, axis=0)
    if band.error is None:
        return Band(value, band.relative)
    return Band(value, 0.0, np.maximum.reduceat(band.error[order], starts, axis=0))


def greatest(band: Band, order: Any, starts: Any) -> Band:
    """The greatest of each group, or 0 where that is more."""
    value = np.maximum.reduceat(band.value[order], starts, axis=0)
    if band.error is None:
        return Band(np.maximum(value, 0.0), band.relative)
    # Only operands that may be the greatest count for its error: those that reach above every other one's low end.
    reached = np.maximum.reduceat((band.value - band.error)[order], starts, axis=0)
    sizes = np.diff(np.append(starts, len(order)))
    may = band.value[order] + band.error[order] >= np.repeat(reached, sizes, axis=0)
    error = np.maximum.reduceat(np.where(may, band.error[order], 0.0), starts, axis=0)
    return bands.extreme("max", [Band(value, 0.0, error), Band(0.0)])
