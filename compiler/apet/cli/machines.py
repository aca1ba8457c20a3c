"""`apet machines`: the machine files that come with APET, listed or shown."""

from __future__ import annotations

import argparse

from apet.cli import output
from apet.cli.errors import WrongCall
from apet.ground.diagnostics import ApetError
from apet.machine import Machines, load_machines, shipped_machines
from apet.show.plain import dumps
from apet.show.tables import table

DESCRIPTION = """List the machine files that come with APET with the origin of their numbers, or print one. Every verb
    takes their names: --machines join-2005."""
ACTIONS = ("list", "show")
HEADER = ("name", "machine", "processors", "network", "times")


def declare(parser: argparse.ArgumentParser) -> None:
    """What to do, and with which machine file."""
    parser.add_argument("action", choices=ACTIONS, nargs="?", default="list", help="default: list")
    parser.add_argument("name", nargs="?", default=None, help="of a shipped machine file, or a path")
    parser.add_argument("--json", action="store_true", help="for programs: the list as JSON")


def run(options: argparse.Namespace) -> None:
    """List all, or print the text of one."""
    if options.action == "show":
        if options.name is None:
            raise ApetError(WrongCall(None, None, "the name of a machine file is missing", "see apet machines"))
        from apet.ground.source_files import read_source
        from apet.machine.files import machine_path

        output.show(read_source(machine_path(options.name)).text)
        return

    names = [name for name in shipped_machines() if options.name is None or options.name in name]
    rows = [_row(name, load_machines(name)) for name in names]
    if options.json:
        output.show(dumps([dict(zip(HEADER, row, strict=True)) for row in rows]))
    else:
        output.show("\n".join(table(HEADER, [[str(cell) for cell in row] for row in rows], "<<><<")))


def _row(name: str, machines: Machines) -> tuple[str | int, ...]:
    origin = str(machines.provenance.get("kind", ""))
    title = machines.name.rpartition(" (")[0] if origin in ("fictitious", "derived") else machines.name
    return name, title, machines.processors, machines.network.topology, origin
