"""The verb `apet record`: run an MPI program, and write what its ranks compute and send as a trace."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apet.cli import arguments, output, trace_output
from apet.ground.diagnostics import ApetError, render
from apet.ground.notation import duration

if TYPE_CHECKING:
    from apet.traces.lines.files import Output
    from apet.traces.mpi import Acquired, Order

# What stands inside functions belongs to `apet.traces.mpi`: every verb of traces loads this file, few run MPI.
DESCRIPTION = """Run an MPI program, however many ranks on however few cores, and write a trace of volumes: what each
rank computes, and what it sends and receives. The program needs no change; with 'apet record --cc' in front of its
compiler volumes are instructions, and the same in every run."""
MODES = ("blocks", "counters", "cpu")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("command", nargs="+", metavar="PROGRAM", help="after --: the program and its arguments")
    parser.add_argument("-n", type=arguments.Whole(1), dest="ranks", metavar="N", help="ranks (required)")
    text = "volumes by counted blocks, by hardware counters, or by CPU time (default: the first one available)"
    parser.add_argument("--mode", choices=MODES, help=text)
    text = "record reading and writing files as sleeping for that time; by default it is counted and left out"
    parser.add_argument("--files", action="store_true", help=text)
    text = "the trace (default: PROGRAM.N.txt); F.gz, F.xz are compressed; a directory takes a file per rank and a list"
    parser.add_argument("-o", "--output", metavar="F", help=text)
    running_options(parser)


def running_options(parser: argparse.ArgumentParser) -> None:
    """How a program is started, and how long it may take."""
    parser.add_argument(
        "--run-limit",
        dest="limit",
        metavar="TIME",
        default="10 min",
        help="end the run after this time (default: 10 min)",
    )
    text = "add up the volumes of all threads of a rank (OpenMP), instead of those of the one that calls MPI"
    parser.add_argument("--threads", action="store_true", help=text)
    text = "record what libraries compute, which count no blocks, as sleeping for their CPU time"
    parser.add_argument("--libraries", action="store_true", help=text)
    parser.add_argument("--mpiexec", metavar="CMD", help="the launcher (default: that of the program's MPI)")
    parser.add_argument("--mpicc", metavar="CMD", help="the compiler of that MPI (default: found in the same way)")


def order_of(options: argparse.Namespace, mode: str | None) -> Order:
    """What is to be run."""
    from apet.traces.mpi import Order
    from apet.traces.mpi.errors import BadCount

    limit = float(duration("--run-limit", options.limit))
    if limit <= 0:
        raise ApetError(BadCount(None, None, "--run-limit", options.limit, "above 0"))
    commands = options.mpiexec, options.mpicc
    order = Order(tuple(options.command), options.ranks, mode, limit, *commands)
    return order._replace(threads=options.threads, libraries=options.libraries)


def run(options: argparse.Namespace) -> None:
    """Run and record."""
    from apet.traces.mpi import acquire

    order = order_of(options, options.mode)._replace(files=options.files)
    target = options.output or f"{os.path.basename(order.command[0])}.{order.ranks}.txt"
    separate = trace_output.separate(target)
    trace = acquire(order, lambda acquired: write_trace(acquired, target, separate), show=True)
    for mistake in trace.advice:
        output.warn(render(mistake))
    output.show(_said(trace, trace_output.named(target, separate)))


def write_trace(trace: Acquired, target: str, separate: bool) -> None:
    """Write what a run left behind: to one file, or to a directory of one file for each rank; with its call sites."""
    from apet.traces.lines.sites import write_call_sites
    from apet.traces.mpi import merging
    from apet.traces.mpi.sites import numbers_of_lines

    head = trace.header()

    def write(file: Output, ranks: Sequence[int]) -> None:
        merging.write_merged(file, [trace.parts[r] for r in ranks], head)

    def write_sites(file: Output, ranks: Sequence[int], size: int) -> None:
        sites, by_rank = trace.sites
        write_call_sites(file, size, sites, numbers_of_lines(trace.parts, by_rank, ranks, head))

    trace_output.write_parts(target, separate, len(trace.parts), write, write_sites if trace.sites[0] else None)


def _said(trace: Acquired, path: str) -> str:
    from apet.traces.mpi import merging

    ranks = f"{len(trace.parts)} rank{'s' if len(trace.parts) != 1 else ''}"
    return f"{path}: {ranks}, volumes are {merging.VOLUMES[trace.volumes]}; next: apet check {path}"
