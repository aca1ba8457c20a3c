"""A short run of a model whose processes may block each other for ever: where they do, nothing is predicted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from apet.cost import Application, Chance
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Number
from apet.machine import End
from apet.model.nesting import opposite_nesting
from apet.prediction import Predictor
from apet.prediction.deployment import Deployment

AnyPredictor = TypeVar("AnyPredictor", bound=Predictor)
ENDS: tuple[End, End] = ("tmin", "tmax")
MOST_EVENTS = 20_000
LONGEST_TRIED = 200_000
"""Characters of a model; longer ones were not written by hand."""


def trying_deadlocks(predictor: AnyPredictor) -> AnyPredictor:
    """The predictor, which runs a model without chance first if it takes resources in a circle."""
    app = predictor.app
    if isinstance(app, Application) and _may_be_tried(app) and any(opposite_nesting(app.resolved)):
        predictor.trial = lambda deployment, values: _refuse_deadlock(app, deployment, values)
    return predictor


def _may_be_tried(app: Application) -> bool:
    return len(app.source.text) <= LONGEST_TRIED and app.chance == Chance.NONE


def _refuse_deadlock(app: Application, deployment: Deployment, values: Mapping[str, Number]) -> None:
    """`ApetError` if the run ends in a deadlock at either end of the operation times; a long run decides nothing."""
    from apet.simulator.errors import SimulatedDeadlock  # most models need no trial, and their predictions no simulator
    from apet.simulator.simulation import simulate

    assert deployment.configuration is not None
    setting = app.setting

    for end in ENDS:
        try:
            simulate(
                app.resolved,
                deployment.configuration,
                end,
                values,
                setting.topology,
                setting.branches,
                schedule=deployment.schedule,
                most_events=MOST_EVENTS,
            )
        except ApetError as error:
            if any(isinstance(d, SimulatedDeadlock) for d in error.diagnostics):
                raise
