"""Finds and reads the file of a machine model: a path, or the name of one that comes with APET."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from apet.ground import resources
from apet.ground.source_files import read_source
from apet.machine.loader import parse_machines
from apet.machine.machines import Machines
from apet.machine.plain import PREFIX, machines_of_call

if TYPE_CHECKING:
    from typing import NoReturn

    from apet.ground.diagnostics import Diagnostic
    from apet.machine.fitted import Fit

SUFFIX = ".toml"


def load_machines(name: str | os.PathLike[str], fit: Fit | None = None) -> Machines:
    """The machine model in a file.

    `name` is a path, or the name of a shipped file with or without `.toml`; a file at the path comes first. `cores=8`
    names 8 processors without operations; more may be said, as in `cores=8, op.update=1ns, latency=2us`.
    `fit` makes times of operations out of measured runs. Raises `ApetError` with every error of the file, or if there
    is no such file or it cannot be read as text.
    """
    place = os.fspath(name)
    if place.startswith(PREFIX):
        return machines_of_call(place)
    return parse_machines(read_source(machine_path(place)), fit)


def machine_path(place: str) -> str:
    """The file of a machine model, as `load_machines` finds it; `ApetError` if there is none."""
    path = place if os.path.exists(place) and not os.path.isdir(place) else _shipped(place)
    if path is None:
        _not_found(place)
    return path


def shipped_machines() -> list[str]:
    """The names of the machine models that come with APET, without `.toml`."""
    return [name.removesuffix(SUFFIX) for name in resources.names("machines") if name.endswith(SUFFIX)]


def _shipped(place: str) -> str | None:
    name = place if place.endswith(SUFFIX) else place + SUFFIX
    exists = name in resources.names("machines")
    return resources.data_path("machines", name) if exists else None


def _not_found(place: str) -> NoReturn:
    from apet.ground.diagnostics import nearest
    from apet.machine.errors import IsFolder, NoSuchFile

    shipped = ", ".join(shipped_machines())
    if os.path.isdir(place):
        inside = [os.path.join(place, name) for name in sorted(os.listdir(place)) if name.endswith(SUFFIX)]
        suggestion = f"; did you mean '{inside[0]}'?" if inside else ""
        _refuse(IsFolder(None, None, place, suggestion, shipped))
    in_call = "; machines in the call begin with their number: cores=8, op.NAME=1ns" if "=" in place else ""
    _refuse(NoSuchFile(None, None, place, in_call or nearest(place, _candidates(place)), shipped))


def _candidates(place: str) -> list[str]:
    """Paths and names that the user may have meant: shipped ones, and the TOML files of the same folder."""
    folder = os.path.dirname(place)
    try:
        beside = [os.path.join(folder, name) for name in os.listdir(folder or ".") if name.endswith(SUFFIX)]
    except (OSError, ValueError):
        beside = []
    shipped = shipped_machines()
    return [*(name + SUFFIX for name in shipped if place.endswith(SUFFIX)), *shipped, *sorted(beside)]


def _refuse(diagnostic: Diagnostic) -> NoReturn:
    from apet.ground.diagnostics import ApetError

    raise ApetError(diagnostic)
