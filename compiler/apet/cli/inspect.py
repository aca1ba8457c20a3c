"""`apet inspect`: what a model and its formulas are made of."""

from __future__ import annotations

import argparse

from apet.answers.inspection import inspection_answer
from apet.cli import answering, arguments, loading
from apet.cost import deep_recursion

DESCRIPTION = "Show parameters, equations, resources, operations and formulas of a model, section by section."


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.formulas(parser)
    arguments.branches(parser)
    arguments.results(parser)


def run(options: argparse.Namespace) -> None:
    """Print the sections; with a machine model, as the formulas are for it."""
    app, machines = loading.load_target(options) if options.machines else (loading.compiled(options), None)
    loading.advise(app)
    with deep_recursion():
        answering.write(inspection_answer(app, machines), options)
