"""Where the classes of a source's program lie, by the package that it declares."""

from __future__ import annotations

import os
import re
from glob import escape, glob


def package_of(text: str) -> str:
    """The package that a source declares, with a dot behind it; "" where it declares none."""
    declared = re.search(r"^\s*package\s+([\w.]+)\s*;", text, re.MULTILINE)
    return "" if declared is None else f"{declared[1]}."


MAVEN = os.path.join("src", "main", "java")
"""Where Maven and Gradle look for the sources of a module."""


def roots_of(path: str, text: str) -> list[str]:
    """Where other classes of the program lie that a source is part of: its own folder, or the root of its package and
    those of the modules beside its own."""
    beside = os.path.dirname(os.path.abspath(path))
    inside = os.path.join("", *package_of(text).split("."))
    root = beside.removesuffix(inside.rstrip(os.sep)) if inside else beside
    if not inside or root == beside:
        return [beside]
    root = root.rstrip(os.sep)
    module = root.removesuffix(os.sep + MAVEN)
    siblings = glob(os.path.join(escape(os.path.dirname(module)), "*", MAVEN)) if module != root else []
    return [root, *(one for one in sorted(siblings) if one != root)]
