"""Extra-P's models of runs over several parameters: its default modeler, with exponents below 0, of t P, by phase.

A. Calotoiu, D. Beckingsale, C. Earl, T. Hoefler, I. Karlin, M. Schulz and F. Wolf, Fast multi-parameter performance
modeling, 2016. Needs the package `extrap`.
"""

from __future__ import annotations

import contextlib
import io
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from apet.runs.experiments import PROCESSORS
from apet.runs.experiments import Experiment as Runs

Array = NDArray[np.float64]


def predicted(runs: Runs, targets: Sequence[Sequence[float]], *, negative: bool, by_phase: bool) -> Array:
    """Seconds at the targets, (targets,): of the whole run, or the sum over its phases."""
    if not by_phase or not runs.phases:
        return _curve(runs, [p.t for p in runs.points], targets, negative)
    parts = [[p.paths.get(name, 0.0) for p in runs.points] for name in runs.phases]
    return np.asarray(np.sum([_curve(runs, part, targets, negative) for part in parts], axis=0))


def of_work(runs: Runs, targets: Sequence[Sequence[float]]) -> Array:
    """Seconds at the targets by a model of t P: what grows with the processors is then the rule."""
    columns = [k for k, p in enumerate(runs.parameters) if p.role == PROCESSORS]

    def processors(x: Sequence[float]) -> float:
        return math.prod(x[k] for k in columns)

    work = _curve(runs, [p.t * processors(p.x) for p in runs.points], targets, False)
    return np.asarray(work / np.array([processors(x) for x in targets]))


def _curve(runs: Runs, seconds: Sequence[float], targets: Sequence[Sequence[float]], negative: bool) -> Array:
    from extrap.entities.callpath import Callpath  # type: ignore[import-not-found]
    from extrap.entities.coordinate import Coordinate  # type: ignore[import-not-found]
    from extrap.entities.experiment import Experiment  # type: ignore[import-not-found]
    from extrap.entities.measurement import Measurement  # type: ignore[import-not-found]
    from extrap.entities.metric import Metric  # type: ignore[import-not-found]
    from extrap.entities.parameter import Parameter  # type: ignore[import-not-found]
    from extrap.modelers.model_generator import ModelGenerator  # type: ignore[import-not-found]
    from extrap.modelers.multi_parameter.multi_parameter_modeler import MultiParameterModeler  # type: ignore[import-not-found]

    experiment, path, metric = Experiment(), Callpath("whole"), Metric("time")
    experiment.add_callpath(path)
    experiment.add_metric(metric)
    for name in runs.names:
        experiment.add_parameter(Parameter(name))
    for point, value in zip(runs.points, seconds, strict=True):
        coordinate = Coordinate(*point.x)
        experiment.add_coordinate(coordinate)
        experiment.add_measurement(Measurement(coordinate, path, metric, [value]))

    modeler = MultiParameterModeler()
    if negative:
        modeler.single_parameter_modeler.allow_negative_exponents = True
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        generator = ModelGenerator(experiment, modeler=modeler)
        generator.model_all()
    function = generator.models[path, metric].hypothesis.function
    values = [float(function.evaluate(list(x))) for x in targets]
    return np.array([v if math.isfinite(v) else 0.0 for v in values])
