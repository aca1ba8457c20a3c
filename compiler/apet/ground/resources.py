"""Where the data that APET ships lies: grammars, machine models, samples.

In a wheel they are in `apet/_data/KIND`; in a checkout in `KIND` at its top. No other file knows either place. Paths
are texts: `pathlib` would add a twentieth to the time that a command takes to start.
"""

from __future__ import annotations

import os
from typing import Literal

Kind = Literal["grammar", "machines", "samples"]

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def data_path(kind: Kind, name: str) -> str:
    """The path of one shipped file or folder, `name` relative to its kind's folder. It may not exist."""
    return os.path.join(_folder(kind), name)


def data_text(kind: Kind, name: str) -> str:
    """The text of one shipped file."""
    with open(data_path(kind, name), encoding="utf-8") as file:
        return file.read()


def located(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    """A path as given, or that of a shipped sample of this name: `pamela/pi.pam`, or short, `pi`."""
    if os.path.exists(path):
        return path
    name = os.fspath(path).replace("\\", "/").removeprefix("samples/")
    if name and not set(name) & set("/.:"):
        return _sample(name) or path
    shipped = data_path("samples", name)
    return shipped if not os.path.isabs(name) and os.path.isfile(shipped) else path


SHORT = ("pamela", "pasl", "queueing", "runs", "traces", "joblogs")
"""The folders of samples that have short names; where two hold the same name, the earlier one counts."""


def _sample(name: str) -> str | None:
    """The path of the sample whose file is called so but for its ending.

    A name with an ending is never short: a file that is missing must not become a sample of the same name.
    """
    for kind in SHORT:
        folder = data_path("samples", kind)
        files = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        for file in files:
            if file.partition(".")[0] == name and os.path.isfile(os.path.join(folder, file)):
                return os.path.join(folder, file)
    return None


def names(kind: Kind) -> list[str]:
    """The shipped files of a kind, sorted, as paths relative to its folder with `/`; hidden ones are left out."""
    top = _folder(kind)
    paths: list[str] = []
    for folder, inner, files in os.walk(top):
        inner[:] = [name for name in inner if not name.startswith(".")]
        visible = (os.path.join(folder, name) for name in files if not name.startswith("."))
        paths += (os.path.relpath(path, top).replace(os.sep, "/") for path in visible)
    return sorted(paths)


def _folder(kind: Kind) -> str:
    installed = os.path.join(_PACKAGE, "_data", kind)
    return installed if os.path.isdir(installed) else os.path.join(os.path.dirname(os.path.dirname(_PACKAGE)), kind)
