"""Everything that is answered about a curve at once: predictions, and what follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apet.runs.fit.methods import extrapolate
from apet.runs.largest_within import Reach, reach
from apet.runs.measurements import Curve, Extrapolated, Extrapolation
from apet.runs.scaling_laws import seconds
from apet.runs.useful_sizes import UsefulSizes, useful_sizes


@dataclass(frozen=True, slots=True)
class RunsAnswer:
    """Predictions for a curve; `useful` and `reach` are None where they were not asked for."""

    curve: Curve
    extrapolation: Extrapolation
    useful: UsefulSizes | None = None
    reach: Reach | None = None


def answer(
    curve: Curve,
    targets: Sequence[float],
    method: str = "auto",
    *,
    deadline: float | None = None,
    levels: Sequence[float] = (),
) -> RunsAnswer:
    """All at once; `ApetError` where there are too few runs.

    `deadline` is in seconds, `levels` are efficiencies.
    """
    extrapolation = extrapolate(curve, targets, method)

    def predict(n: Sequence[float]) -> tuple[Extrapolated, ...]:
        return extrapolate(curve, n, method).predictions

    def times(n: Sequence[float]) -> list[float]:
        """Of a method that is one law, the law's: nothing is fitted anew."""
        if method == "auto" or extrapolation.law is None:
            return [p.t for p in predict(n)]
        return [seconds(extrapolation.law, x) for x in n]

    useful = useful_sizes(curve, times, levels) if levels and curve.kind == "procs" else None
    within = None if deadline is None else reach(curve, predict, deadline)
    return RunsAnswer(curve, extrapolation, useful, within)
