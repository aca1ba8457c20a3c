"""Which version of APET this is."""

from __future__ import annotations


def version() -> str:
    """The version of the installed package; in a bare checkout, the one that `pyproject.toml` gives."""
    from importlib import metadata

    try:
        return metadata.version("apet")
    except metadata.PackageNotFoundError:
        return _of_checkout()


def _of_checkout() -> str:
    import tomllib
    from pathlib import Path

    try:
        with open(Path(__file__).parents[3] / "pyproject.toml", "rb") as file:
            return str(tomllib.load(file)["project"]["version"])
    except (OSError, ValueError, KeyError):
        return "unknown"
