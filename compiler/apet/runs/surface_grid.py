"""A fit over several sizes as the time of an operation with several arguments: tables over a grid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

from apet.ground.diagnostics import ApetError
from apet.machine.fitted import FittedGrid, FittedTime
from apet.runs import errors
from apet.runs.experiments import PROCESSORS, Experiment
from apet.runs.fit.surface.surface import fit_surface

REACH = 64
"""Times the largest value of an argument, up to which there are times."""
STEPS = {2: math.sqrt(2.0), 3: 2.0}
"""Ratio of neighbouring knots, by the number of arguments."""
LEAST = 1e-6
"""Of the prediction: a lower end of 0 has no logarithm."""


def fitted_surface(path: str, experiment: Experiment, arguments: Sequence[str]) -> FittedTime:
    """The prediction of an experiment as the time of an operation whose arguments are its parameters; `ApetError`."""
    _check(experiment, arguments)
    axes = [_knots(experiment.values(k), len(arguments)) for k in range(len(arguments))]
    predictions = fit_surface(experiment, list(product(*axes))).predictions
    low = [max(float(p.interval.lo), p.t * LEAST) for p in predictions]
    high = [float(p.interval.hi) for p in predictions]

    grids = [FittedGrid(tuple(axes), tuple(values)) for values in (low, high)]
    first, last = tuple(a[0] for a in axes), tuple(a[-1] for a in axes)
    return FittedTime(path, grids[0].rising(upward=False), grids[1].rising(upward=True), first, last)


def _check(experiment: Experiment, arguments: Sequence[str]) -> None:
    for name in arguments:
        if name not in experiment.names:
            value = experiment.constants.get(name, "")
            constant = f"{value:.12g}" if isinstance(value, float) else value
            raise ApetError(errors.NoSizeArgument(None, None, name, "it is the same in all runs", constant))

    for k, parameter in enumerate(experiment.parameters):
        if parameter.role == PROCESSORS:
            value = f"{experiment.values(k)[0]:.12g}"
            raise ApetError(errors.NoSizeArgument(None, None, parameter.name, "the time falls with it", value))

    if len(arguments) not in STEPS:
        advised = f"at most {max(STEPS)} can be arguments: fix others with where"
        raise ApetError(
            errors.TooFewPoints(None, None, len(experiment.points), f"{len(arguments)} parameters", advised)
        )


def _knots(values: Sequence[float], arguments: int) -> tuple[float, ...]:
    """From the smallest value to far beyond the largest, in equal ratios, with the largest among them."""
    low, high = values[0], REACH * values[-1]
    inside = max(math.ceil(math.log(values[-1] / low) / math.log(STEPS[arguments])), 1)
    beyond = math.ceil(math.log(REACH) / math.log(STEPS[arguments]))
    knots = [low * (values[-1] / low) ** (k / inside) for k in range(inside)]
    return (*knots, *(values[-1] * REACH ** (k / beyond) for k in range(beyond)), high)
