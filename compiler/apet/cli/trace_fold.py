"""The verb `apet fold`: loops and equal ranks of a trace."""

from __future__ import annotations

import argparse

from apet import api
from apet.cli import answering, arguments, output, rules, trace_output
from apet.traces.fold.folded_text import folded_lines
from apet.traces.fold.slot_sizes import slot_sizes
from apet.traces.report.folded import folded_answer
from apet.traces.structure import file_sizes

DESCRIPTION = """Find the loops in what each rank does, and the ranks that do the same; show them, and how small the
trace becomes. Nothing is lost: 'apet export' unfolds, and every verb reads folded traces."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("trace", metavar="TRACE", help="a trace, a list of its files, or a folded trace")
    parser.add_argument("-o", "--output", metavar="F", help="write the folded trace; F.gz is compressed")
    text = "lines to show of each kind of rank (default: 40; 0: all)"
    longest = parser.add_argument("--longest", type=arguments.Whole(), default=40, metavar="N", help=text)
    rules.without(longest, "--json")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(options: argparse.Namespace) -> None:
    """Fold."""
    output.check_writable(options.output)
    folded = api.fold_trace(options.trace, sizes_aside=True)
    sites = api.trace_sites(options.trace)
    if options.output is not None:
        trace_output.write_parts_lines(options.output, folded_lines(folded, api.trace_gaps(options.trace), sites))
    files = file_sizes(options.trace, folded)
    sizes = [slot_sizes(kind, folded.ranks) for kind in folded.kinds]
    answer = folded_answer(folded, files, sizes, options.longest if options.longest > 0 else None, sites)
    output.show(answering.shown(answer, options))  # --output is the folded trace
