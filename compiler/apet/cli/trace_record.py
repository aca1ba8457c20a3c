"""`apet record`: an MPI program run here and recorded as a trace; a compiler that counts; ways compared."""

from __future__ import annotations

import argparse

from apet.cli import arguments, rules, trace_acquire, trace_cc, trace_score
from apet.cli.errors import WrongCall
from apet.ground.diagnostics import ApetError

DESCRIPTION = f"""{trace_acquire.DESCRIPTION.replace("'apet trace cc'", "'apet record --cc --'")} With --score, ways of
recording are compared instead: what is recorded, what it costs, how large the trace is, whether runs agree."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    trace_acquire.declare(parser)
    way = parser.add_mutually_exclusive_group()
    text = "run a compiler instead, such as mpicc -O2 program.c, so that the program counts the blocks that it runs"
    way.add_argument("--cc", action="store_true", help=text)
    way.add_argument("--score", action="store_true", help="run the program in each way of recording, and compare them")
    text = "with --score: the same program, built by 'apet record --cc'"
    rules.needs(parser.add_argument("--blocks", metavar="PROGRAM", help=text), "--score")
    text = "with --score: runs of each way (default: 5)"
    repeat = parser.add_argument(
        "--repeat", dest="runs", type=arguments.Whole(2, 1000), default=5, metavar="K", help=text
    )
    rules.needs(repeat, "--score")
    rules.needs(parser.add_argument("--json", action="store_true", help="with --score: print JSON"), "--score")
    for option in ("--mode", "--files"):
        rules.without(parser._option_string_actions[option], "--score", "--cc")
    for option in ("-n", "-o", "--run-limit", "--threads", "--libraries", "--mpiexec", "--mpicc"):
        rules.without(parser._option_string_actions[option], "--cc")


def run(options: argparse.Namespace) -> int | None:
    """Record, or what else is asked."""
    if options.cc:
        return trace_cc.run(options)
    if options.ranks is None:
        raise ApetError(WrongCall(None, None, "how many ranks?", "say it: apet record -n 8 -- ./program"))
    (trace_score.run if options.score else trace_acquire.run)(options)
    return None
