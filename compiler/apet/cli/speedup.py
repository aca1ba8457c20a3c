"""`apet speedup`: run times on more processors, from a few measured runs."""

from __future__ import annotations

import argparse

from apet.cli import pictures, scaling
from apet.ground.notation import shares

DESCRIPTION = """Predict the run time on more processors from a few measured runs, and how many processors are of use.
Four runs or more, each on about twice as many processors as the one before, are best; one processor need not be among
them."""
METHODS = ("auto", "adept", "amdahl", "usl", "powerlaw")
LEVELS = (0.8, 0.5)


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    scaling.declare(parser, METHODS, "numbers of processors")
    text = "print the largest number of processors with these efficiencies (default: 0.8,0.5)"
    parser.add_argument("--efficiency", metavar="E,…", help=text)
    pictures.option(parser, "runs, fit and interval against the processors")
    views = ("time", "speedup", "efficiency")
    parser.add_argument("--view", choices=views, default="time", help="what --plot draws (default: time)")


def run(options: argparse.Namespace) -> None:
    """Read, predict, print, draw."""
    scaling.run(
        options, "procs", LEVELS if options.efficiency is None else tuple(shares("--efficiency", options.efficiency))
    )
