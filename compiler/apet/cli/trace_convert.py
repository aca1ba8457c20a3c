"""The verb `apet trace convert`: traces in another form."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from gzip import GzipFile
from typing import IO

from apet import api
from apet.cli import output, trace_output
from apet.ground.diagnostics import ApetError
from apet.ground.notation import assignment, count
from apet.ground.values import number
from apet.traces.lines.header import header_of
from apet.traces.lines.writer import trace_lines

# What stands inside functions belongs to `apet.traces.mpi`: every `apet trace` loads this file, few run MPI.
SUMMARY = "write a trace in another form; read event traces of Score-P, Extrae, DUMPI and others"
DESCRIPTION = """Write a trace as one merged file, compressed or not, or as a file per rank. SOURCE is a
time-independent trace in any form, or an event trace: the .otf2 file of an OTF2 archive or what 'otf2-print -A' prints
of it, Extrae's .prv, what 'dumpi2ascii' prints (a folder with a file for each rank, or one of them). What lies between
two MPI calls of an event trace is computing, in instructions where they are counted, otherwise in time."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("trace", metavar="SOURCE", help="a trace, or an event trace")
    text = "the output (required): F.txt, F.gz, or a directory for one file per rank and a list"
    parser.add_argument("-o", "--output", metavar="F", required=True, help=text)
    text = "flops per second of the event trace (default: 1e9, so that 1 flop is 1 ns)"
    parser.add_argument("--rate", metavar="X", default="1e9", help=text)
    text = "divide the volumes of a region of MPI_Pcontrol by its relative speed, as 'calibrate' prints it: 3=1.4"
    parser.add_argument("--region", metavar="K=X", action="append", default=[], help=text)
    text = "write collectives of some ranks and non-blocking ones as messages, for replays that support neither"
    parser.add_argument("--unroll", action="store_true", help=text)


def run(options: argparse.Namespace) -> None:
    """Convert."""
    target: str = options.output
    separate = trace_output.separate(target)
    trace = api.convert_trace(
        options.trace, _rate(options.rate), unroll=options.unroll, regions=_regions(options.region)
    )

    head = header_of((*api.trace_gaps(options.trace), *trace.gaps)).encode()

    def write(file: IO[bytes] | GzipFile, ranks: Sequence[int]) -> None:
        file.write(head)
        for rank in ranks:
            file.write("".join(trace_lines(trace, rank)).encode())

    trace_output.write_parts(target, separate, len(trace.ranks), write)
    where = trace_output.named(target, separate)
    output.show(f"{where}: {len(trace.ranks)} ranks, {trace.events:,} actions")


def _regions(texts: Sequence[str]) -> dict[int, float]:
    """Relative speeds by region; `ApetError`."""
    from apet.traces.mpi.errors import BadCount

    speeds: dict[int, float] = {}
    for text in texts:
        region, speed = assignment("--region", text, "its speed")
        value = float(number("--region", speed))
        if value <= 0:
            raise ApetError(BadCount(None, None, "--region", text, "a region and its speed above 0, as in 3=1.4"))
        speeds[count("--region", region)] = value
    return speeds


def _rate(text: str) -> float:
    from apet.traces.mpi.errors import BadCount

    rate = float(number("--rate", text))
    if rate <= 0:
        raise ApetError(BadCount(None, None, "--rate", text, "above 0"))
    return rate
