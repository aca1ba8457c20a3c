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

DESCRIPTION = """Find every mistake in a model or task graph, and give advice: what is never used, what is likely not
meant as written, what a machine model lacks. Of a machine file, a queueing problem or measured runs, find
every mistake. Exit code 2 if there are mistakes, 0 if there is only advice."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    parser.add_argument("--json", action="store_true", help="for programs: JSON")


def run(options: argparse.Namespace) -> int:
    """Print what is found; 2 if there are errors."""
    with Activity(f"checking {options.model}"):
        diagnostics = findings(options.model, options.entry, options.machines)
    errors = sum(d.severity == "error" for d in diagnostics)
    if options.json:
        output.show(_json(options.model, diagnostics, errors))
    else:
        output.show(_text(diagnostics, errors))
    return 2 if errors else 0


def _text(diagnostics: Sequence[Diagnostic], errors: int) -> str:
    if not diagnostics:
        return "no mistakes, no advice"
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
