"""Which version of APET this is."""

from __future__ import annotations

import os

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NAME, ENDING = "apet-", ".dist-info"


def version() -> str:
    """The version of the package that runs: installed, the one its installer wrote down; else that of the checkout.

    Asking `importlib.metadata` takes longer than all the rest of `apet --version`, so it is asked last.
    """
    return _installed() or _of_checkout() or _of_metadata()


def _installed() -> str:
    """From the name of the folder that an installer puts beside the package: `apet-0.1.0.dist-info`."""
    names = [n for n in os.listdir(os.path.dirname(PACKAGE)) if n.startswith(NAME) and n.endswith(ENDING)]
    return names[0].removeprefix(NAME).removesuffix(ENDING) if len(names) == 1 else ""


def _of_checkout() -> str:
    import tomllib

    try:
        with open(os.path.join(os.path.dirname(os.path.dirname(PACKAGE)), "pyproject.toml"), "rb") as file:
            project = tomllib.load(file)["project"]
        return str(project["version"]) if project["name"] == "apet" else ""
    except (OSError, ValueError, KeyError):
        return ""


def _of_metadata() -> str:
    from importlib import metadata

    try:
        return metadata.version("apet")
    except metadata.PackageNotFoundError:
        return "unknown"
