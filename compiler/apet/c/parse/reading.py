"""A C source as a compilation unit: its functions, globals and structures, one class for each file."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from apet.c.parse import libclang, variables
from apet.c.parse.directives import Directives
from apet.c.parse.flags import flags_of, sources_beside
from apet.c.parse.functions import FunctionReader, has_plain_members, members_of
from apet.c.parse.kinds import FUNCTION, is_array, kind_of, record_name
from apet.c.parse.libclang import children_of, walk
from apet.c.parse.memory import bare, initialiser
from apet.c.parse.scopes import Scopes
from apet.c.parse.targets import pointed_functions
from apet.c.parse.walks import walkers
from apet.ground.diagnostics import ApetError
from apet.ground.source import Source
from apet.ground.source_files import read_source
from apet.program import syntax as s
from apet.program import types
from apet.program.syntax.declarations import Class, Field, Method
from apet.program.translator.facts import POINTER

FUNCTIONS, VARIABLES, STRUCTURES = "FUNCTION_DECL", "VAR_DECL", ("STRUCT_DECL", "UNION_DECL")


@dataclass
class CUnit:
    """The classes of a translation unit, the sources they stand in, and what is not modelled in them."""

    classes: list[Class] = field(default_factory=list)
    sources: dict[str, Source] = field(default_factory=dict)
    notes: dict[tuple[str, s.LineColumn], str] = field(default_factory=dict)
    places: dict[tuple[str, str, s.LineColumn], tuple[Any, bool]] = field(default_factory=dict)
    """Terms of the source that a run can count, by class, kind and place; and whether a condition is negated there."""
    functions: dict[str, Any] = field(default_factory=dict)
    tree: Any = None
    pointed: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The functions that pointers are set to, by the declaration of each."""
    beside: list[str] = field(default_factory=list)
    """Further sources that functions were found in."""


class FileReader:
    """What a function knows of its file: globals, functions with bodies, structures."""

    def __init__(self, name: str, unit: CUnit, names: dict[int, str]) -> None:
        self.name = name
        self.unit = unit
        self.names = names
        """Names of globals by their declaration, those that live in functions among them."""
        self.fields: dict[str, Field] = {}
        self.addressed: frozenset[int] = frozenset()
        self.directives = Directives(Source("", ""))

    def is_defined(self, function: str) -> bool:
        """Whether a function has a body in this program."""
        return function in self.unit.functions

    def note(self, what: str, at: s.LineColumn) -> None:
        """Say what is only counted."""
        self.unit.notes.setdefault((self.name, at), what)

    def members(self, declared: Any) -> Sequence[tuple[str, Any]]:
        """The members of a structure with their types."""
        return members_of(declared)

    def variable(self, cursor: Any, name: str) -> None:
        """A global, or a local one that is `static`."""
        self.names[cursor.hash] = name
        kind, start = kind_of(cursor.type), cursor.extent.start
        at = s.LineColumn(start.line, start.column)
        f = FunctionReader(self, Scopes(self.names, self.addressed))
        is_memory = cursor.hash in self.addressed
        if is_memory:
            kind = types.Type(kind.name, kind.dimensions + 1)
        read = partial(_initial, f, cursor, kind, is_memory, at)
        final = cursor.type.get_canonical().is_const_qualified() and not is_memory
        if name not in self.fields or self.fields[name].initial is None:
            self.fields[name] = Field(kind, name, True, final, read, at)

    def local_static(self, f: FunctionReader, cursor: Any) -> None:
        """A variable of a function that outlives its calls."""
        if cursor.hash not in self.names:
            self.variable(cursor, f"{cursor.semantic_parent.spelling}_{cursor.spelling}")
        f.scopes.outlive(cursor, self.names[cursor.hash])


def _initial(
    f: FunctionReader, cursor: Any, kind: types.Type, is_memory: bool, at: s.LineColumn
) -> s.Expression | None:
    initial = initialiser(cursor)
    if is_memory:
        return s.NewArray(kind, (s.Literal("int", "1", at),), None, at, "")
    if is_array(cursor):
        return variables.array(f, cursor, initial, kind, at)
    return None if initial is None or kind.dimensions else f.whole(initial)


def read_unit(source: Source, flags: Sequence[str]) -> CUnit:
    """The functions, globals and structures of a source and the headers of its own that it includes, and of the further
    sources of the program that define what it calls."""
    unit = CUnit()
    _read(unit, source, flags)
    called = {c.spelling for body in unit.functions.values() for c in walk(body) if c.kind.name == "CALL_EXPR"}
    files = sources_beside(source.name)
    while wanted := called - unit.functions.keys():
        defining = re.compile(rf"\b(?:{'|'.join(map(re.escape, sorted(wanted)))})\s*\([^;{{}}]*\)\s*{{")
        beside = next((s for s in map(read_source, files) if defining.search(s.text)), None)
        if beside is None:
            break
        files.remove(beside.name)
        unit.beside.append(os.path.abspath(beside.name))
        known = {*unit.functions}
        _read(unit, beside, flags_of(beside.name, ()) or flags)
        new = [body for name, body in unit.functions.items() if name not in known]
        called |= {c.spelling for body in new for c in walk(body) if c.kind.name == "CALL_EXPR"}
    return unit


def _read(unit: CUnit, source: Source, flags: Sequence[str]) -> None:
    """Add a source to what has been read."""
    # libclang hides the loop of a directive of OpenMP: without the flag that asks for them, directives are comments.
    tree = libclang.translation_unit(source, [flag for flag in flags if not flag.startswith("-fopenmp")])
    unit.tree = unit.tree or tree
    unit.sources.setdefault(source.name, source)
    declared = [c for c in children_of(tree.cursor) if c.location.file is not None and _is_own(c)]
    bodies = [c for c in declared if c.kind.name == FUNCTIONS and c.is_definition()]
    unit.functions = {**{c.spelling: c for c in bodies}, **unit.functions}
    defined = unit.functions.keys()
    names: dict[int, str] = {}
    variables_of_file = [c for c in declared if c.kind.name == VARIABLES]
    addressed, split = _uses(bodies, variables_of_file)
    unit.pointed |= pointed_functions([*bodies, *variables_of_file], addressed)

    by_file: dict[str, list[Any]] = {}
    for c in declared:
        by_file.setdefault(c.location.file.name, []).append(c)
    by_file.setdefault(source.name, [])
    names |= {c.hash: c.spelling for c in variables_of_file}
    read = {c.file for c in unit.classes}
    for file in sorted(by_file.keys() - read, key=lambda f: (f != source.name, f)):
        _add(unit, file, by_file[file], FileReader(_class_name(file, defined), unit, names), addressed, split)


def _is_own(cursor: Any) -> bool:
    """Whether a declaration is the program's and not the system's."""
    return not cursor.location.is_in_system_header


def _class_name(file: str, defined: Collection[str]) -> str:
    """What stands for a file: its name without its ending, which no function has."""
    name = re.sub(r"\W", "_", os.path.splitext(os.path.basename(file))[0])
    name = f"_{name}" if name[:1].isdigit() else name
    if file.endswith(".h"):
        name = f"{name}_h"
    return f"{name}_c" if name in defined else name


def _uses(bodies: Sequence[Any], variables_of_file: Sequence[Any]) -> tuple[frozenset[int], dict[int, bool]]:
    """The variables whose address is taken, and the structures that are used by their members only."""
    addressed = {h for top in (*bodies, *variables_of_file) for h in _addressed(top)}
    plain: dict[int, bool] = {}
    for body in bodies:
        for c in walk(body):
            if c.kind.name == VARIABLES and c.type.get_canonical().kind.name == "RECORD":
                initial = initialiser(c)
                is_list = initial is None or initial.kind.name == "INIT_LIST_EXPR"
                is_plain = is_list and c.storage_class.name == "NONE" and has_plain_members(c.type)
                plain[c.hash] = plain.get(c.hash, True) and is_plain
            if c.kind.name != "MEMBER_REF_EXPR":
                for child in children_of(c):
                    if child.kind.name == "DECL_REF_EXPR":
                        plain[child.referenced.hash] = False
    return frozenset(addressed), {h: True for h, is_plain in plain.items() if is_plain and h not in addressed}


def _addressed(top: Any) -> Iterator[int]:
    for c in walk(top):
        if c.kind.name == "UNARY_OPERATOR" and libclang.unary_operator(c) == "&":
            inside = bare(next(iter(children_of(c))))
            if inside.kind.name == "DECL_REF_EXPR" and not is_array(inside):
                yield inside.referenced.hash


def _add(
    unit: CUnit,
    file: str,
    declared: Sequence[Any],
    reader: FileReader,
    addressed: frozenset[int],
    split: dict[int, bool],
) -> None:
    if file not in unit.sources:
        try:
            unit.sources[file] = read_source(file)
        except ApetError:
            return
    reader.addressed = addressed
    directives = Directives(unit.sources[file])
    reader.directives = directives
    for at, note in directives.notes.items():
        reader.note(note, at)
    for c in declared:
        if c.kind.name == VARIABLES:
            reader.variable(c, c.spelling)
    methods = tuple(_function(reader, c, split) for c in declared if c.kind.name == FUNCTIONS and c.is_definition())
    unit.classes.append(Class(reader.name, "file", (), reader.fields, methods, (), s.LineColumn(1, 1), file))
    for c in declared:
        if c.kind.name in STRUCTURES and c.is_definition():
            unit.classes.append(_structure(c, file))


def _structure(cursor: Any, file: str) -> Class:
    at = s.LineColumn(cursor.extent.start.line, cursor.extent.start.column)
    name = record_name(cursor.type)
    members = {
        member: Field(kind_of(kind), member, False, False, lambda: None, at) for member, kind in members_of(cursor.type)
    }
    return Class(name, "struct", (), members, (), (), at, file)


def _function(reader: FileReader, cursor: Any, split: dict[int, bool]) -> Method:
    formals = [c for c in children_of(cursor) if c.kind.name == "PARM_DECL"]
    scopes = Scopes(reader.names, reader.addressed)
    scopes.split = {h: {} for h in split}
    kinds = [s.Formal(_formal(c), scopes.declare(c)) for c in formals]
    for c, formal in zip(formals, kinds, strict=True):
        if scopes.is_addressed(c):
            scopes.outlive(c, f"{formal.name}_cell")
    at = s.LineColumn(cursor.location.line, cursor.location.column)
    result = kind_of(cursor.result_type)
    f = FunctionReader(reader, scopes)
    scopes.walks = walkers(cursor, reader.addressed)
    return Method(
        reader.name, cursor.spelling, tuple(kinds), result, True, False, partial(_body, f, cursor, tuple(kinds)), at
    )


def _formal(cursor: Any) -> types.Type:
    kind = kind_of(cursor.type)
    return types.Type(kind.name, kind.dimensions, (POINTER,)) if kind.dimensions else kind


def _body(f: FunctionReader, cursor: Any, formals: Sequence[s.Formal]) -> s.CodeBlock:
    """The body; formals whose address is taken become memory first."""
    at = f.at(cursor)
    cells: list[s.Declarator] = []
    declared = [c for c in children_of(cursor) if c.kind.name == "PARM_DECL"]
    for c, formal in zip(declared, formals, strict=True):
        if f.scopes.is_addressed(c):
            array = types.Type(formal.type.name, formal.type.dimensions + 1)
            item = s.ArrayLiteral((s.Identifier(formal.name, at),), at)
            cells.append(s.Declarator(array, f"{formal.name}_cell", s.NewArray(array, (), item, at, ""), at))
    body = next(c for c in children_of(cursor) if c.kind.name == "COMPOUND_STMT")
    block = f.statement(body)
    assert isinstance(block, s.CodeBlock)
    return s.CodeBlock((s.LocalVariables(tuple(cells), at), *block.statements), block.at) if cells else block


__all__ = ["FUNCTION", "CUnit", "read_unit"]
