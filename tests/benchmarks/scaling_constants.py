"""The constants of predictions from runs, found on some groups of curves and judged on the others.

python -m tests.benchmarks.scaling_constants [TRIALS]

Drawn at random from wide ranges: prior weights of shapes, size and reach of the deviation, noise, freedom. The best
fiftieth are averaged, parameter by parameter, since one best of many is best by luck; best in the mixture in which they
are used. Then it is chosen how the normal form is fitted, then the quantiles of errors are taken. For each group of
curves all of this is done without the group, and what comes out predicts the group. With all groups it gives the
constants that are shipped.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from tests.benchmarks.protocols import Figures, Task, judged, tasks

from apet.runs.fit.blend import Constants
from apet.runs.fit.estimate import LogEstimate, estimate, main_phases, mixed
from apet.runs.fit.recipe import LEVELS, Mixture, Settings
from apet.runs.fit.shapes import Prior, ProcsPrior, SizePrior

Array = NDArray[np.float64]
TRIALS, KEPT = 1500, 50
USUAL_MEAN, USUAL_MIDDLE = 0.12, 0.06
REGIME = {"size": "size", "procs": "procs", "interpolation": "between"}
PLAIN = Mixture(0.0, 0.0, 0.0, 0.0)
HOW = list(product((0.0, 0.5, 1.0), (4.0, 8.0, 40.0)))
MIXTURES = {
    "size": [Mixture(1 / 2, p, q, 0.0) for p, q in HOW],
    "procs": [PLAIN],
    "interpolation": [Mixture(1 / 3, p, q, 1 / 3) for p, q in HOW],
}
"""What is averaged counts alike: weights of forecasts, when estimated, are seldom better than equal ones (R. T. Clemen,
Combining forecasts, 1989). Only how the normal form is fitted is chosen."""


class Judged(NamedTuple):
    """A protocol with each group predicted by the constants of the others, and the constants of all."""

    tried: list[Task]
    found: list[Array]
    figures: Figures
    settings: Settings
    quantiles: tuple[float, ...]


def drawn(regime: str, count: int) -> list[Constants]:
    """Constants from wide ranges, the same each time."""
    dice = np.random.default_rng(5)

    def even(low: float, high: float) -> float:
        return float(dice.uniform(low, high))

    def ratio(low: float, high: float) -> float:
        return math.exp(even(math.log(low), math.log(high)))

    found = []
    for _ in range(count):
        prior: Prior = ProcsPrior(even(0, 3), even(0, 6), even(0, 8), even(-1, 2), even(-1, 2))
        if regime == "size":
            prior = SizePrior(
                even(0, 2.5), even(0, 2.5), even(0, 2), even(0, 3), even(0, 4), even(1, 2.6), ratio(0.5, 2.5)
            )
        size = ratio(0.03, 0.3)
        found.append(Constants(prior, size, ratio(0.5, 5), size * ratio(0.02, 0.6), ratio(0.7, 6)))
    return found


def averaged(chosen: Sequence[Constants]) -> Constants:
    """The mean of each weight, the geometric mean of each size."""
    prior = chosen[0].prior
    weights = np.mean([c.prior for c in chosen], axis=0)
    sizes = np.exp(np.mean([np.log(c[1:]) for c in chosen], axis=0))
    return Constants(type(prior)(*map(float, weights)), *map(float, sizes))


def error(task: Task, mean: Array) -> float:
    """The mean relative error of a curve, each target at most 1."""
    return float(np.minimum(np.abs(np.exp(mean) - task.t) / task.t, 1).mean())


def loss(errors: Array) -> Array:
    """Of the errors of curves (last axis): their mean and their geometric mean, each in units of a usual one."""
    return np.asarray(errors.mean(axis=-1) / USUAL_MEAN + np.exp(np.log(errors + 0.01).mean(axis=-1)) / USUAL_MIDDLE)


def cross_validated(protocol: str, trials: int = TRIALS) -> Judged:
    """Everything found without a group predicts the group."""
    tried = list(tasks(protocol))
    groups = np.array([task.group for task in tried])
    regime = REGIME[protocol]
    candidates = drawn(regime, trials)
    mixing = cache(lambda k, mixture: _pull(tried[k], mixture))
    usual = MIXTURES[protocol][len(MIXTURES[protocol]) // 2]
    errors = np.array(
        [
            [error(task, mixing(k, usual)(_plain(regime, c, [task])[0].mean)) for k, task in enumerate(tried)]
            for c in candidates
        ]
    )
    found, low, high, spreads = (list[Array](tried) for _ in range(4))  # type: ignore[arg-type]
    for group in sorted(set(groups)):
        settings, quantiles = _chosen(regime, protocol, tried, candidates, errors, groups != group, mixing)
        ends = [float(np.interp(level, LEVELS, quantiles)) for level in (0.05, 0.95)]
        for k in np.flatnonzero(groups == group):
            guess = _estimated(tried[k], {tried[k].curve.kind: settings, "between": settings})
            found[k], spreads[k] = np.exp(guess.mean), guess.spread
            low[k], high[k] = (np.exp(guess.mean + end * guess.spread) for end in ends)
    everything = np.full(len(tried), True)
    settings, quantiles = _chosen(regime, protocol, tried, candidates, errors, everything, mixing)
    return Judged(tried, found, judged(found, low, high, spreads, tried), settings, quantiles)  # type: ignore[arg-type]


def _chosen(
    regime: str,
    protocol: str,
    tried: Sequence[Task],
    candidates: Sequence[Constants],
    errors: Array,
    used: NDArray[np.bool_],
    mixing: Callable[[int, Mixture], Any],
) -> tuple[Settings, tuple[float, ...]]:
    order = np.argsort(loss(errors[:, used]))[: max(len(candidates) // KEPT, 5)]
    constants = averaged([candidates[int(k)] for k in order])
    numbers = [int(k) for k in np.flatnonzero(used)]
    plain = [_plain(regime, constants, [tried[k]])[0] for k in numbers]
    losses = [
        loss(np.array([error(tried[k], mixing(k, m)(e.mean)) for k, e in zip(numbers, plain, strict=True)]))
        for m in MIXTURES[protocol]
    ]
    mixture = MIXTURES[protocol][int(np.argmin(losses))]
    scores = [(np.log(tried[k].t) - mixing(k, mixture)(e.mean)) / e.spread for k, e in zip(numbers, plain, strict=True)]
    return Settings(constants, mixture), quantiles_of(scores)


def quantiles_of(scores: Sequence[Array]) -> tuple[float, ...]:
    """At the levels of the shipped table; each curve counts alike."""
    values = np.concatenate(list(scores))
    weights = np.concatenate([np.full(len(s), 1 / len(s)) for s in scores])
    order = np.argsort(values)
    reached = np.cumsum(weights[order]) / weights.sum()
    places = np.minimum(np.searchsorted(reached, LEVELS), len(values) - 1)
    return tuple(float(x) for x in values[order][places])


def _plain(regime: str, constants: Constants, tried: Sequence[Task]) -> list[LogEstimate]:
    """The blend alone."""
    settings = Settings(constants, PLAIN)
    return [_estimated(task, {task.curve.kind: settings, regime: settings}) for task in tried]


def _estimated(task: Task, settings: dict[str, Settings]) -> LogEstimate:
    return estimate(task.curve, np.array(task.n, dtype=float), settings)


def _pull(task: Task, mixture: Mixture) -> Callable[[Array], Array]:
    """ln t of the blend to ln t of the mixture; what does not depend on the blend is computed once."""
    n, t = (np.array([getattr(r, name) for r in task.curve.runs], dtype=float) for name in "nt")
    at, phases = np.array(task.n, dtype=float), main_phases(task.curve, t)
    phases = phases if len(phases) > 1 else {}
    return lambda mean: mixed(mixture, task.curve.kind, n, t, at, mean, phases)


def main() -> int:
    """Print the constants and what is expected of them."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else TRIALS
    for protocol in REGIME:
        found = cross_validated(protocol, trials)
        f = found.figures
        print(f"{protocol}: {f.median:.1f} / {f.mean:.1f} / {f.high:.1f} %, covers {f.coverage:.0%}", end="")
        print(f", width {f.width:.2f}, rank correlation {f.correlation:.2f}")
        print(f"  {found.settings.blend}\n  {found.settings.mixture}")
        print("  quantiles", ", ".join(f"{q:.2f}" for q in found.quantiles), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
