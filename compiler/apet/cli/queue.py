"""`apet queue`: queueing networks and jobs with precedence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

SUMMARY = "solve a queueing network, or jobs with precedence"
DESCRIPTION = """Solve a queueing network, jobs with precedence that compete for stations, or an open fork-join:
response times, throughputs, utilizations."""
METHODS = ("auto", "exact", "schweitzer", "linearizer", "bounds")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("file", metavar="FILE", help="a TOML or JSON file of stations and classes")
    text = (
        "how: auto (exact while that takes seconds), exact, schweitzer, linearizer, bounds (default: as the file says)"
    )
    parser.add_argument("--method", choices=METHODS, help=text)
    parser.add_argument("--json", action="store_true", help="for programs: JSON")
    parser.add_argument("-o", "--output", metavar="F", help="write the result to a file")


def run(options: argparse.Namespace) -> None:
    """Read, solve, print."""
    from apet import driver
    from apet.cli import output
    from apet.cli.version import version
    from apet.report.queueing_report import queueing_json, queueing_text

    output.check_writable(options.output)
    found = driver.read_queue(options.file)
    method = options.method or (found.method if found.method in METHODS else "auto")
    result = driver.queue(found.problem, method, found.method)
    if options.json:
        text = queueing_json(found.name, result, version())
    else:
        text = queueing_text(found.name, found.problem, result)
    output.deliver(text, options.output)
