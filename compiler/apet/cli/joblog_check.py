"""`apet check` of a job log: what it lacks."""

from __future__ import annotations

import argparse

from apet.api.job_logs import JobLogQuestion
from apet.cli import output
from apet.ground.activity import Activity
from apet.joblogs.report.check import check_text

DESCRIPTION = "Show what a job log holds, and what it lacks for a prediction."


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("model", metavar="LOG", help="a log, or the folder of a rolled one; or a sample")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")


def run(options: argparse.Namespace) -> None:
    """Read, print."""
    with Activity(f"reading {options.model}"):
        question = JobLogQuestion(options.model)
    output.write_result(check_text(question.log, question.work), options.output)
