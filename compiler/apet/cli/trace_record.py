"""`apet record`: an MPI program run here and recorded as a trace; a compiler that counts."""

from __future__ import annotations

import argparse

from apet.cli import rules, trace_acquire, trace_cc
from apet.cli.errors import WrongCall
from apet.ground.diagnostics import ApetError

DESCRIPTION = trace_acquire.DESCRIPTION.replace("'apet trace cc'", "'apet record --cc --'")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    trace_acquire.declare(parser)
    text = "run a compiler instead, such as mpicc -O2 program.c, so that the program counts the blocks that it runs"
    parser.add_argument("--cc", action="store_true", help=text)
    for option in ("--mode", "--files", "-n", "-o", "--run-limit", "--threads", "--libraries", "--mpiexec", "--mpicc"):
        rules.without(parser._option_string_actions[option], "--cc")


def run(options: argparse.Namespace) -> int | None:
    """Record, or what else is asked."""
    if options.cc:
        return trace_cc.run(options)
    if options.ranks is None:
        raise ApetError(WrongCall(None, None, "how many ranks?", "say it: apet record -n 8 -- ./program"))
    trace_acquire.run(options)
    return None
