"""The files of a program's classes: by the imports of its sources, beside them, and in folders of the source path."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from glob import escape, glob

_QUALIFIED = re.compile(r"\b(?:[a-z_]\w*\.)+[A-Z]\w*")
_IMPORT = re.compile(r"^\s*import\s+(?P<static>static\s+)?(?P<name>[\w.]+?)(?P<all>\.\*)?\s*;", re.MULTILINE)


class _Imports:
    """What one source names without its package: the folder that it lies in, and its imports as paths."""

    def __init__(self, path: str, text: str) -> None:
        self.folder = os.path.dirname(path)
        self.single: dict[str, list[str]] = {}
        self.all: list[list[str]] = []
        self.static: list[str] = []
        self.qualified: dict[str, list[str]] = {}

        for line in _IMPORT.finditer(text):
            parts = line["name"].split(".")
            if line["all"]:
                self.all.append(parts)
            if line["static"]:
                parts = parts if line["all"] else parts[:-1]
                self.static.append(parts[-1])
            if not line["all"] or line["static"]:
                self.single.setdefault(parts[-1], parts)

        # Whatever is named with its package, as if it were imported; a variable's field only looks so.
        for name in _QUALIFIED.findall(text):
            parts = name.split(".")
            self.qualified.setdefault(parts[-1], parts)


class ClassFiles:
    """Finds the file of a class as Java does: a class that the first source imports, then those beside it and in the
    source path, those that further sources import or have beside them, and those of packages that are imported whole.

    Names are simple: of several classes with one name, the one that comes first in this order is found.
    """

    def __init__(self, path: str, text: str, source_path: Sequence[str] = ()) -> None:
        self._roots = (*roots_of(path, text), *source_path)
        self._source_path = source_path
        self._sources: dict[str, _Imports] = {}
        self.add(path, text)

    def add(self, path: str, text: str) -> None:
        """One more source of the program, whose imports count from now on."""
        self._sources[path] = _Imports(path, text)

    def static(self, path: str) -> Sequence[str]:
        """The classes whose members a source names as its own."""
        return self._sources[path].static if path in self._sources else ()

    def path(self, name: str) -> str | None:
        """The file of a class; None where it is one of a library, or nowhere."""
        first, *further = self._sources.values()
        if name in first.single:
            return next(self._imported(first.single[name]), None)
        return next(self._found(name, first, further), None)

    def _found(self, name: str, first: _Imports, further: Sequence[_Imports]) -> Iterator[str]:
        yield from self._in((first.folder, *self._source_path), name)
        for one in further:
            yield from self._imported(one.single.get(name, ()))
            yield from self._in((one.folder,), name)
        for one in (first, *further):
            for parts in one.all:
                yield from self._imported([*parts, name])
            yield from self._imported(one.qualified.get(name, ()))

    def _in(self, folders: Sequence[str], name: str) -> Iterator[str]:
        yield from filter(os.path.isfile, (os.path.join(folder, f"{name}.java") for folder in folders))

    def _imported(self, parts: Sequence[str]) -> Iterator[str]:
        """The file of a class by its package: its own, or that of the class around it."""
        if parts and parts[0] in ("java", "javax"):
            return
        for end in range(len(parts), 0, -1):
            if parts[end - 1][:1].isupper():
                yield from self._in([os.path.join(root, *parts[: end - 1]) for root in self._roots], parts[end - 1])


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
