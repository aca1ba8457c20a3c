"""`apet check`: everything that is wrong with a model, and advice."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from apet.api.checks import findings
from apet.cli import arguments, output
from apet.cli.diagnostics_json import diagnostic_json
from apet.cli.version import version
from apet.ground.activity import Activity
from apet.ground.diagnostics import Diagnostic, render_all
from apet.show.plain import dumps

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
    text = _json(options.model, diagnostics, errors) if options.json else _text(diagnostics, errors)
    output.write_result(text, options.output)
    return 2 if errors else 0


def _text(diagnostics: Sequence[Diagnostic], errors: int) -> str:
    if not diagnostics:
        return "no errors, no advice"
    warnings = len(diagnostics) - errors
    counted = [f"{n} {what}{'s' if n > 1 else ''}" for n, what in ((errors, "error"), (warnings, "warning")) if n]
    return "\n".join([render_all(diagnostics), ", ".join(counted)])


def _json(path: str, diagnostics: Sequence[Diagnostic], errors: int) -> str:
    return dumps(
        {
            "apet": version(),
            "model": path.replace("\\", "/").rsplit("/", 1)[-1],
            "errors": errors,
            "warnings": len(diagnostics) - errors,
            "diagnostics": [diagnostic_json(d) for d in diagnostics],
        }
    )
