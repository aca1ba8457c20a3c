"""Everything that is answered about a curve at once: predictions, the published method beside them, what follows."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from apet.ground.diagnostics import ApetError
from apet.runs.fit.methods import METHODS, PUBLISHED, extrapolate
from apet.runs.largest_within import Reach, reach
from apet.runs.measurements import Curve, Extrapolated, Extrapolation
from apet.runs.scaling_laws import seconds
from apet.runs.useful_sizes import UsefulSizes, useful_sizes

MOST_COMPARED = 16
"""Targets; more than this are predicted by the published method only where it is chosen."""


@dataclass(frozen=True, slots=True)
class RunsAnswer:
    """Predictions for a curve; `published` is None where it was chosen itself, cannot be used, or was not asked for; so
    are `useful` and `reach`."""

    curve: Curve
    extrapolation: Extrapolation
    published: Extrapolation | None = None
    useful: UsefulSizes | None = None
    reach: Reach | None = None


def answer(
    curve: Curve,
    targets: Sequence[float],
    method: str = "auto",
    *,
    deadline: float | None = None,
    levels: Sequence[float] = (),
    compare: bool = True,
) -> RunsAnswer:
    """All at once; `ApetError` where there are too few runs.

    `deadline` is in seconds, `levels` are efficiencies, `compare` asks for the published method too.
    """
    extrapolation, published = extrapolate(curve, targets, method), None
    name = PUBLISHED[curve.kind]
    if compare and method == "auto" and len(targets) <= MOST_COMPARED and len(curve.runs) >= METHODS[name].runs:
        with suppress(ApetError):
            published = extrapolate(curve, targets, name)

    def predict(n: Sequence[float]) -> tuple[Extrapolated, ...]:
        return extrapolate(curve, n, method).predictions

    def times(n: Sequence[float]) -> list[float]:
        """Of a method that is one law, the law's: nothing is fitted anew."""
        if method == "auto" or extrapolation.law is None:
            return [p.t for p in predict(n)]
        return [seconds(extrapolation.law, x) for x in n]

    useful = useful_sizes(curve, times, levels) if levels and curve.kind == "procs" else None
    within = None if deadline is None else reach(curve, predict, deadline)
    return RunsAnswer(curve, extrapolation, published, useful, within)
