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

from apet.cost import Application
from apet.formula.evaluate.evaluation import EvaluationError
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine import End, Machines
from apet.prediction import Predictor
from apet.prediction.prediction import Expectation, Prediction
from apet.questions.quantiles.independent import Walk
from apet.simulator.simulation import Simulator

MOST_ITERATIONS = 20_000
"""Iterations that the walks over all configurations of a call may take together: a tenth of a second."""
MOST_EVENTS = 15_000
"""Events and iterations of all simulated runs of a call together."""
LEAST_RUNS, MOST_RUNS = 6, 400
"""Runs of the longest models that are simulated, and of the shortest."""
LEAST_EVENTS = 60
"""Events of a run that are worth a simulation; where many configurations leave less, distributions have to do."""
SURE_RUNS, SURE = 32, 0.005
"""From so many runs on, an error of this share of the mean ends them."""
DOUBT = 0.1
"""Standard deviation of what distributions leave out, as a share of their mean; a guess, which many runs outweigh."""
DIGITS = 12
"""Digits of an expectation that do not depend on the versions of libraries."""
CONFIDENT = 1.96
"""Standard deviations of a mean to either side that hold 95 % of all."""


class Mean(NamedTuple):
    """The mean of runs, the half width of its confidence interval, both in seconds, and how many runs there were."""

    seconds: float
    error: float
    runs: int


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


class Expectations:
    """Expectations for the predictions of one call, which share the work that is allowed."""

    def __init__(self, predictor: Predictor, predictions: Sequence[Prediction]) -> None:
        self.predictor = predictor
        ends = max(1, sum(1 if _is_point(p) else 2 for p in predictions))
        self.most_iterations = MOST_ITERATIONS // ends
        self.most_events = MOST_EVENTS // ends

    def of(self, prediction: Prediction) -> Expectation | None:
        """The expectation of a prediction of the same predictor; None where a parameter is a range, or it takes too
        long."""
        points = {n: v for n, v in prediction.parameters.items() if not isinstance(v, Interval)}
        if len(points) < len(prediction.parameters):
            return None

        app, machines = self.predictor.on_process
        low = self._at("tmin", app, machines, points)
        high = self._at("tmax", app, machines, points) if not _is_point(prediction) else low
        if low is None or high is None:
            return None
        # Where the ends are close, chance may put the mean of the runs at tmax below that at tmin.
        ends = sorted(float(f"{mean.seconds:.{DIGITS}g}") for mean in (low, high))
        return Expectation(Interval(*ends), max(low.runs, high.runs), max(low.error, high.error))

    def _at(self, end: End, app: Application, machines: Machines, values: Mapping[str, Number]) -> Mean | None:
        """At one end of the operation times: of distributions; corrected by simulated runs where things wait."""
        expected = self._of_distributions(end, app, machines, values)
        if expected is not None and expected.exact:
            return Mean(expected.seconds, 0.0, 0)
        runs = self._simulated(end, app, machines, values)
        if not runs:
            return None if expected is None else Mean(expected.seconds, 0.0, 0)
        mean = mean_of_runs(runs, expected)
        return mean if expected is None else _corrected(expected.seconds, mean)

    def _of_distributions(
        self, end: End, app: Application, machines: Machines, values: Mapping[str, Number]
    ) -> ExpectedRun | None:
        P = values["P"]
        assert isinstance(P, int)
        try:
            walk = Walk(app, machines.configure(P), values, self.predictor.schedule, end, self.most_iterations)
            whole = walk.parts()
        except (ApetError, EvaluationError):  # too many different rounds, or what a walk cannot know
            return None
        labels = frozenset(whole.loads) - walk.waiting
        work = sum(n * law.mean for label in labels for law, n in whole.loads[label].items())
        return ExpectedRun(whole.alone.mean, work, labels, walk.exact)

    def _simulated(
        self, end: End, app: Application, machines: Machines, values: Mapping[str, Number]
    ) -> list[SimulatedRun]:
        """As many runs as the events allow, one per seed; none if those are too few to tell."""
        P = values["P"]
        assert isinstance(P, int)
        configuration, topology = machines.configure(P), machines.network.topology
        runs: list[SimulatedRun] = []
        if self.most_events < LEAST_EVENTS * LEAST_RUNS:
            return runs

        left, longest = self.most_events, self.most_events // LEAST_RUNS
        setting, schedule = app.setting.branches, self.predictor.schedule
        try:
            simulator = Simulator(app.resolved, configuration, end, values, topology, setting, schedule, longest)
            while len(runs) < LEAST_RUNS or (left > 0 and len(runs) < MOST_RUNS):
                run = simulator.run(seed=len(runs))
                runs.append(SimulatedRun(run.makespan, run.busy))
                left -= run.events + COST_OF_A_RUN
                if len(runs) % SURE_RUNS == 0 and mean_of_runs(runs, None).error <= SURE * runs[0].seconds:
                    break
        except (ApetError, EvaluationError):  # too long, or a deadlock that `simulate` explains
            return []

        return runs


def _corrected(seconds: float, runs: Mean) -> Mean:
    """The mean of distributions moved towards that of runs, by as much as these are the surer of the two.

    Both are weighed by the reciprocals of their variances; that of the distributions, which leave out some waiting, is
    taken as a `DOUBT` of their mean.
    """
    doubt, error = DOUBT * seconds, runs.error / CONFIDENT
    weight = doubt**2 / (doubt**2 + error**2) if doubt > 0 else 1.0
    return Mean(seconds + weight * (runs.seconds - seconds), CONFIDENT * error * math.sqrt(weight), runs.runs)


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

    if expected is not None and spread > 0:
        slope = covariance(seconds, work) / spread
        mean += slope * (expected.work - fmean(work))
        variance = max(0.0, variance - slope**2 * spread)
    return Mean(mean, CONFIDENT * math.sqrt(variance / len(runs)), len(runs))


COST_OF_A_RUN = 50
"""Events that are counted for a run beside its own: it has to begin and to end."""
