"""`apet translate`: source code of a task to an application model."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

SUMMARY = "make an application model from source code"
DESCRIPTION = """Make a PAMELA-E model from the Java source of a task. What no source can tell (rounds of a loop that
does not count, probabilities of conditions) becomes a parameter that says where it comes from."""
LEVELS = ("core", "flat")
FRONT_ENDS = {".java": "Java"}


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("source", metavar="FILE", help="a Java file, or the name of a shipped sample")
    text = "the method to begin with: Class.method, with types where it is overloaded (default: main, else run)"
    parser.add_argument("--entry", metavar="E", help=text)
    text = "core: loops as a compiled program runs them (default); flat: counts of operations, as published"
    parser.add_argument("--level", choices=LEVELS, default="core", help=text)
    parser.add_argument("-o", "--output", metavar="F", help="write the model to a file")


def run(options: argparse.Namespace) -> None:
    """Translate and print the model; advice goes to standard error."""
    from apet import driver
    from apet.cli import output
    from apet.diagnostics import ApetError, render

    output.check_writable(options.output)
    ending = os.path.splitext(options.source)[1].lower()
    if ending not in FRONT_ENDS:
        from apet.cli.mistakes import UnknownLanguage

        raise ApetError(UnknownLanguage(None, None, options.source, ", ".join(FRONT_ENDS)))
    found = driver.translate(options.source, entry=options.entry, level=options.level)
    for one in found.advice:
        output.complain(render(one))
    output.deliver(found.text, options.output)
