"""Where every answer is shown: as text or JSON on standard output or in a file, and as a picture."""

from __future__ import annotations

import argparse

from apet.answers.answer import Answer
from apet.answers.errors import NoPicture
from apet.cli import output, pictures
from apet.ground.diagnostics import ApetError


def write(answer: Answer, options: argparse.Namespace, text: str | None = None) -> None:
    """Draw where `--plot` names a file, and print or write in the form that was asked for, or `text`; `ApetError`."""
    draw(answer, getattr(options, "plot", None))
    _write(shown(answer, options) if text is None else text, getattr(options, "output", None))


def write_text(text: str, options: argparse.Namespace, what: str) -> None:
    """Print or write what is a text of its own, such as a formula; `ApetError` where a picture of it is wanted."""
    if getattr(options, "plot", None):
        raise ApetError(NoPicture(None, None, what))
    _write(text, options.output)


def _write(text: str, path: str | None) -> None:
    output.write_result(text, path)
    if path not in (None, "-"):
        output.advise(f"wrote {path}")


def draw(answer: Answer, path: str | None) -> None:
    """Draw the answer, if a file is named for that; `ApetError` where it has no picture."""
    if not path:
        return
    if answer.figure is None:
        raise ApetError(NoPicture(None, None, f"the {answer.kind} of {answer.subject}"))
    pictures.write_figure(answer.figure(), path)
    output.advise(f"wrote {path}")


def shown(answer: Answer, options: argparse.Namespace) -> str:
    """The answer as JSON where that is asked for, else as text."""
    if getattr(options, "json", False):
        from apet.answers.json_form import json_text  # JSON and the version: not in the start-up of a plain prediction
        from apet.cli.version import version

        return json_text(answer, version())
    from apet.answers.text import text

    return text(answer, output.width())
