"""`apet simulate`: the model run event by event, compared with the bounds."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from apet import api
from apet.answers.answer import combined
from apet.answers.simulation import Runs, simulation_answer
from apet.cli import answering, arguments
from apet.cli.loading import advise, load_target
from apet.ground.interval import Interval, Number
from apet.machine import Configuration
from apet.prediction.predictor import Predictor
from apet.show.context import PredictionContext
from apet.simulator.run import simulate_on

DESCRIPTION = """Run the model event by event with first-come-first-served queues: once with all operations at their
shortest time and once at their longest."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.configuration(parser)
    parser.add_argument("--seed", type=arguments.Whole(), default=0, metavar="S", help="seed for branches (default: 0)")
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Simulate at both ends and print one table."""
    counts = arguments.processor_counts(options)
    values = arguments.parsed_settings(options.settings)
    app, machines = load_target(options)
    advise(app)
    predictor = api.predictor(app, machines, options.schedule)
    context = PredictionContext.of(predictor)
    answers = [simulation_answer(context, *_runs(predictor, P, options.seed, values)) for P in counts]
    answering.write(combined(answers), options)


def _runs(
    predictor: Predictor, processors: int | None, seed: int, values: Mapping[str, Number | Interval]
) -> tuple[Runs, Configuration]:
    """The runs at both ends on one number of processors."""
    process, machines = predictor.on_process
    prediction = predictor.predict(processors, values)
    P = prediction.parameters["P"]
    assert isinstance(P, int)
    low, high = (simulate_on(process, machines, P, end, predictor.schedule, seed, values) for end in ("tmin", "tmax"))
    return Runs(low, high, prediction, seed), machines.configure(P)
