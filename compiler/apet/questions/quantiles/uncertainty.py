"""What is known about a run time beside an interval: quantiles, and an expectation. All times are in seconds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

NOISES = ("systematic", "processor", "independent")
"""systematic: a machine kind has one true cost per operation, the same in the whole run. processor: every processor has
its own. independent: every execution has its own."""


class Quantile(NamedTuple):
    """The estimated quantile at a level in (0, 1), and its confidence interval from order statistics."""

    level: float
    seconds: float
    low: float
    high: float


class Sampled(NamedTuple):
    """What the draws of one quantity gave."""

    mean: float
    deviation: float
    least: float
    greatest: float
    quantiles: tuple[Quantile, ...]


class Expected(NamedTuple):
    """Mean and standard deviation of the run time where every execution differs: an estimate, never a bound.

    `by` names the greatest of the candidates "T0" and "T[…]"; `candidates` gives mean and deviation of each.
    """

    mean: float
    deviation: float
    by: str
    candidates: Mapping[str, tuple[float, float]]


class Uncertainty(NamedTuple):
    """Draws of "estimate", "lower" and "upper", made with `noise` from `seed`.

    `confidence` is that of the quantiles' intervals. `expected` is None where it was not asked for, `quantities` empty
    where there were no draws.
    """

    noise: str
    draws: int
    seed: int
    confidence: float
    quantities: Mapping[str, Sampled]
    expected: Expected | None
