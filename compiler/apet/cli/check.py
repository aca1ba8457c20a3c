"""`apet check`: everything that is wrong with a model, and advice."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from apet import api
from apet.api.models import read
from apet.cli import arguments, output
from apet.cli.version import version
from apet.cost import Application, analyse, deep_recursion
from apet.ground.diagnostics import ApetError, Diagnostic, render
from apet.model.check import check
from apet.model.errors import ModelTooDeep, Recursion
from apet.model.lints import lints
from apet.show.plain import dumps

DESCRIPTION = """Find every mistake in a model, and give advice: what is never used, what is likely not meant as
written, what a machine model lacks. Exit code 2 if there are mistakes, 0 if there is only advice."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    arguments.model(parser)
    arguments.machines(parser, required=False)
    parser.add_argument("--json", action="store_true", help="for programs: JSON")


def run(options: argparse.Namespace) -> int:
    """Print what is found; 2 if there are errors."""
    diagnostics = findings(options.model, options.entry, options.machines)
    errors = sum(d.severity == "error" for d in diagnostics)
    if options.json:
        output.show(_json(options.model, diagnostics, errors))
    else:
        output.show(_text(diagnostics, errors))
    return 2 if errors else 0


def findings(path: str, entry: str | None, machines: str | None) -> list[Diagnostic]:
    """All mistakes and all advice, in that order: as far as each stage lets the next one begin."""
    diagnostics: list[Diagnostic] = []
    app = None
    try:
        model = read(path, entry)
    except ApetError as error:
        diagnostics += error.diagnostics
    else:
        try:
            app = analyse(model)
        except ApetError as error:
            diagnostics += error.diagnostics
        if not any(isinstance(d, Recursion | ModelTooDeep) for d in diagnostics):
            with deep_recursion():
                diagnostics += lints(model, check(model).processors)
    if machines is not None:
        diagnostics += _on(app, machines)

    return sorted(diagnostics, key=lambda d: d.severity != "error")


def _on(app: Application | None, machines: str) -> list[Diagnostic]:
    """What is wrong with a machine model, or lacking in it."""
    try:
        loaded = api.load_machines(machines)
        if app is not None:
            api.predictor(app, loaded)
    except ApetError as error:
        return list(error.diagnostics)
    return []


def _text(diagnostics: Sequence[Diagnostic], errors: int) -> str:
    if not diagnostics:
        return "no mistakes, no advice"
    warnings = len(diagnostics) - errors
    counted = [f"{n} {what}{'s' if n > 1 else ''}" for n, what in ((errors, "error"), (warnings, "warning")) if n]
    return "\n".join([*map(render, diagnostics), ", ".join(counted)])


def _json(path: str, diagnostics: Sequence[Diagnostic], errors: int) -> str:
    return dumps(
        {
            "apet": version(),
            "model": path.replace("\\", "/").rsplit("/", 1)[-1],
            "errors": errors,
            "warnings": len(diagnostics) - errors,
            "diagnostics": [_diagnostic(d) for d in diagnostics],
        }
    )


def _diagnostic(d: Diagnostic) -> dict[str, Any]:
    place = (None, None) if d.source is None or d.span is None else d.source.position(d.span.start)
    return {
        "severity": d.severity,
        "file": None if d.source is None else d.source.name,
        "line": place[0],
        "column": place[1],
        "kind": d.public_kind or type(d).__name__,
        "message": d.text,
        "hint": d.advice or None,
    }
