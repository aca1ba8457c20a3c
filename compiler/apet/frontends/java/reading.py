"""A Java text to its syntax: by tree-sitter where it is installed, else by javalang; mistakes as javac says them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from apet.diagnostics import ApetError
from apet.frontends.java import javalang_parser, tree_sitter_parser
from apet.frontends.java.syntax import Class, Unit
from apet.frontends.pamela.files import read_source
from apet.source import Source

PARSERS = ("auto", "javalang", "tree-sitter")


def read_unit(source: Source, parser: str = "auto") -> Unit:
    """The classes of a text; `ApetError` with the place where it is no Java."""
    unit: Unit | None = None
    if parser == "tree-sitter" or (parser == "auto" and tree_sitter_parser.available()):
        unit = tree_sitter_parser.parse(source)
    if unit is None:
        unit = javalang_parser.parse(source)
    return Unit(tuple(replace(c, file=source.name) for c in unit.classes))


class Beside:
    """Finds classes in files beside the first one: `Name.java` in the same folder."""

    def __init__(self, source: Source, parser: str) -> None:
        self.sources = {source.name: source}
        self.folder = os.path.dirname(source.name)
        self.parser = parser
        self.reads = source.name.endswith(".java")

    def __call__(self, name: str) -> Sequence[Class]:
        """The classes of that file; none where there is no such file, or it cannot be read."""
        path = os.path.join(self.folder, f"{name}.java")
        if not self.reads or path in self.sources or not name.isidentifier() or not os.path.isfile(path):
            return ()
        try:
            source = read_source(path)
            found = read_unit(source, self.parser).classes
        except ApetError:
            return ()
        self.sources[path] = source
        return found
