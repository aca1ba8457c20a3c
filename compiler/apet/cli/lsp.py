"""`apet lsp`: the language server for editors."""

from __future__ import annotations

import argparse

DESCRIPTION = """Serve an editor over standard input and output by the Language Server Protocol: diagnostics while you
type, costs and formulas on hover, go to definition, rename, formatting. Editors start it."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb; editors may add --stdio."""
    parser.add_argument("--stdio", action="store_true", help="standard input and output (always so)")


def run(options: argparse.Namespace) -> None:
    """Serve one client until it leaves."""
    from apet.editor.language_server import serve

    serve()
