"""Translates, checks and predicts methods of Java sources, and counts what became of them.

    python -m tests.java.campaign src/ --methods 3 --seed 1
    python -m tests.java.campaign @files.txt --level flat --files 500

A method that is translated must compile and pass `apet check`, and predict once every parameter has a value: 8 for a
size, 1/4 for a share. Others are findings, with one example for each reason; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from tests.java.campaign.campaign import drawn, run, sources, table

from apet.ground.resources import located
from apet.java.parse.reading import PARSERS
from apet.machine import load_machines
from apet.program.translation import LEVELS


def main(arguments: Sequence[str]) -> int:
    """The exit code: 1 if there is a finding."""
    parser = argparse.ArgumentParser(prog="python -m tests.java.campaign")
    parser.add_argument(
        "places", nargs="+", metavar="PLACE", help="a folder, a file, or @LIST with a file in each line"
    )
    parser.add_argument("--machines", default="zen5-openjdk17", help="a measured machine file, or the name of one")
    parser.add_argument("--level", choices=LEVELS, default="core")
    parser.add_argument("--parser", choices=PARSERS, default="auto")
    parser.add_argument("--resolved", action="store_true", help="ask javac for what the sources leave open")
    parser.add_argument("--files", type=int, default=10**9, metavar="N", help="files, drawn by chance (default: all)")
    parser.add_argument("--methods", type=int, default=2, metavar="N", help="methods of each file (default: 2)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="the same one draws the same methods")
    parser.add_argument("--reasons", type=int, default=40, metavar="N", help="reasons to show (default: 40)")
    options = parser.parse_args(arguments)

    paths = drawn(sources(options.places), options.files, options.seed)
    machines = load_machines(located(options.machines))
    counts = run(
        paths, machines, options.level, options.methods, options.seed, options.parser, options.resolved, _progress
    )
    print(table(counts, options.reasons))
    return int(counts.broken > 0)


def _progress(line: str) -> None:
    """On stderr: a campaign over a JDK takes hours, and is of use when it is stopped, too."""
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
