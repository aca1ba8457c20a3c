"""Predictions by a method, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from apet.ground.diagnostics import ApetError
from apet.runs.extrapolation import Answered
from apet.runs.fit.methods import METHODS, PUBLISHED, extrapolate
from apet.runs.largest_within import reach
from apet.runs.measurements import Curve, Extrapolated, Extrapolation
from apet.runs.scaling_laws import seconds
from apet.runs.useful_sizes import useful_sizes

MOST_BESIDE = 16
"""More targets than this are predicted by the published method only where it is chosen."""


def answer(
    curve: Curve,
    targets: Sequence[float],
    method: str,
    deadline: float | None,
    levels: Sequence[float],
    beside: bool,
) -> Answered:
    """All at once; `ApetError` where there are too few runs."""
    found = extrapolate(curve, targets, method)
    published = None
    name = PUBLISHED[curve.kind]
    if beside and method == "auto" and len(targets) <= MOST_BESIDE and len(curve.runs) >= METHODS[name].runs:
        with suppress(ApetError):
            published = extrapolate(curve, targets, name)

    def times(n: Sequence[float]) -> list[float]:
        return _times(curve, n, found, method)

    def predicted(n: Sequence[float]) -> tuple[Extrapolated, ...]:
        return extrapolate(curve, n, method).predictions

    useful = useful_sizes(curve, times, levels) if levels and curve.kind == "procs" else None
    reached = None if deadline is None else reach(curve, predicted, deadline)
    return Answered(curve, found, published, useful, reached)


def _times(curve: Curve, n: Sequence[float], found: Extrapolation, method: str) -> list[float]:
    """Predictions; of a method that is one law, the law's."""
    if method == "auto" or found.law is None:
        return [p.t for p in extrapolate(curve, n, method).predictions]
    return [seconds(found.law, x) for x in n]
