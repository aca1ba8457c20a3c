"""`apet show`: a sample or a machine file that comes with APET, printed or copied."""

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
from apet.machine import shipped_machines
from apet.machine.files import machine_path

DESCRIPTION = """Print a sample or a machine file that comes with APET, by its name in `apet list`, or copy it."""


def declare(parser: argparse.ArgumentParser) -> None:
    """Which one, and where to."""
    parser.add_argument("name", help="of a sample, as listed or short (pi), or of a machine file (join-2005)")
    parser.add_argument("-o", "--output", metavar="F", help="copy it: a new file, or a folder")


def run(options: argparse.Namespace) -> None:
    """Print, or copy."""
    path = _path(options.name)
    if options.output is None:
        output.show(read_source(path).text)
    else:
        _copy(path, options.output)


def _path(name: str) -> str:
    """The file that is named; `ApetError` if there is none, or if it is none of APET's."""
    if name.removesuffix(".toml") in shipped_machines():
        return os.fspath(machine_path(name))
    short = name.removeprefix("samples/")
    shipped = resources.data_path("samples", short)
    path = shipped if os.path.isfile(shipped) else os.fspath(resources.located(short))
    inside = os.path.abspath(path).startswith(os.path.abspath(resources.data_path("samples", "")) + os.sep)
    if not (inside and os.path.isfile(path)):
        names = [*resources.names("samples"), *shipped_machines()]
        _refuse(f"there is no sample or machine file '{name}'{nearest(name, names)}")
    return path


def _copy(path: str, to: str) -> None:
    target = os.path.join(to, os.path.basename(path)) if os.path.isdir(to) else to
    if os.path.exists(target):
        _refuse(f"{target} exists already")
    output.write_file(target, lambda temporary: shutil.copyfile(path, temporary))
    output.show(target)


def _refuse(reason: str) -> NoReturn:
    raise ApetError(WrongCall(None, None, reason, "see apet list"))
