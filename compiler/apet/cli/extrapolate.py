"""`apet extrapolate`: run times at larger inputs, from a few measured runs."""

from __future__ import annotations

import argparse

from apet.cli import pictures, scaling

DESCRIPTION = """Predict the run time at larger inputs from a few measured runs at small ones: no model of the program
is needed. Five sizes or more, each at least 1.2 times the one before, are best."""
METHODS = ("auto", "fractal", "powerlaw")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    scaling.declare(parser, METHODS, "sizes")
    pictures.option(parser, "runs, fit and interval against the size")


def run(options: argparse.Namespace) -> None:
    """Read, predict, print, draw."""
    scaling.run(options, "size")
