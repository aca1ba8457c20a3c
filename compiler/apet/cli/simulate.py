"""`apet simulate`: the model run event by event, beside the bounds."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import arguments, output
from apet.cli.errors import bad_option
from apet.cli.loading import advise, load_target
from apet.cli.version import version
from apet.ground.diagnostics import ApetError
from apet.show.context import PredictionContext
from apet.show.simulation_report import Runs, simulation_json, simulation_text
from apet.simulator.run import simulate_on

DESCRIPTION = """Run the model event by event with first-come-first-served queues: once with all operations at their
shortest time and once at their longest."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    parser.add_argument("-P", "--processors", metavar="N", help="how many processors (default: all)")
    arguments.setting(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed for branches (default: 0)")
    arguments.branches(parser)
    arguments.schedule(parser)
    parser.add_argument("--json", action="store_true", help="for programs: JSON")


def run(options: argparse.Namespace) -> None:
    """Simulate at both ends and print one table."""
    processors = _one(options.processors)
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
        output.show(simulation_json(occasion, runs, version()))
    else:
        output.show(simulation_text(occasion, runs, machines.configure(processors), output.width()))


def _one(text: str | None) -> int | None:
    processors = arguments.parsed_processors(text)
    if len(processors) > 1:
        raise ApetError(bad_option("-P", str(text), "a simulation is of one configuration"))
    return processors[0]
