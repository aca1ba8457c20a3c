"""What a comparison of two predictions says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from apet.cost import CostModel
from apet.formula.formula import Formula
from apet.ground.interval import Interval, Number
from apet.prediction.prediction import Prediction

FIRST, SECOND, EQUAL = "A", "B", "equal"


class ComparedSide(NamedTuple):
    """One of the two: what is predicted, its machine model or what it was made of, and its name in the report."""

    title: str
    app: CostModel
    machines: str
    network: str


class PredictionPair(NamedTuple):
    """Both predictions for one number of processors."""

    P: int
    first: Prediction
    second: Prediction
    same: bool = False

    @property
    def estimate_ratio(self) -> Interval | None:
        """Estimate of B divided by that of A, from tmin to tmax in either order; None where A's is 0."""
        if not (self.first.estimate.lo and self.first.estimate.hi):
            return None
        ratios = [b / a for a, b in zip(self.first.estimate, self.second.estimate, strict=True)]
        return Interval(min(ratios), max(ratios))

    @property
    def guaranteed_ratio(self) -> Interval | None:
        """What B's time divided by A's lies in for sure, 1 where both are the same; None where A's may be 0."""
        from apet.formula.evaluate.rounding import quotient_of

        if self.same:
            return Interval(1.0, 1.0)
        a, b = self.first.guaranteed, self.second.guaranteed
        if a.lo <= 0:
            return None
        return Interval(quotient_of(b.lo, a.hi, False), quotient_of(b.hi, a.lo, True))

    @property
    def winner(self) -> str | None:
        """Who is faster in every run: "A", "B", "equal" where both are the same; None where it is not sure."""
        return EQUAL if self.same else _faster(self.first.guaranteed, self.second.guaranteed)

    @property
    def estimated_winner(self) -> str | None:
        """Whose estimate is less at both ends of the operation times; None where the ends disagree."""
        if self.same or self.first.estimate == self.second.estimate:
            return EQUAL
        differences = [a - b for a, b in zip(self.first.estimate, self.second.estimate, strict=True)]
        if all(d <= 0 for d in differences):
            return FIRST
        return SECOND if all(d >= 0 for d in differences) else None

    @property
    def verdict(self) -> Verdict:
        """The sure winner, else that of the estimate."""
        sure = self.winner
        return Verdict(self.estimated_winner, False) if sure is None else Verdict(sure, True)


def _faster(a: Interval, b: Interval) -> str | None:
    if a.is_point and a == b:
        return EQUAL
    if a.hi < b.lo:
        return FIRST
    return SECOND if b.hi < a.lo else None


class WinnerCrossover(NamedTuple):
    """The winner of the estimate changes between these two numbers of processors, from one to the other."""

    before: int
    after: int
    loser: str
    winner: str


class Verdict(NamedTuple):
    """Who is faster: "A", "B", "equal", or None where not even the estimates agree; `sure` where it is in every run."""

    winner: str | None
    sure: bool


class Stretch(NamedTuple):
    """Values from `low` to `high`, ends included, with one verdict.

    `certain` says that it holds at every value in between: each was tried, or it is proved; else it was found at some.
    """

    low: Number
    high: Number
    verdict: Verdict
    certain: bool


class Varied(NamedTuple):
    """Who is faster as one parameter or figure of the machines varies, for one number of processors.

    `curve` are the predictions made, by value; `resolution` is the relative width to which borders were found.
    """

    name: str
    P: int
    stretches: tuple[Stretch, ...]
    curve: tuple[tuple[Number, PredictionPair], ...]
    resolution: float


class Comparison(NamedTuple):
    """Two predictions side by side.

    `stretches` are the numbers of processors with one verdict, `scanned` the pairs that they rest on: all numbers of
    processors that both have where `thorough`. `varied` is the same for a parameter, where one was asked for.
    `crossovers` are changes of the estimate's winner. `difference` is T of B minus T of A, and that of T0, where both
    were read for the same network; `same` says that both are one application with the same values on the same machines.
    """

    first: ComparedSide
    second: ComparedSide
    pairs: tuple[PredictionPair, ...]
    crossovers: tuple[WinnerCrossover, ...]
    thorough: bool
    difference: dict[str, Formula] | None
    same: bool
    stretches: tuple[Stretch, ...] = ()
    scanned: tuple[PredictionPair, ...] = ()
    varied: Varied | None = None

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)


def joined(stretches: Iterable[Stretch]) -> tuple[Stretch, ...]:
    """Neighbours with one verdict as one."""
    stretches_joined: list[Stretch] = []
    for stretch in stretches:
        if stretches_joined and stretches_joined[-1].verdict == stretch.verdict:
            last = stretches_joined.pop()
            stretch = Stretch(last.low, stretch.high, last.verdict, last.certain and stretch.certain)
        stretches_joined.append(stretch)
    return tuple(stretches_joined)
