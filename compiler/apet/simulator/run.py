"""A compiled application run event by event on a machine model."""

from __future__ import annotations

from collections.abc import Mapping

from apet.cost import Application
from apet.formula.evaluate.evaluation import EvaluationError
from apet.ground.diagnostics import ApetError, Diagnostic
from apet.ground.interval import Interval, Number
from apet.machine import End, Machines
from apet.machine.operation_classes import completed
from apet.prediction.binding import bind
from apet.prediction.errors import NotEvaluable
from apet.prediction.processor_count import declared_count
from apet.simulator.simulation import Simulation, simulate


class RangeNotSimulated(Diagnostic):
    """A range where a run needs one value."""

    message = "{name} is a range, and a simulation runs with one value"
    hint = "choose a value in it: --set {name}=…; predict takes ranges"


def simulate_on(
    app: Application,
    machines: Machines,
    P: int | None,
    end: str,
    schedule: str,
    seed: int,
    values: Mapping[str, Number | Interval],
) -> Simulation:
    """One run on the P fastest processors (None: all), all operations at "tmin" or all at "tmax".

    Parameters are bound as for a prediction; the branches are those of the application's setting, the topology is that
    of the machine model. Raises `ApetError` where a value is missing, not allowed or a range; ValueError for another
    end.
    """
    if end not in ("tmin", "tmax"):
        raise ValueError(f"unknown end {end!r}; known are tmin, tmax")
    side: End = "tmin" if end == "tmin" else "tmax"
    count = declared_count(app, values) if P is None else P
    configuration = completed(machines, app.operations).configure(count)
    ranges = [RangeNotSimulated(None, None, name) for name, v in values.items() if isinstance(v, Interval)]
    if ranges:
        raise ApetError(ranges)
    numbers = _bound(app, configuration.P, values)
    topology = machines.network.topology
    return simulate(app.resolved, configuration, side, numbers, topology, app.setting.branches, seed, schedule)


def _bound(app: Application, processors: int, values: Mapping[str, Number | Interval]) -> Mapping[str, Number]:
    try:
        return bind(app, processors, values).points
    except EvaluationError as error:
        raise ApetError(NotEvaluable(None, None, "these parameters", str(error))) from None
