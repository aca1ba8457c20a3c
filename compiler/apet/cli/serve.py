"""`apet serve`: a page on this machine to write a model in and see its prediction."""

from __future__ import annotations

import argparse
import os
import sys

from apet import api
from apet.cli import output
from apet.cli.errors import CannotServe
from apet.editor.local_page import PageServer
from apet.editor.worker import Worker
from apet.ground.diagnostics import ApetError
from apet.ground.notation import count
from apet.ground.resources import located
from apet.ground.source_files import read_source
from apet.java.measure.this_machine import is_this, this_machine

DESCRIPTION = """Serve a page for writing a model, with diagnostics, formulas and predictions while you type.
Only this machine can open it, and only with the token in the address that is printed. End it with Ctrl-C."""
USUAL_MODEL, USUAL_MACHINES = "pamela/pi.pam", "zen5-openjdk17"


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of this verb."""
    parser.add_argument("model", metavar="MODEL", nargs="?", default=USUAL_MODEL, help="a model to begin with")
    text = f"a machine file (TOML), or the name of a shipped one (default: {USUAL_MACHINES})"
    parser.add_argument("--machines", "-m", metavar="M", default=USUAL_MACHINES, help=text)
    parser.add_argument("--port", metavar="N", default="0", help="(default: any that is free)")
    parser.add_argument("--seconds", metavar="S", default="20", help="limit of one prediction (default: 20)")


def run(options: argparse.Namespace) -> None:
    """Serve until interrupted."""
    port, seconds = count("--port", options.port), count("--seconds", options.seconds)
    model = read_source(located(options.model)).text
    operations = api.load_machines(options.machines).operations
    machines = _machine_text(options.machines)
    try:
        server = PageServer(port, model, machines, Worker(max(seconds, 1)), operations)
    except (OSError, OverflowError) as error:
        raise ApetError(CannotServe(None, None, port, getattr(error, "strerror", None) or str(error))) from None
    output.show(f"open {server.address}")

    sys.stdout.flush()
    try:
        server.serve_forever()
    finally:
        server.server_close()


def _machine_text(name: str) -> str:
    """The text of a machine file, that of this machine included; a shipped one stays a name."""
    if is_this(name):
        return read_source(this_machine()).text
    return read_source(name).text if os.path.exists(name) else name.removesuffix(".toml")
