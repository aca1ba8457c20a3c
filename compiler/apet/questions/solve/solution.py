"""What answers an inverse question: where a deadline is met for sure, surely not met, or undecided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from apet.ground.interval import Interval, Number
from apet.prediction.prediction import Prediction

ENOUGH, UNDECIDED, NOT_ENOUGH = "enough", "undecided", "not enough"
ALL, BISECTION, GRID = "all values tried", "bisection of monotone bounds", "values on a grid"
PIECES = "bisection of monotone pieces"


@dataclass(frozen=True, slots=True)
class SearchSpace:
    """The values from `low` to `high` of P or a parameter, whole numbers or all."""

    name: str  #: "P", a parameter or a figure
    low: Number  #: in the unit of what is sought
    high: Number  #: in the same unit
    whole: bool  #: whether through whole numbers


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The number of processors that meets the deadline for sure at the least guaranteed cost.

    `cost` is what it costs between the guaranteed ends of the time; `within` says whether that is within the budget for
    sure (True), surely not (False), or undecided (None).
    """

    processors: int  #: number in use
    cost: Interval  #: in the currency of `cost_per_hour`
    within: bool | None  #: the budget


@dataclass(frozen=True, slots=True)
class Solution:
    """Where a deadline is met.

    `enough`, `undecided` and `not_enough` are the ranges of values of each kind in order, ends included; together they
    hold every value that is sought, if `certain`. `direction` is -1 where the answer goes from not enough to enough
    as the value rises, 1 where it is the other way round, 0 where it stays, None where it goes to and fro.
    `predictions` are those at the ends of the ranges, `best` is the value tried with the least guaranteed upper end,
    `tried` how many were. `unit` is that of what is sought, `measured` that of the deadline; `title` says what the
    intervals are, and `at_least` that the value is to reach the deadline.
    """

    name: str  #: of what is sought
    deadline: Number  #: in `measured`
    space: SearchSpace  #: what was searched
    enough: tuple[Interval, ...]  #: in `unit`
    undecided: tuple[Interval, ...]  #: in `unit`
    not_enough: tuple[Interval, ...]  #: in `unit`
    direction: int | None  #: -1, 0, 1 or None
    certificate: str  #: how the answer was found
    predictions: Mapping[Number, Prediction] = field(repr=False)  #: by value, in `unit`
    budget: Number | None = None  #: in the currency of `cost_per_hour`
    cheapest: Cheapest | None = None  #: where there is a budget
    tried: int = 0  #: number of values
    best: tuple[Number, Prediction] | None = field(default=None, repr=False)  #: value in `unit`, and its prediction
    unit: str = ""  #: of the values
    measured: str = "s"  #: unit of the deadline and of what is predicted
    without: tuple[Number, ...] = ()  #: values in `space` that have no prediction, or were not asked for
    title: str = "guaranteed"  #: of the intervals
    at_least: bool = False  #: whether the deadline is to be reached

    @property
    def certain(self) -> bool:
        """Whether the answer holds for values that were not predicted as well."""
        return self.certificate != GRID

    @property
    def enough_from(self) -> Number | None:
        """The least value from which on every value of the range is enough; None if the last one is not."""
        last = self.enough[-1] if self.enough else None
        return last.lo if last is not None and last.hi == self.space.high else None

    @property
    def enough_up_to(self) -> Number | None:
        """The greatest value up to which every value of the range is enough; None if the first one is not."""
        first = self.enough[0] if self.enough else None
        return first.hi if first is not None and first.lo == self.space.low else None

    @property
    def not_enough_below(self) -> Number | None:
        """The least value that is not surely not enough; None if there is none."""
        starts = [part.lo for part in (*self.enough, *self.undecided)]
        return min(starts) if starts else None

    @property
    def undecided_between(self) -> Interval | None:
        """From the least to the greatest undecided value."""
        return Interval(self.undecided[0].lo, self.undecided[-1].hi) if self.undecided else None

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)
