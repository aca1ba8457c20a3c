"""The verb `apet fold`: loops and equal ranks of a trace."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import answering, arguments, output, rules
from apet.traces.fold.slot_sizes import slot_sizes
from apet.traces.report.folded import folded_answer

DESCRIPTION = """Find the loops in what each rank does, and the ranks that do the same; show them."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("trace", metavar="TRACE", help="a trace, or a list of its files")
    text = "lines to show of each kind of rank (default: 40; 0: all)"
    longest = parser.add_argument("--longest", type=arguments.Whole(), default=40, metavar="N", help=text)
    rules.without(longest, "--json")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(options: argparse.Namespace) -> None:
    """Fold."""
    folded = api.fold_trace(options.trace, sizes_aside=True)
    sites = api.trace_sites(options.trace)
    sizes = [slot_sizes(kind, folded.ranks) for kind in folded.kinds]
    answer = folded_answer(folded, sizes, options.longest if options.longest > 0 else None, sites)
    output.show(answering.shown(answer, options))
