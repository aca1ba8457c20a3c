"""The options of `predict` that ask for more than an interval: quantiles and an expectation."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from apet.api.kinds import MODEL
from apet.cli import arguments, output, rules
from apet.ground.diagnostics import ApetError, render
from apet.ground.interval import Interval, Number
from apet.ground.notation import refuse, share
from apet.ground.values import number
from apet.machine.errors import QuantilesAreNoEnds
from apet.machine.outside import outside
from apet.prediction import Predictor
from apet.prediction.prediction import Prediction

if TYPE_CHECKING:
    from apet.questions.quantiles.uncertainty import Uncertainty

NOISES = ("systematic", "processor", "independent")
DRAWS = 10_000
MOST_DRAWS = 10_000_000
MOST_LEVELS = 99
FORM = "write shares: --quantiles 5%,50%,95% or 0.05,0.5,0.95"


def declare(parser: argparse.ArgumentParser) -> None:
    """The options."""
    if not arguments.takes(parser, MODEL):
        return
    text = "quantiles of the run time, 5%%,50%%,95%% or 0.05,0.5,0.95; times are drawn from the machine file"
    quantiles = parser.add_argument("--quantiles", metavar="Q", help=text)
    text = "with --quantiles: what gets its own times: each kind of machine (systematic, default), a processor, or "
    text += "every execution (independent)"
    noise = parser.add_argument("--noise", choices=NOISES, default=NOISES[0], help=text)
    text, default = f"number of draws (default: {DRAWS})", DRAWS
    draws = parser.add_argument(
        "--draws", metavar="N", type=arguments.Whole(100, MOST_DRAWS), default=default, help=text
    )
    text = "seed of the draws (default: 0)"
    seed = parser.add_argument("--seed", metavar="S", type=arguments.Whole(), default=0, help=text)
    text = "the expected run time where every execution differs: the mean of maxima in place of the maximum of means"
    expected = parser.add_argument("--expected-max", action="store_true", help=text)

    for action in (noise, draws, seed):
        rules.needs(action, "--quantiles")
    for action in (quantiles, expected):
        rules.without(action, "--backend queueing")


class QuantileOptions:
    """What the options ask for; `ApetError` where a level or the number of draws is wrong."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.levels = _levels(options.quantiles) if options.quantiles is not None else []
        self.draws: int = options.draws
        self.noise: str = options.noise
        self.seed: int = options.seed
        self.expected: bool = options.expected_max

    def of(
        self, predictor: Predictor, predictions: Sequence[Prediction], values: Mapping[str, Number | Interval]
    ) -> list[Uncertainty]:
        """One answer per prediction; none at all where nothing is asked."""
        if not self.levels and not self.expected:
            return []
        from apet.questions.quantiles import Sampler  # loads numpy

        sampler = Sampler(predictor, self.levels, self.draws, self.seed, self.noise, self.expected)
        return [sampler.uncertainty(p, values) for p in predictions]


def advise(predictor: Predictor) -> None:
    """Print a warning where the machine file gives quantiles that leave something outside."""
    if predictor.machines is None:
        return
    outliers = outside(predictor.machines, predictor.app.operations)
    if not outliers:
        return

    names, share = outliers
    output.advise(render(QuantilesAreNoEnds(None, None, predictor.machines.file, ", ".join(names), f"{share:.3g}")))


def _levels(text: str) -> list[float]:
    """Levels between 0 and 1, in order; what is 1 or more counts per cent, as it did before shares were read."""
    levels = dict[float, None]()
    for part in text.split(","):
        try:
            value = number("--quantiles", part)
        except ApetError:
            value = 0
        if 1 <= value < 100 and "%" not in part:
            output.advise(f"note: --quantiles {part.strip()} is taken as per cent: write {part.strip()}%")
            part = f"{part}%"
        levels[share("--quantiles", part, FORM)] = None
    if len(levels) > MOST_LEVELS:
        refuse("--quantiles", text, f"more than {MOST_LEVELS} levels", FORM)

    return sorted(levels)
