"""`apet export` of a trace: one merged file or one per rank, with collectives as messages, or GOAL."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apet import api
from apet.cli import output, trace_output, trace_settings
from apet.traces.lines.files import Output
from apet.traces.lines.header import header_of
from apet.traces.lines.writer import trace_lines
from apet.traces.report.goal import goal_lines
from apet.traces.trace import Trace

DESCRIPTION = """Write a trace in another form: as one merged file, compressed or not, as a file per rank, with
collectives as messages, or as GOAL."""
FORMS = ("trace", "messages", "goal")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    trace_settings.trace(parser)
    text = "the output (required): F.txt, F.gz, F.xz, or a directory for one file per rank and a list"
    parser.add_argument("-o", "--output", metavar="F", required=True, help=text)
    text = """trace (default); messages: collectives of some ranks and non-blocking ones as messages, for replays that
        support neither; goal: all as operations of LogGOPSim, LLAMP and ATLAHS"""
    parser.add_argument("--as", choices=FORMS, default="trace", dest="form", help=text)


def run(options: argparse.Namespace) -> None:
    """Read, write."""
    if options.form == "goal":
        output.check_writable(options.output)
        trace = api.convert_trace(options.model)
        trace_output.warned(options.model)
        trace_output.write_parts_lines(options.output, goal_lines(trace))
        output.advise(f"wrote {options.output}")
        if trace.processes:
            output.advise(f"GOAL does not say that rank r is on the host of rank r modulo {trace.processes}")
        return
    separate = trace_output.separate(options.output)
    write(api.convert_trace(options.model, unroll=options.form == "messages"), options.output, separate)


def write(trace: Trace, target: str, separate: bool) -> None:
    """Write a trace to one file, or one for each rank; say so."""
    head = header_of(trace.gaps, trace.processes).encode()

    def lines(file: Output, ranks: Sequence[int]) -> None:
        file.write(head)
        for rank in ranks:
            file.write("".join(trace_lines(trace, rank)).encode())

    trace_output.write_parts(target, separate, len(trace.ranks), lines)
    where = trace_output.named(target, separate)
    output.show(f"{where}: {len(trace.ranks)} ranks, {trace.events:,} actions")
