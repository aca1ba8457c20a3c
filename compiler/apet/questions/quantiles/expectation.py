"""The mean run time over the branches that are left to chance, quickly enough to stand beside every prediction.

The published estimate takes the maximum of means where parts run at once, and E[max] >= max E (Jensen, 1906). The
distributions of the parts give the mean of the maximum (`independent`). What they leave out is waiting in queues of
several servers or places; a few simulated runs of the model correct it.

The work is bounded by counts, not by a clock, so that the same call gives the same figures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import covariance, fmean
from typing import NamedTuple

from apet.formula.evaluate.evaluation import EvaluationError
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine import End
from apet.prediction import Predictor
from apet.prediction.prediction import Expectation, Prediction
from apet.questions.quantiles.independent import Walk
from apet.simulator.simulation import Simulator

MOST_ITERATIONS = 20_000
"""Iterations that the walks for one configuration may take together: a tenth of a second."""
MOST_EVENTS = 15_000
"""Events and iterations of all simulated runs of a configuration together."""
LEAST_RUNS, MOST_RUNS = 6, 400
"""Runs of long models, and of the shortest."""
LONGEST_RUN, FEWEST_RUNS = 40_000, 3
"""Events of the longest run that is simulated, whatever `MOST_EVENTS` says, and how many of such runs there are."""
SURE_RUNS, SURE = 32, 0.005
"""From so many runs on, an error of this share of the mean ends them."""
DOUBT = 0.1
"""Standard deviation of what distributions leave out, as a share of their mean; a guess, which many runs outweigh."""
DIGITS = 12
"""Digits of an expectation that do not depend on the versions of libraries."""
CONFIDENT = 1.96
"""Standard deviations of a mean to either side that hold 95 % of all."""
FEW_CONFIDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776}
"""The same where that deviation comes from so few runs (Student's t)."""


class Mean(NamedTuple):
    """The mean of runs, the half width of its confidence interval, both in seconds, and how many runs there were.

    `deviation` is that of single runs, in seconds. `waiting`: whether the mean has all waiting in it.
    """

    seconds: float
    error: float
    runs: int
    deviation: float = 0.0
    waiting: bool = True


class SimulatedRun(NamedTuple):
    """The makespan of a simulated run, and how long it held each resource, in seconds of server time, by label."""

    seconds: float
    held: Mapping[str, float]


class ExpectedRun(NamedTuple):
    """The mean makespan of the distributions, and how long a run holds the resources `labels` together, in seconds.

    Those are all that are held for the time of some work alone, not while waiting for something else. `exact`: nothing
    waits but in turn for one server.
    """

    seconds: float
    work: float
    labels: frozenset[str]
    exact: bool


class Budget(NamedTuple):
    """What one end of the operation times may take: iterations of a walk, and events of all runs."""

    iterations: int
    events: int


class Expectations:
    """Expectations for predictions of one predictor; each has a budget of its own, so that a row of a list is what it
    is alone."""

    def __init__(self, predictor: Predictor) -> None:
        self.predictor = predictor

    def of(self, prediction: Prediction) -> Expectation | None:
        """The expectation of a prediction of the same predictor, within its bounds; None where a parameter is a range,
        or it takes too long."""
        points = {n: v for n, v in prediction.parameters.items() if not isinstance(v, Interval)}
        if len(points) < len(prediction.parameters):
            return None

        means = self.means(prediction, points)
        if means is None:
            return None
        # Where the ends are close, chance may put the mean of the runs at tmax below that at tmin.
        low, high = sorted(float(f"{mean.seconds:.{DIGITS}g}") for mean in means)
        lower, upper = prediction.lower, prediction.upper
        ends = Interval(clipped(low, lower.lo, upper.lo), clipped(high, lower.hi, upper.hi))
        error = max(mean.error for mean in means)
        return Expectation(ends, max(m.runs for m in means), error, all(m.waiting for m in means))

    def means(self, prediction: Prediction, values: Mapping[str, Number]) -> tuple[Mean, Mean] | None:
        """The means at both ends of the operation times; None where they take too long."""
        point = _is_point(prediction)
        budget = Budget(MOST_ITERATIONS, MOST_EVENTS) if point else Budget(MOST_ITERATIONS // 2, MOST_EVENTS // 2)
        low = self._at("tmin", values, budget)
        high = low if point else self._at("tmax", values, budget)
        return None if low is None or high is None else (low, high)

    def _at(self, end: End, values: Mapping[str, Number], budget: Budget) -> Mean | None:
        """At one end of the operation times: of distributions; corrected by simulated runs where things wait."""
        expected = self._of_distributions(end, values, budget)
        if expected is not None and expected.exact:
            return Mean(expected.seconds, 0.0, 0)
        runs = self._simulated(end, values, budget)
        if not runs:
            return None if expected is None else Mean(expected.seconds, 0.0, 0, waiting=False)
        mean = mean_of_runs(runs, expected)
        return mean if expected is None else _corrected(expected.seconds, mean)

    def _of_distributions(self, end: End, values: Mapping[str, Number], budget: Budget) -> ExpectedRun | None:
        app, machines = self.predictor.on_process
        P = values["P"]
        assert isinstance(P, int)
        try:
            walk = Walk(app, machines.configure(P), values, self.predictor.schedule, end, budget.iterations)
            whole = walk.parts()
        except (ApetError, EvaluationError):  # too many different rounds, or what a walk cannot know
            return None
        labels = frozenset(whole.loads) - walk.waiting
        work = sum(n * law.mean for label in labels for law, n in whole.loads[label].items())
        return ExpectedRun(whole.alone.mean, work, labels, walk.exact)

    def _simulated(self, end: End, values: Mapping[str, Number], budget: Budget) -> list[SimulatedRun]:
        """As many runs as the events allow, one per seed; none where one takes too many."""
        app, machines = self.predictor.on_process
        P = values["P"]
        assert isinstance(P, int)
        configuration, topology = machines.configure(P), machines.network.topology
        setting, schedule = app.setting.branches, self.predictor.schedule
        runs, left = list[SimulatedRun](), budget.events
        try:
            simulator = Simulator(app.resolved, configuration, end, values, topology, setting, schedule, LONGEST_RUN)
            while left > 0 or len(runs) < (LEAST_RUNS if left > -budget.events else FEWEST_RUNS):
                run = simulator.run(seed=len(runs))
                runs.append(SimulatedRun(run.makespan, run.busy))
                left -= run.events + COST_OF_A_RUN
                sure = len(runs) % SURE_RUNS == 0 and mean_of_runs(runs, None).error <= SURE * runs[0].seconds
                if sure or len(runs) == MOST_RUNS:
                    break
        except (ApetError, EvaluationError):  # too long, or a deadlock that `simulate` explains
            return []

        return runs


def _corrected(seconds: float, runs: Mean) -> Mean:
    """The mean of distributions moved towards that of runs, by as much as these are the surer of the two.

    Both are weighed by the reciprocals of their variances; that of the distributions, which leave out some waiting, is
    taken as a `DOUBT` of their mean, or as what their distance from the runs has beyond the error of these.
    """
    error = runs.error / CONFIDENT
    doubt = max((DOUBT * seconds) ** 2, (runs.seconds - seconds) ** 2 - error**2)
    weight = doubt / (doubt + error**2) if doubt > 0 else 1.0
    mean = seconds + weight * (runs.seconds - seconds)
    return runs._replace(seconds=mean, error=CONFIDENT * error * math.sqrt(weight))


def clipped(seconds: float, low: Number, high: Number) -> float:
    """A mean of what never leaves two bounds."""
    return min(max(seconds, float(low)), float(high))


def _is_point(prediction: Prediction) -> bool:
    """Whether both ends of the operation times are one."""
    return prediction.estimate.is_point and prediction.lower.is_point and prediction.upper.is_point


def mean_of_runs(runs: Sequence[SimulatedRun], expected: ExpectedRun | None) -> Mean:
    """The mean makespan. Where the mean work of all possible runs is known, the work of these corrects it.

    The work is a control variate: makespans grow with it, so runs that happened to draw much work overestimate the
    mean by as much as the regression line says (S. S. Lavenberg & P. D. Welch, Management Science 27, 1981).
    """
    seconds = [run.seconds for run in runs]
    labels = frozenset[str]() if expected is None else expected.labels
    work = [sum(run.held.get(label, 0.0) for label in labels) for run in runs]
    mean, variance = fmean(seconds), covariance(seconds, seconds)
    spread = covariance(work, work)

    if expected is not None and spread > 0 and len(runs) >= LEAST_RUNS:
        slope = covariance(seconds, work) / spread
        mean += slope * (expected.work - fmean(work))
        variance = max(0.0, variance - slope**2 * spread)
    confident = FEW_CONFIDENT.get(len(runs), CONFIDENT)
    deviation = math.sqrt(covariance(seconds, seconds))
    return Mean(mean, confident * math.sqrt(variance / len(runs)), len(runs), deviation)


COST_OF_A_RUN = 50
"""Events that are counted for a run beside its own: it has to begin and to end."""
