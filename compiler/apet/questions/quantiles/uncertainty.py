"""What is known about a run time beside an interval: quantiles, and an expectation. All times are in seconds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

NOISES = ("systematic", "processor", "independent")
"""systematic: a machine kind has one true cost per operation, the same in the whole run. processor: every processor has
its own. independent: every execution has its own."""


@dataclass(frozen=True, slots=True)
class Quantile:
    """The estimated quantile at a level in (0, 1), and its confidence interval from order statistics."""

    level: float  #: in (0, 1)
    seconds: float  #: the estimate
    low: float  #: in seconds
    high: float  #: in seconds


@dataclass(frozen=True, slots=True)
class Sampled:
    """What the draws of one quantity gave."""

    mean: float  #: in seconds
    deviation: float  #: standard deviation in seconds
    least: float  #: in seconds
    greatest: float  #: in seconds
    quantiles: tuple[Quantile, ...]  #: by ascending level


@dataclass(frozen=True, slots=True)
class Expected:
    """Mean and standard deviation of the run time where every execution differs: an estimate, never a bound.

    `by` names the greatest of the candidates "T0" and "T[…]"; `candidates` gives mean and deviation of each. Waiting
    beyond the loads is in the mean where `runs` simulated runs show it.
    """

    mean: float  #: in seconds
    deviation: float  #: standard deviation in seconds
    by: str  #: the greatest candidate
    candidates: Mapping[str, tuple[float, float]]  #: by name: mean and standard deviation in seconds
    runs: int = 0  #: simulated ones, at each end of the operation times


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """Draws of "estimate", "lower" and "upper", made with `noise` from `seed`.

    `confidence` is that of the quantiles' intervals. `expected` is None unless requested, `quantities` empty
    where there were no draws.
    """

    noise: str  #: one of `NOISES`
    draws: int  #: number of them
    seed: int  #: of the draws
    confidence: float  #: of the quantiles' intervals, 0 to 1
    quantities: Mapping[str, Sampled]  #: "estimate", "lower" and "upper"
    expected: Expected | None  #: None unless requested
