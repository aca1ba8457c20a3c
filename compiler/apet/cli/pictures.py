"""Pictures that verbs draw where `--plot` names a file."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from apet.cli.errors import UnknownEnding
from apet.cli.output import check_writable, write_file
from apet.ground.activity import Activity
from apet.ground.diagnostics import ApetError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PICTURES = (".svg", ".png", ".pdf")


def option(parser: argparse.ArgumentParser, what: str) -> argparse.Action:
    """The option `--plot`."""
    return parser.add_argument("--plot", metavar="F", help=f"draw {what}: F.svg, F.png or F.pdf")


def check_results(options: argparse.Namespace) -> None:
    """`ApetError` where the files that a call names cannot be written; asked before the work begins."""
    if getattr(options, "writes_result", False):
        check_writable(options.output)
    check(getattr(options, "plot", None))


def check(path: str | None) -> None:
    """`ApetError` where no picture of this name can be made."""
    if path is None:
        return
    if not path.lower().endswith(PICTURES):
        raise ApetError(UnknownEnding(None, None, "draw", path, ", ".join(PICTURES), "format: --plot prediction.svg"))

    check_writable(path)


def write_figure(figure: Figure, path: str) -> None:
    """Write a picture at once or not at all."""
    from apet.show.plots import save  # loads matplotlib

    with Activity(f"drawing {path}"):
        write_file(path, lambda temporary: save(figure, temporary))
