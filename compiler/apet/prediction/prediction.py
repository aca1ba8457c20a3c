"""What a prediction says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from apet.ground.interval import Interval, Number


class Limit(NamedTuple):
    """What the estimate is the maximum of: "T0" or "T[…]", its time in seconds, and its share of the estimate."""

    name: str
    seconds: float
    share: float


@dataclass(frozen=True, slots=True)
class Prediction:
    """Predicted run time of an application on a machine configuration, in seconds; or what else a cost model is about.

    `estimate` is T = max(T0, max T[r]) at the ends of the measured intervals, as published for APET. `lower` and
    `upper` are the two sharper bounds at those ends. `guaranteed` encloses every run in which operation times and
    parameters stay within their intervals: [lower at tmin, upper at tmax], rounded outward. `exact` says that both
    bounds are the same number at either end. `dominant` names what the estimate is, at "tmin" and at "tmax";
    `limits` lists all candidates at tmax, the greatest first. `rules` says how the ends were found for interval
    parameters.
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

    def _repr_html_(self) -> str | None:
        """What notebooks show."""
        from apet.ground.notebooks import html

        return html(self)
