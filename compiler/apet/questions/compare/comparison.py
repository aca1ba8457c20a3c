"""What a comparison of two predictions says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from apet.cost import CostModel
from apet.formula.formula import Formula
from apet.ground.interval import Interval, Number
from apet.prediction.prediction import Prediction

FIRST, SECOND, EQUAL = "A", "B", "equal"


@dataclass(frozen=True, slots=True)
class ComparedSide:
    """One of the two: what is predicted, its machine model or what it was made of, and its name in the report."""

    title: str  #: in the report
    app: CostModel = field(repr=False)  #: what is predicted
    machines: str  #: name of the machine model
    network: str  #: its topology, or "none"


@dataclass(frozen=True, slots=True)
class PredictionPair:
    """Both predictions for one number of processors."""

    P: int  #: number of processors
    first: Prediction  #: of A, in seconds
    second: Prediction  #: of B, in seconds
    same: bool = False  #: whether both are one thing

    def __repr__(self) -> str:
        return f"PredictionPair(P={self.P}, first={self.first.estimate}, second={self.second.estimate}, {self.verdict})"

    @property
    def by_mean(self) -> bool:
        """Whether mean run times are compared and not estimates, since one side's are far apart."""
        return self.first.misleads or self.second.misleads

    @property
    def times(self) -> tuple[Interval, Interval]:
        """What is compared: estimates, or mean run times."""
        pair = (self.first, self.second)
        one, two = (p.mean for p in pair) if self.by_mean else (p.estimate for p in pair)
        return one, two

    @property
    def estimate_ratio(self) -> Interval | None:
        """`times` of B divided by those of A, from tmin to tmax in either order; None where A's is 0."""
        one, two = self.times
        if not (one.lo and one.hi):
            return None
        ratios = [b / a for a, b in zip(one, two, strict=True)]
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
        """Whose time in `times` is less at both ends of the operation times; None where the ends disagree."""
        one, two = self.times
        if self.same or one == two:
            return EQUAL
        differences = [a - b for a, b in zip(one, two, strict=True)]
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


@dataclass(frozen=True, slots=True)
class WinnerCrossover:
    """The winner of the estimate changes between these two numbers of processors, from one to the other."""

    before: int  #: number of processors
    after: int  #: number of processors
    loser: str  #: "A", "B" or "equal"
    winner: str  #: "A", "B" or "equal"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Who is faster: "A", "B", "equal", or None where not even the estimates agree; `sure` where it is in every run."""

    winner: str | None  #: "A", "B", "equal" or None
    sure: bool  #: whether in every run


@dataclass(frozen=True, slots=True)
class Stretch:
    """Values from `low` to `high`, ends included, with one verdict.

    `certain` says that it holds at every value in between: each was tried, or it is proved; else it was found at some.
    """

    low: Number  #: in the unit of what varies
    high: Number  #: in the unit of what varies
    verdict: Verdict  #: on the whole stretch
    certain: bool  #: whether at every value in between


@dataclass(frozen=True, slots=True)
class Varied:
    """Who is faster as one parameter or figure of the machines varies, for one number of processors.

    `curve` are the predictions made, by value; `resolution` is the relative width to which borders were found.
    """

    name: str  #: of the parameter or figure
    P: int  #: number of processors
    stretches: tuple[Stretch, ...]  #: in order, without gaps
    curve: tuple[tuple[Number, PredictionPair], ...] = field(repr=False)  #: by value, in the unit of what varies
    resolution: float  #: relative


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two predictions side by side.

    `stretches` are the numbers of processors with one verdict, `scanned` the pairs that they rest on: all numbers of
    processors that both have where `thorough`. `varied` is the same for a parameter, where one varies.
    `crossovers` are changes of the estimate's winner. `difference` is T of B minus T of A, and that of T0, where both
    were read for the same network; `same` says that both are one application with the same values on the same machines.
    """

    first: ComparedSide  #: A
    second: ComparedSide  #: B
    pairs: tuple[PredictionPair, ...]  #: by number of processors
    crossovers: tuple[WinnerCrossover, ...]  #: by number of processors
    thorough: bool  #: whether `scanned` are all there are
    difference: dict[str, Formula] | None = field(repr=False)  #: by name, in seconds
    same: bool  #: whether A and B are one thing
    stretches: tuple[Stretch, ...] = ()  #: by number of processors
    scanned: tuple[PredictionPair, ...] = field(default=(), repr=False)  #: by number of processors
    varied: Varied | None = None  #: None unless a parameter varies
    drawn: tuple[bool, bool] = (False, False)  #: whether a side's branches at once are left to chance

    @property
    def by_mean(self) -> bool:
        """Whether any row compares mean run times."""
        return any(p.by_mean for p in self.scanned or self.pairs)

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
