"""`apet simulate`: the model run event by event, compared with the bounds."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import arguments, output
from apet.cli.loading import advise, load_target
from apet.cli.version import version
from apet.show.context import PredictionContext
from apet.show.simulation_report import Runs, simulation_json, simulation_text
from apet.simulator.run import simulate_on

DESCRIPTION = """Run the model event by event with first-come-first-served queues: once with all operations at their
shortest time and once at their longest."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.configuration(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed for branches (default: 0)")
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Simulate at both ends and print one table."""
    processors = arguments.one_count(options)
    values = arguments.parsed_settings(options.settings)
    app, machines = load_target(options)
    advise(app)
    predictor = api.predictor(app, machines, options.schedule)
    prediction = predictor.predict(processors, values)
    process = predictor.on_process[0]
    assert machines is not None  # what has a process has machines
    low, high = (
        simulate_on(process, machines, processors, end, options.schedule, options.seed, values)
        for end in ("tmin", "tmax")
    )
    occasion = PredictionContext.of(predictor)
    runs = Runs(low, high, prediction, options.seed)

    if options.json:
        text = simulation_json(occasion, runs, version())
    else:
        text = simulation_text(occasion, runs, machines.configure(processors), output.width())
    output.write_result(text, options.output)
