"""The peer of predictions from runs: Extra-P's default modeler."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from extrap.entities.callpath import Callpath  # type: ignore[import-not-found]
from extrap.entities.coordinate import Coordinate  # type: ignore[import-not-found]
from extrap.entities.experiment import Experiment  # type: ignore[import-not-found]
from extrap.entities.measurement import Measurement  # type: ignore[import-not-found]
from extrap.entities.metric import Metric  # type: ignore[import-not-found]
from extrap.entities.parameter import Parameter  # type: ignore[import-not-found]
from extrap.modelers.model_generator import ModelGenerator  # type: ignore[import-not-found]
from tests.benchmarks.protocols import Task


def predict(task: Task) -> Sequence[float]:
    """t at the targets; over processors a model of t p, divided by p."""
    work = task.curve.kind == "procs"
    experiment, callpath, metric = Experiment(), Callpath("main"), Metric("time")
    experiment.add_parameter(Parameter("n"))
    experiment.add_callpath(callpath)
    experiment.add_metric(metric)
    for run in task.curve.runs:
        coordinate = Coordinate(float(run.n))
        experiment.add_coordinate(coordinate)
        factor = run.n if work else 1.0
        values = np.array([t * factor for t in run.repetitions or (run.t,)])
        experiment.add_measurement(Measurement(coordinate, callpath, metric, values))
    generator = ModelGenerator(experiment, use_median=True)
    generator.model_all()
    function = generator.models[callpath, metric].hypothesis.function
    return [float(function.evaluate(float(n))) / (n if work else 1.0) for n in task.n]
