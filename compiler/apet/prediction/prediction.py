"""What a prediction says."""

from __future__ import annotations

from collections.abc import Mapping

from apet.ground.interval import Interval, Number
from apet.ground.records import Record


class Limit(Record):
    """What the estimate is the maximum of: "T0" or "T[…]", its time in seconds, and its share of the estimate."""

    name: str
    seconds: float
    share: float


class Expectation(Record):
    """The mean run time over runs in which every branch is drawn by its probability, in seconds; never a bound.

    `seconds` is that mean at either end of the operation times. It comes from the distributions of the parts where
    `runs` is 0, else from so many simulated runs per end, and `error` is the half width of their 95 % confidence
    interval in seconds, the greater of the two ends. `waiting` says whether all waiting is in it: where a run has too
    many events to be simulated, distributions leave some out.
    """

    seconds: Interval
    runs: int = 0
    error: float = 0.0
    waiting: bool = True

    def differs(self, estimate: Interval) -> bool:
        """Whether it is more than a tenth away from the estimate at either end."""
        pairs = zip(map(float, self.seconds), map(float, estimate), strict=True)
        return any(abs(mean - value) > MISLEADING * value for mean, value in pairs)


MISLEADING = 0.1
"""Share of the estimate from which on the expectation is shown beside it."""


def room_for_mean(estimate: Number, lower: Number, upper: Number) -> bool:
    """Whether bounds leave room for a mean run time that is more than a tenth away from the estimate."""
    return upper > (1 + MISLEADING) * estimate or lower < (1 - MISLEADING) * estimate


class Prediction(Record):
    """Predicted run time of an application on a machine configuration, in seconds; or what else a cost model is about.

    `estimate` is T = max(T0, max T[r]) at the ends of the measured intervals, as published for APET. `lower` and
    `upper` are the two sharper bounds at those ends. `guaranteed` encloses every run in which operation times and
    parameters stay within their intervals: [lower at tmin, upper at tmax], rounded outward. `exact` says that both
    bounds are the same number at either end. `dominant` names what the estimate is, at "tmin" and at "tmax";
    `limits` lists all candidates at tmax, the greatest first. `rules` says how the ends were found for interval
    parameters. `expectation` is the mean run time where branches of parallel parts are left to chance, since the
    estimate then takes the maximum of means; None where nothing is, where the bounds are too close to let both differ
    by a tenth, or where it was not worked out. `assumed` names parameters whose ranges nobody gave; where there are
    any, `guaranteed` encloses what was tried in these ranges, and is no guarantee.
    """

    parameters: Mapping[str, Number | Interval]
    estimate: Interval
    lower: Interval
    upper: Interval
    guaranteed: Interval
    exact: bool
    dominant: Mapping[str, str]
    limits: tuple[Limit, ...]
    rules: tuple[str, ...] = ()
    expectation: Expectation | None = None
    assumed: tuple[str, ...] = ()

    @property
    def may_mislead(self) -> bool:
        """Whether the bounds leave room for a mean run time that is more than a tenth away from the estimate."""
        return any(map(room_for_mean, self.estimate, self.lower, self.upper))

    @property
    def misleads(self) -> bool:
        """Whether the mean run time is known, and far from the estimate."""
        return self.expectation is not None and self.expectation.differs(self.estimate)

    @property
    def mean(self) -> Interval:
        """The mean run time at either end of the operation times; where it was not worked out the estimate, moved into
        the bounds."""
        if self.expectation is not None:
            return self.expectation.seconds
        low, high = (
            min(max(T, lower), upper) for T, lower, upper in zip(self.estimate, self.lower, self.upper, strict=True)
        )
        return Interval(low, high)

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)
