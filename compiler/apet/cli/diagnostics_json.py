"""Diagnostics as JSON: what `apet check --json` lists, and what a verb with --json prints when it fails."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apet.ground.diagnostics import Diagnostic


def show_errors(diagnostics: Sequence[Diagnostic]) -> None:
    """Print one document to standard output, in place of the answer."""
    import json

    from apet.cli.output import show
    from apet.cli.version import version

    rows = [diagnostic_json(d) for d in diagnostics]
    show(json.dumps({"apet": version(), "errors": len(rows), "diagnostics": rows}, indent=2, ensure_ascii=False))


def diagnostic_json(d: Diagnostic) -> dict[str, Any]:
    """One diagnostic with its place; lines and columns count from 1."""
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
