"""`apet check`: everything that is wrong with a model, and advice."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apet.answers.answer import Answer
from apet.answers.blocks import Lines
from apet.answers.cells import counted
from apet.api.checks import findings
from apet.cli import answering, arguments
from apet.cli.diagnostics_json import diagnostic_json
from apet.ground.activity import Activity
from apet.ground.diagnostics import Diagnostic, render_all

DESCRIPTION = """Report all errors in a model or task graph, also those of a prediction on one core at the values that
the model declares, with advice: what is never used, what is probably not meant as written, what a machine file lacks.
Machine files, queueing problems and measured runs are checked for errors. The exit status is 2 if there are errors, 0
if there is only advice."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    arguments.results(parser)


def run(options: argparse.Namespace) -> int:
    """Print what is found; 2 if there are errors."""
    with Activity(f"checking {options.model}"):
        diagnostics = findings(options.model, options.entry, options.machines)
    errors = sum(d.severity == "error" for d in diagnostics)
    answering.write(_answer(options.model, diagnostics, errors), options)
    return 2 if errors else 0


def _answer(path: str, diagnostics: Sequence[Diagnostic], errors: int) -> Answer:
    """All that is found, and how much of it are errors."""
    name, warnings = path.replace("\\", "/").rsplit("/", 1)[-1], len(diagnostics) - errors
    counts = [counted(n, what) for n, what in ((errors, "error"), (warnings, "warning")) if n]
    found = {"errors": errors, "warnings": warnings, "diagnostics": [diagnostic_json(d) for d in diagnostics]}
    lines = [render_all(diagnostics), ", ".join(counts)] if diagnostics else ["no errors, no advice"]
    return Answer(kind="check", subject=name, results={"model": name, **found}, blocks=[[Lines(lines, 0)]])
