"""What a sweep over a design space found: its best and worst points, and the front of those that nothing beats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apet.ground.interval import Number

TIMES = (
    "estimate_tmin",
    "estimate_tmax",
    "lower_tmin",
    "lower_tmax",
    "upper_tmin",
    "upper_tmax",
    "guaranteed_tmin",
    "guaranteed_tmax",
)
"""The columns of times of a sweep, in seconds."""
OBJECTIVES = {"guaranteed": "guaranteed_tmax", "estimate": "estimate_tmax"}
PROCESSORS, PRICE = "P", "cost_per_hour"


@dataclass(frozen=True, slots=True)
class SweepPoint:
    """One point of a design space: its number from 0, its values, its times by the names in `TIMES`, what limits it.

    `values` begin with the machine model under "machines" where there are several, and hold P. `cost` is what the front
    weighs against the time: P, or the cost per hour of the processors in use. Without a prediction there are no times.
    """

    number: int  #: from 0
    values: Mapping[str, Number | str]  #: by name
    times: Mapping[str, float]  #: by names in `TIMES`, in seconds
    dominant: str  #: the term that the estimate is
    cost: float  #: processors, or currency per hour


@dataclass(frozen=True, slots=True)
class SweepSummary:
    """What a sweep found in all its points.

    `best` and `worst` have the least and greatest time of the objective ("guaranteed" or "estimate", at its upper end);
    None where no point has a prediction. `front` holds the points that no other beats in time and cost at once, the
    cheapest first; `against` says what the cost is. `undefined` points have no prediction. `rows` are all points where
    there are few, else empty. `seconds` is what this run took; `reused` chunks were there from an earlier one.
    """

    names: tuple[str, ...]  #: of what varies
    points: int  #: number of all
    undefined: int  #: number of those without a prediction
    best: SweepPoint | None  #: of the objective
    worst: SweepPoint | None  #: of the objective
    front: tuple[SweepPoint, ...] = field(repr=False)  #: the cheapest first
    objective: str  #: "guaranteed" or "estimate"
    against: str  #: "P" or "cost_per_hour"
    rows: tuple[SweepPoint, ...] = field(default=(), repr=False)  #: all points, where they are few
    path: str | None = None  #: of the table, where one was written
    seconds: float = 0.0  #: that this run took
    reused: int = 0  #: number of chunks

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)
