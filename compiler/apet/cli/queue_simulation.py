"""`apet simulate` of a queueing network, or of jobs with precedence."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import arguments, output
from apet.cli.version import version
from apet.ground.activity import Activity
from apet.queueing.answer import simulated
from apet.queueing.report.json import queueing_json
from apet.queueing.report.text import queueing_text

DESCRIPTION = "Simulate a queueing network, or jobs with precedence, in their given disciplines and distributions."
SIMULATED = 20_000
"""Jobs per class of a simulation."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("model", metavar="FILE", help="a TOML or JSON file of stations and classes, or a sample")
    text = "the seed of the simulation (default: 0)"
    parser.add_argument("--seed", metavar="S", type=arguments.Whole(), default=0, help=text)
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Read, simulate, print."""
    file = api.read_queue(options.model)
    with Activity(f"simulating {file.name}"):
        answer = simulated(file.problem, SIMULATED, options.seed)
    if options.json:
        text = queueing_json(file.name, answer, version(), file.problem)
    else:
        text = queueing_text(file.name, file.problem, answer)
    output.write_result(text, options.output)
