"""The options of `predict` that ask for more than an interval: quantiles and an expectation."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

from apet.cli import output
from apet.cli.errors import bad_option
from apet.ground.diagnostics import ApetError, render
from apet.ground.interval import Interval, Number
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


def declare(parser: argparse.ArgumentParser) -> None:
    """The options."""
    text = "quantiles of the run time, in per cent: 5,50,95; times of operations are drawn from the machine file"
    parser.add_argument("--quantiles", metavar="Q", help=text)
    text = "with --quantiles: what gets its own times: each kind of machine (systematic, default), a processor, or "
    text += "every execution (independent)"
    parser.add_argument("--noise", choices=NOISES, default=NOISES[0], help=text)
    parser.add_argument("--draws", metavar="N", help=f"number of draws (default: {DRAWS})")
    parser.add_argument("--seed", metavar="S", type=int, default=0, help="seed of the draws (default: 0)")
    text = "the expected run time where every execution differs: the mean of maxima in place of the maximum of means"
    parser.add_argument("--expected-max", action="store_true", help=text)


class QuantileOptions:
    """What the options ask for; `ApetError` where a level or the number of draws is wrong."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.levels = _levels(options.quantiles) if options.quantiles is not None else []
        self.draws = _draws(options.draws)
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
    levels: dict[float, None] = {}
    for part in text.split(","):
        try:
            level = float(part) / 100
        except ValueError:
            _refuse(text, f"'{part.strip()}' is no number")
        if not 0 < level < 1:
            _refuse(text, f"{part.strip()} is not between 0 and 100")
        levels[level] = None
    if len(levels) > MOST_LEVELS:
        _refuse(text, f"more than {MOST_LEVELS} levels")

    return sorted(levels)


def _draws(text: str | None) -> int:
    if text is None:
        return DRAWS
    number = text.replace("_", "")
    if number.isdecimal() and len(number) < 10 and 100 <= int(number) <= MOST_DRAWS:
        return int(number)
    raise ApetError(bad_option("--draws", text, f"not a whole number from 100 to {MOST_DRAWS:,}"))


def _refuse(text: str, reason: str) -> NoReturn:
    raise ApetError(bad_option("--quantiles", text, reason))
