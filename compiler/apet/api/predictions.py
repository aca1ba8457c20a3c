"""Predictions of a compiled application on a machine model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from apet.api.any_file import machines_of
from apet.api.arguments import SCHEDULES, Value, one_of, parsed_values
from apet.api.errors import OptionNotParameter
from apet.cost import Application, CostModel
from apet.ground.diagnostics import ApetError
from apet.ground.interval import Interval, Number
from apet.machine import Machines
from apet.prediction.prediction import Prediction
from apet.prediction.processor_count import declared_count
from apet.questions.expected import with_expectations

if TYPE_CHECKING:
    from apet.prediction import Predictor
    from apet.questions.quantiles.uncertainty import Uncertainty
    from apet.simulator.simulation import Simulation

Values = dict[str, Number | Interval]


def predictor(app: CostModel, machines: Machines | None = None, schedule: str = "static") -> Predictor:
    """A predictor for many configurations; what they share is made once."""
    from apet.prediction import Predictor
    from apet.simulator.trial import trying_deadlocks

    return trying_deadlocks(Predictor(app, machines_of(app, machines), one_of("schedule", schedule, SCHEDULES)))


def predict(
    app: CostModel,
    machines: Machines | None = None,
    P: int | None = None,
    *,
    values: Mapping[str, Value] | None = None,
    schedule: str = "static",
    **parameters: Value,
) -> Prediction:
    """Predict the run time on the P fastest processors of a machine model (None: all of them), in seconds.

    What `load_model` made of runs, a queue or a trace needs no machines, nor does a model without operations and
    messages: it runs on P processors, 1 if P is None.

    `values` sets parameters of the model, each to a number, or to a pair or `Interval` for a range; keywords do the
    same for parameters that are not called as an option is. Where branches of parallel parts are left to chance, the
    prediction has an `expectation` beside the estimate. Raises `ApetError` where a value is missing or not allowed,
    or the machine model lacks operations.
    """
    _check_options(app, machines, schedule, values)
    count, settings = request_of(app, P, {**(values or {}), **parameters})
    on = machines_of(app, machines, count or declared_count(app, settings, plain=True))
    deployed = predictor(app, on, schedule)
    prediction = deployed.predict(count, settings)
    return with_expectations(deployed, [prediction])[0]


def _check_options(app: CostModel, machines: object, schedule: object, values: object) -> None:
    """`ApetError` for an option whose value can only be meant for a parameter of the same name."""
    allowed = {
        "machines": machines is None or isinstance(machines, Machines),
        "schedule": schedule in SCHEDULES,
        "values": values is None or isinstance(values, Mapping),
    }
    wrong = [name for name, allows in allowed.items() if not allows and name in app.parameters]
    if wrong:
        raise ApetError([OptionNotParameter(None, None, name, app.name) for name in wrong])


def request_of(app: CostModel, P: int | None, values: Mapping[str, Value] | None) -> tuple[int | None, Values]:
    """Processors and values of parameters, with what a cost model knows of both where nothing is set."""
    settings = {**app.intervals, **parsed_values(values, app)}
    return P or app.usual_processors or declared_count(app, settings), settings


def without(settings: Values, values: Mapping[str, Value] | None, *names: str) -> Values:
    """The settings, without what the model itself says of some names."""
    return {name: value for name, value in settings.items() if name in (values or {}) or name not in names}


def usual_counts(most: int) -> list[int]:
    """1, 2, 4, … and all processors."""
    return [*(1 << k for k in range(most.bit_length()) if 1 << k < most), most]


def quantiles(
    app: Application,
    machines: Machines,
    P: int | None = None,
    levels: Sequence[float] = (0.05, 0.5, 0.95),
    *,
    values: Mapping[str, Value] | None = None,
    draws: int = 10_000,
    seed: int = 0,
    noise: str = "systematic",
    expected: bool = False,
    schedule: str = "static",
) -> Uncertainty:
    """Quantiles of the estimate and of both bounds, in seconds, from draws of the machine model's times.

    `levels` lie in (0, 1). `noise` says what has a time of its own: a kind of machine ("systematic"), a "processor", or
    every execution ("independent"). `expected` adds the expected run time under independent executions. Otherwise as
    `predict`.
    """
    from apet.questions.quantiles import Sampler
    from apet.questions.quantiles.uncertainty import NOISES

    on_machines, settings = predictor(app, machines, schedule), parsed_values(values, app)
    sampler = Sampler(on_machines, levels, draws, seed, one_of("noise", noise, NOISES), expected)
    return sampler.uncertainty(on_machines.predict(P, settings), settings)


def simulate(
    app: Application,
    machines: Machines,
    P: int | None = None,
    *,
    values: Mapping[str, Value] | None = None,
    end: str = "tmin",
    schedule: str = "static",
    seed: int = 0,
) -> Simulation:
    """Run the model event by event with first-come-first-served queues, all operations at one end ("tmin", "tmax").

    Intervals of parameters are not allowed here. Branches with probability are drawn with the seed.
    """
    from apet.simulator.run import simulate_on

    return simulate_on(app, machines, P, end, schedule, seed, parsed_values(values, app))
