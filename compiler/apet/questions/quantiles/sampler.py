"""Quantiles of the estimate and of both bounds, from draws of the machine model's times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apet.cost import deep_recursion
from apet.formula.algebra.reduction import substitute
from apet.formula.columns.loops import MOST_CELLS
from apet.formula.evaluate.environment import EvaluationError
from apet.ground.activity import over
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.prediction.binding import Bound, bind
from apet.prediction.evaluation_errors import describe
from apet.prediction.prediction import Prediction
from apet.prediction.predictor import Predictor
from apet.questions.quantiles.draws import DrawPlan
from apet.questions.quantiles.environment import Drawn, DrawnEnvironment, Figures
from apet.questions.quantiles.errors import CannotDraw
from apet.questions.quantiles.expectation import Expectations, clipped
from apet.questions.quantiles.independent import Walk
from apet.questions.quantiles.order_statistics import order_interval
from apet.questions.quantiles.streams import Streams
from apet.questions.quantiles.uncertainty import NOISES, Expected, Quantile, Sampled, Uncertainty

CONFIDENCE = 0.95
MOST_BYTES = 64 * 2**20
"""Of all arrays of one chunk together."""
CHUNK, FEWEST = 4096, 4
"""Draws at a time; their number is a multiple of the least."""
PER_PROCESSOR = 8
"""Arrays that are held at once for each member of a resource family, roughly."""
QUANTITIES = ("estimate", "lower", "upper")


class Sampler:
    """Draws an application's time on configurations of a machine model.

    `levels` in (0, 1); `noise` is one of `NOISES`. The same seed gives the same draws, whatever else is requested.
    """

    def __init__(
        self,
        predictor: Predictor,
        levels: Sequence[float] = (),
        draws: int = 10_000,
        seed: int = 0,
        noise: str = "systematic",
        expected: bool = False,
        chunk: int = CHUNK,
    ) -> None:
        if noise not in NOISES:
            raise ValueError(f"unknown noise {noise!r}; known are {', '.join(NOISES)}")
        if draws < 2 or chunk < 4 or any(not 0 < level < 1 for level in levels):
            raise ValueError("2 draws or more in chunks of 4 or more, and levels in (0, 1)")

        self.app, self.machines = predictor.on_process
        fitted = sorted(self.machines.fitted.intersection(self.app.operations))
        if fitted:
            reason = f"{', '.join(fitted)}: times that are fitted to runs have no distribution to draw from"
            raise ApetError(CannotDraw(None, None, self.app.name, reason, "leave the quantiles out"))
        self.predictor = predictor
        self.levels = tuple(levels)
        self.draws = draws
        self.seed = seed
        self.noise = noise
        self.wants_expected = expected
        self.chunk = chunk

    def uncertainty(self, prediction: Prediction, settings: Mapping[str, Number | Interval]) -> Uncertainty:
        """What the draws give for the configuration and the values of a prediction of the same predictor."""
        P = prediction.parameters["P"]
        assert isinstance(P, int)
        settled = self.predictor.settled(P, settings)
        if settled is not self.predictor:
            sampler = Sampler(settled, self.levels, self.draws, self.seed, self.noise, self.wants_expected, self.chunk)
            return sampler.uncertainty(prediction, settings)
        with deep_recursion():
            bound = bind(self.app, P, settings)
            expected = self._expected(prediction, P, bound) if self.wants_expected else None
            samples = self._sampled(prediction, P, bound) if self.levels else {}
        return Uncertainty(self.noise, self.draws if samples else 0, self.seed, CONFIDENCE, samples, expected)

    def _expected(self, prediction: Prediction, P: int, bound: Bound) -> Expected:
        """The mean of distributions; with the waiting of simulated runs, in which only branches differ."""
        walk = self._walk(P, bound)
        expected = walk.expected()
        runs = None if walk.exact else Expectations(self.predictor).means(prediction, self._middle(bound))
        mean, deviation, count = expected.mean, expected.deviation, 0
        if runs is not None and all(m.runs for m in runs):
            mean = max(mean, fmean(m.seconds for m in runs))
            deviation, count = max(deviation, fmean(m.deviation for m in runs)), max(m.runs for m in runs)
        within = prediction.guaranteed
        return replace(expected, mean=clipped(mean, within.lo, within.hi), deviation=deviation, runs=count)

    def _walk(self, P: int, bound: Bound) -> Walk:
        return Walk(self.app, self.machines.configure(P), self._middle(bound), self.predictor.schedule)

    def _middle(self, bound: Bound) -> dict[str, Number]:
        """One value per parameter: intervals at their middle, rounded down where it must be whole."""
        app, values = self.app, dict(bound.points)
        free = bound.box(app.graph)
        for name, interval in free.items():
            values[name] = int(interval.middle) if name in app.whole else interval.middle
        return values

    def _sampled(self, prediction: Prediction, P: int, bound: Bound) -> dict[str, Sampled]:
        columns = self.columns(P, bound)
        within = {"estimate": prediction.estimate, "lower": prediction.guaranteed, "upper": prediction.guaranteed}
        return {name: self._summary(columns[name], within[name]) for name in QUANTITIES}

    def columns(self, P: int, bound: Bound) -> dict[str, NDArray[np.float64]]:
        """All draws of each quantity."""
        app, predictor = self.app, self.predictor
        roots = [substitute(app.graph, f.node, bound.derived) for f in (app.T_total, app.lower, app.upper)]
        values: dict[str, Any] = dict(bound.points)
        box = bound.box(app.graph)
        for name, interval in box.items():
            values[name] = Drawn(name, interval, name in app.whole)

        counts = self._walk(P, bound).parts().counts if self.noise == "independent" else {}
        figures, streams = Figures(self.machines.configure(P)), Streams(self.seed)
        environment = DrawnEnvironment(figures, values, predictor.schedule, self.noise, streams, counts)
        drawn = np.empty((len(roots), self.draws))
        try:
            plan = DrawPlan(app.graph, roots, environment.chunk(0, FEWEST), box)
            plan.run(FEWEST)
            arrays = sum(plan.plan.varied.values()) + PER_PROCESSOR * P
            most = min(self.chunk, MOST_BYTES // (8 * arrays), MOST_CELLS // plan.batch.widest)
            chunk = max(FEWEST, most // FEWEST * FEWEST)
            for start in over(range(0, self.draws, chunk), "drawing", "chunks", "take fewer draws"):
                count = min(chunk, self.draws - start)
                environment.chunk(start, count)
                drawn[:, start : start + count] = plan.run(count)
        except (EvaluationError, LookupError, OverflowError) as error:
            reason = str(error.args[0]) if error.args else str(error)
            advised = "try apet predict without --quantiles"
            raise ApetError(CannotDraw(None, None, describe(bound.values), reason, advised)) from None
        return dict(zip(QUANTITIES, drawn, strict=True))

    def _summary(self, column: NDArray[np.float64], within: Interval) -> Sampled:
        # Draws are rounded sums; the interval's ends are exact. What a rounding error put outside is put back.
        column = np.sort(np.clip(column, float(within.lo), float(within.hi)))
        quantiles = []
        for level in self.levels:
            first, last = order_interval(self.draws, level, CONFIDENCE)
            seconds = float(np.quantile(column, level))
            quantiles.append(Quantile(level, seconds, float(column[first]), float(column[last])))
        mean, deviation = float(column.mean()), float(column.std(ddof=1))
        return Sampled(mean, deviation, float(column[0]), float(column[-1]), tuple(quantiles))
