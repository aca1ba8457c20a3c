"""Where the classes of a source's program lie, by the package that it declares."""

from __future__ import annotations

import os
import re
from glob import escape, glob


def package_of(text: str) -> str:
    """The package that a source declares, with a dot behind it; "" where it declares none."""
    declared = re.search(r"^\s*package\s+([\w.]+)\s*;", text, re.MULTILINE)
    return "" if declared is None else f"{declared[1]}."


MODULE_SOURCES = re.compile(r"(?P<module>.*[/\\])src(?P<set>[/\\]\w+[/\\]java)?")
"""Where builds look for the sources of a module: `src/main/java` and `src/test/java`, or `src`."""


def roots_of(path: str, text: str) -> list[str]:
    """Where other classes of the program lie that a source is part of: its own folder, or the root of its package and
    those of its module and of the modules beside it."""
    beside = os.path.dirname(os.path.abspath(path))
    inside = os.path.join("", *package_of(text).split("."))
    root = beside.removesuffix(inside.rstrip(os.sep)) if inside else beside
    if not inside or root == beside:
        return [beside]
    root = root.rstrip(os.sep)
    module = MODULE_SOURCES.fullmatch(root)
    if module is None:
        return [root]

    sources = os.path.join("src", "main", "java") if module["set"] else "src"
    siblings = glob(os.path.join(escape(os.path.dirname(module["module"].rstrip(os.sep))), "*", sources))
    return [root, *(one for one in sorted(siblings) if one != root)]
