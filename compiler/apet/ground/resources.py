"""Where the data that APET ships lies: grammars, machine models, samples.

In a wheel they are in `apet/_data/KIND`; in a checkout in `KIND` at its top. No other file knows either place.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

Kind = Literal["grammar", "machines", "samples"]


def data_path(kind: Kind, name: str) -> Path:
    """The path of one shipped file or folder, `name` relative to its kind's folder. It may not exist."""
    return _folder(kind) / name


def names(kind: Kind) -> list[str]:
    """The shipped files of a kind, sorted, as paths relative to its folder with `/`; hidden files are left out."""
    folder = _folder(kind)
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path.as_posix() for path in files if not any(part.startswith(".") for part in path.parts))


def _folder(kind: Kind) -> Path:
    package = Path(__file__).resolve().parents[1]
    installed = package / "_data" / kind
    return installed if installed.is_dir() else package.parents[1] / kind
