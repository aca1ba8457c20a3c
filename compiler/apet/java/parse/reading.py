"""A Java text to its syntax: by tree-sitter where it is installed, else by javalang; errors as javac words them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.ground.source_files import FileTooBig, read_source
from apet.java.parse import javalang_parser, tree_sitter_parser
from apet.java.parse.class_files import ClassFiles
from apet.java.parse.class_names import ClassNames
from apet.program.syntax.declarations import Class, CompilationUnit

PARSERS = ("auto", "javalang", "tree-sitter")


MOST_CHARACTERS = 2 << 20
"""A translation takes about 300 bytes of memory for each character. Java allows 64 KiB of bytecode in a method."""


def read_unit(source: Source, parser: str = "auto", names: ClassNames | None = None) -> CompilationUnit:
    """The classes of a text; `ApetError` with the place where it is no Java."""
    if len(source.text) > MOST_CHARACTERS:
        raise ApetError(FileTooBig(None, None, source.name, MOST_CHARACTERS >> 20))
    unit: CompilationUnit | None = None
    if parser == "tree-sitter" or (parser == "auto" and tree_sitter_parser.available()):
        unit = tree_sitter_parser.parse(source, names or ClassNames(source.text))
    if unit is None:  # tree-sitter does not say what is wrong: javalang words the error
        unit = javalang_parser.parse(source)
    return CompilationUnit(tuple(replace(c, file=source.name) for c in unit.classes))


class Beside:
    """Finds classes in files of the same program: see `ClassFiles`."""

    def __init__(self, source: Source, parser: str, source_path: Sequence[str] = ()) -> None:
        self.sources = {source.name: source}
        self.files = ClassFiles(source.name, source.text, source_path)
        self.parser = parser
        self.reads = source.name.endswith(".java")
        self.taken = ClassNames(source.text).taken

    def __call__(self, name: str) -> Sequence[Class]:
        """The classes of that file; none where there is no such file, or it cannot be read."""
        path = self.files.path(name) if self.reads and name.isidentifier() else None
        if path is None or path in self.sources:
            return ()

        try:
            source = read_source(path)
            names = ClassNames(source.text, self.taken)
            classes = read_unit(source, self.parser, names).classes
        except ApetError:
            return ()
        self.sources[path] = source
        self.taken |= names.taken
        self.files.add(path, source.text)
        return classes
