"""`apet simulate` of a queueing network, or of jobs with precedence."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import answering, arguments
from apet.ground.activity import Activity
from apet.queueing.methods.answer import simulated
from apet.queueing.report.answers import queueing_answer

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
    answering.write(queueing_answer(file.name, file.problem, answer), options)
