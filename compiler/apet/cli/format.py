"""`apet format`: models and task graphs laid out in one way."""

from __future__ import annotations

import argparse
import sys
from difflib import unified_diff

from apet.cli import output
from apet.cost import deep_recursion
from apet.editor.layout import check_parses, laid_out
from apet.ground.diagnostics import ApetError, Diagnostic, raise_all
from apet.ground.source import Source
from apet.ground.source_files import as_source, read_source, read_stream

DESCRIPTION = """Format PAMELA-E and PASL files: indentation, spaces, one declaration a line; comments and line breaks
are kept. Without --check or --diff the files are rewritten. The exit status is 2 if --check finds one to rewrite."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("files", metavar="FILE", nargs="+", help="a model or task graph; - reads one model, prints it")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="only say which files would change")
    how.add_argument("--diff", action="store_true", help="only show what would change")


def run(options: argparse.Namespace) -> int:
    """Lay out every file; all mistakes are told before one is written."""
    sources: list[tuple[str, Source]] = []
    mistakes: list[Diagnostic] = []
    for path in options.files:
        source, errors = _read(path)
        mistakes += errors
        if source is not None:
            sources.append((path, source))

    raise_all(mistakes)
    changed = [(path, source, new) for path, source in sources if (new := laid_out(source.text)) != source.text]
    for path, source, new in changed:
        if options.diff:
            output.show(_difference(path, source.text, new))
        elif options.check:
            output.show(f"would lay out {path}")
        elif path != "-":
            output.write_result(new, path)
            output.advise(f"laid out {path}")
    if "-" in options.files and not (options.diff or options.check):
        output.show(laid_out(next(source.text for path, source in sources if path == "-")))

    return 2 if options.check and changed else 0


def _read(path: str) -> tuple[Source | None, tuple[Diagnostic, ...]]:
    """The text of a file that parses, or its mistakes."""
    try:
        source = _source(path)
        with deep_recursion():
            check_parses(source)
    except ApetError as error:
        return None, error.diagnostics
    return source, ()


def _source(path: str) -> Source:
    if path != "-":
        return read_source(path)
    return as_source("standard input", read_stream("standard input", sys.stdin.buffer))


def _difference(path: str, old: str, new: str) -> str:
    lines = unified_diff(old.splitlines(), new.splitlines(), path, f"{path}, laid out", lineterm="")
    return "\n".join(lines)
