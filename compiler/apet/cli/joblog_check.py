"""`apet check` of a job log: what it lacks."""

from __future__ import annotations

import argparse

from apet.cli import answering, arguments
from apet.ground.activity import Activity
from apet.joblogs.question import JobLogQuestion
from apet.joblogs.report.answers import check_answer

DESCRIPTION = "Show what a job log holds, and what it lacks for a prediction."


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("model", metavar="LOG", help="a log, or the folder of a rolled one; or a sample")
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Read, print."""
    with Activity(f"reading {options.model}"):
        question = JobLogQuestion(options.model)
    answering.write(check_answer(question.log, question.work), options)
