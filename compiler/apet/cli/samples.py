"""`apet samples`: the samples that come with APET, listed, shown or copied."""

from __future__ import annotations

import argparse
import os
import shutil
from typing import NoReturn

from apet.cli import output
from apet.cli.errors import WrongCall
from apet.ground import resources
from apet.ground.diagnostics import ApetError, nearest
from apet.ground.source_files import read_source
from apet.show.plain import dumps
from apet.show.tables import table

DESCRIPTION = """List the samples that come with APET, print one, or copy one. A sample has a short name: pi is
    pamela/pi.pam, wherever a file is expected."""
ACTIONS = ("list", "show", "copy")
GAPS = 6
"""Columns before, between and after those of the table."""
COMMENTS = ("//", "/**", "/*", "#")


def declare(parser: argparse.ArgumentParser) -> None:
    """What to do, and with which sample."""
    parser.add_argument("action", choices=ACTIONS, nargs="?", default="list", help="default: list")
    parser.add_argument("name", nargs="?", help="of a sample, as listed, or short: pi")
    parser.add_argument("folder", metavar="DIR", nargs="?", default=".", help="where to copy it (default: here)")
    parser.add_argument("--json", action="store_true", help="for programs: the list as JSON")


def run(options: argparse.Namespace) -> None:
    """List, print or copy."""
    if options.action == "list":
        names = [name for name in resources.names("samples") if options.name is None or options.name in name]
        if options.json:
            output.show(dumps([{"sample": name, "about": about("samples", name)} for name in names]))
            return
        room = output.width() - max(map(len, names), default=0) - GAPS
        rows = [[name, shortened(about("samples", name), room)] for name in names]
        output.show("\n".join(table(["sample", "about"], rows, "<<")))
        return

    path = _path(options)
    if options.action == "show":
        output.show(read_source(path).text)
    else:
        _copy(path, options.folder)


def about(kind: resources.Kind, name: str) -> str:
    """The first line of a shipped file if it is a comment, without the name of the file."""
    with open(resources.data_path(kind, name), encoding="utf-8", errors="replace") as file:
        line = file.readline(400).strip()
    mark = next((m for m in COMMENTS if line.startswith(m)), None)
    if mark is None:
        return ""
    return line.removeprefix(mark).removesuffix("*/").strip().removeprefix(f"{os.path.basename(name)}: ")


def shortened(text: str, most: int) -> str:
    """A text that fits into so many columns, cut after a word."""
    return text if len(text) <= most else f"{text[: most - 1].rpartition(' ')[0]} …"


def _path(options: argparse.Namespace) -> str:
    """The file of the sample that is named; `ApetError` if there is none."""
    if options.name is None:
        _refuse("the name of a sample is missing")

    name = options.name.removeprefix("samples/")
    shipped = resources.data_path("samples", name)
    path = shipped if os.path.isfile(shipped) else os.fspath(resources.located(name))
    inside = os.path.abspath(path).startswith(os.path.abspath(resources.data_path("samples", "")) + os.sep)
    if not (inside and os.path.isfile(path)):
        _refuse(f"there is no sample '{name}'{nearest(name, resources.names('samples'))}")
    return path


def _copy(path: str, folder: str) -> None:
    target = os.path.join(folder, os.path.basename(path))
    if os.path.exists(target):
        _refuse(f"{target} exists already")
    output.write_file(target, lambda temporary: shutil.copyfile(path, temporary))
    output.show(target)


def _refuse(reason: str) -> NoReturn:
    raise ApetError(WrongCall(None, None, reason, "see apet samples"))
