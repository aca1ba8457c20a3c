"""`apet list`: the samples or the machine files that come with APET."""

from __future__ import annotations

import argparse
import os

from apet.cli import output
from apet.ground import resources
from apet.machine import Machines, load_machines, shipped_machines
from apet.show.plain import dumps
from apet.show.tables import table

DESCRIPTION = """List the samples that come with APET, with what they are, or the machine files, with the origin of
their numbers. A sample has a short name: pi is pamela/pi.pam, wherever a file is expected; so has a machine file:
--machines join-2005."""
WHAT = ("samples", "machines")
GAPS = 6
"""Columns before, between and after those of the table."""
COMMENTS = ("//", "/**", "/*", "#")
HEADER = ("name", "machine", "processors", "network", "times")


def declare(parser: argparse.ArgumentParser) -> None:
    """What to list."""
    parser.add_argument("what", choices=WHAT, nargs="?", default="samples", help="default: samples")
    parser.add_argument("name", nargs="?", default="", metavar="PART", help="only those with this in their name")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def run(options: argparse.Namespace) -> None:
    """Print the list."""
    (_machines if options.what == "machines" else _samples)(options.name, options.json)


def _samples(part: str, as_json: bool) -> None:
    names = [name for name in resources.names("samples") if part in name]
    if as_json:
        output.show(dumps([{"sample": name, "about": about("samples", name)} for name in names]))
        return
    room = output.width() - max(map(len, names), default=0) - GAPS
    rows = [[name, shortened(about("samples", name), room)] for name in names]
    output.show("\n".join(table(["sample", "about"], rows, "<<")))


def _machines(part: str, as_json: bool) -> None:
    rows = [_row(name, load_machines(name)) for name in shipped_machines() if part in name]
    if as_json:
        output.show(dumps([dict(zip(HEADER, row, strict=True)) for row in rows]))
    else:
        output.show("\n".join(table(HEADER, [[str(cell) for cell in row] for row in rows], "<<><<")))


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


def _row(name: str, machines: Machines) -> tuple[str | int, ...]:
    origin = str(machines.provenance.get("kind", ""))
    title = machines.name.rpartition(" (")[0] if origin in ("fictitious", "derived") else machines.name
    return name, title, machines.processors, machines.network.topology, origin
