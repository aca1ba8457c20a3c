"""The state of a translation: its parameters and operations with their notes, and the methods translated so far."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, NamedTuple

from apet.java.parse.declarations import Class, JavaMethod
from apet.java.parse.javac import Resolution
from apet.java.parse.syntax import Lambda, LineColumn, Type
from apet.java.translator.algebra import Value, as_value
from apet.java.translator.facts import Evaluated, Fact, Functional, Instance, formal_symbols
from apet.java.translator.ir import Body, ParameterKind, ParameterSite, SourceNote
from apet.java.translator.symbols import Symbol, SymbolTable
from apet.model.terms import BUILTINS, FUNCTIONS

if TYPE_CHECKING:
    from apet.ground.source import Source
    from apet.java.translator.frame import Jumps
    from apet.java.translator.program import JavaProgram

KEYWORDS = ("param", "resource", "in", "servers", "seq", "par", "if", "else", "use", "delay", "send", "sum")
RESERVED = frozenset((*FUNCTIONS, *BUILTINS, *KEYWORDS, "L", "p", "P", "tasks"))


class Extent(NamedTuple):
    """How far a translation opens methods: up to so many operations, and so many calls inside each other.

    A call beyond is an operation of its own, and so is one of `closed`. Without `thrown`, branches that only throw are
    never taken.
    """

    operations: int = 200_000
    depth: int = 10_000
    closed: frozenset[str] = frozenset()
    thrown: bool = True


class TranslationState:
    """One translation: its parameters and operations with their notes, and the methods translated so far."""

    def __init__(
        self,
        program: JavaProgram,
        sources: dict[str, Source],
        entry: JavaMethod,
        resolution: Resolution,
        extent: Extent = Extent(),  # noqa: B008  a frozen value
        counted: bool = False,
        wrapped: AbstractSet[tuple[Value, str]] = frozenset(),
    ) -> None:
        self.program = program
        self.sources = sources
        self.entry = entry
        self.resolution = resolution
        self.extent = extent
        self.counted = counted  # whether a run counts what closed forms only guess

        # Whole numbers with their types that depend on what the task is given; those that are too great for them.
        self.ranges: dict[tuple[Value, str], None] = {}
        self.wrapped = wrapped

        # What the model declares, and every name that it uses.
        self.parameters: dict[str, SourceNote] = {}
        self._at_site: Counter[tuple[ParameterKind, ParameterSite]] = Counter()
        self.symbols = SymbolTable()
        self._formals: dict[JavaMethod, tuple[tuple[str, ...], ...]] = {}
        self.operations: dict[str, SourceNote] = {}  # library calls
        self.library_calls: dict[tuple[str, LineColumn], str] = {}  # their operations by file and place
        self.field_names = {n for c in program.own for n, x in c.fields.items() if not x.type.name[:1].isupper()}
        self.used: set[str] = set(RESERVED) | self.field_names
        self.unsupported: dict[tuple[str, LineColumn], str] = {}  # by class and place: what is only counted

        # Methods: equations and what they return; `stack` are those in progress, `owners` whose equation a name is.
        self.bodies: dict[JavaMethod, Body] = {}
        self.results: dict[JavaMethod, Evaluated] = {}
        self.stack: list[JavaMethod] = []
        self.owners: dict[str, JavaMethod] = {}
        self.operations_written = 0
        self.untraced: set[str] = set()  # classes of exceptions that are made without a trace of the stack

        # Recursion: titles of methods that call themselves, equations of one level, calls left to other methods.
        self.thrown: dict[JavaMethod, Jumps] = {}  # the exceptions that leave them
        self.catching: bool | None = None  # whether anything goes on after an exception
        self.recursed: set[str] = set()
        self.steps: dict[str, Body] = {}
        self.step_owners: dict[str, JavaMethod] = {}
        # For a run: recursions in closed form as ones whose calls are counted.
        self.alternatives: dict[str, Callable[[], Body]] = {}
        self.left_out: dict[JavaMethod, frozenset[str]] = {}

        self._begin_fields()
        self._begin_copies()

    def _begin_fields(self) -> None:
        # What is known of fields, as their setters leave them; names that a method may assign.
        self.fields: dict[tuple[str, str], Fact] = {}
        self.initialised: list[str] = []  # classes whose fields are being initialised
        self.setters: dict[JavaMethod, dict[str, Fact]] = {}
        self.field_parameters: dict[tuple[str, str], Value] = {}
        # The formals of setters that parameters stand for; the arguments of every call that is translated.
        self.awaiting: dict[str, tuple[JavaMethod, Symbol]] = {}
        self.arguments: dict[JavaMethod, list[Mapping[str, Value | None]]] = {}
        # What a method may call, and the names that these may assign.
        self.changes: dict[JavaMethod, tuple[frozenset[JavaMethod], frozenset[str]]] = {}

    def _begin_copies(self) -> None:
        # Lambdas as methods, with the variables that they see; copies with types, and of methods for given lambdas.
        self.lambdas: dict[LineColumn, tuple[Lambda, JavaMethod]] = {}
        self.captured: dict[JavaMethod, tuple[dict[str, Type], dict[str, Fact]]] = {}
        self.typed: dict[tuple[JavaMethod, tuple[Type, ...]], JavaMethod] = {}
        self.copies: dict[tuple[JavaMethod, tuple[Functional | None, ...]], JavaMethod] = {}
        self.functions: dict[JavaMethod, tuple[Functional | None, ...]] = {}
        # Methods as they run on objects of other classes than their own, and those classes.
        self.inherited: dict[tuple[JavaMethod, str], JavaMethod] = {}
        self.own_classes: dict[JavaMethod, Instance] = {}

    def changed_by(self, method: JavaMethod) -> frozenset[str]:
        """Names that a method may assign, itself or by what it calls."""
        methods = self.program.reachable(method)
        if self.changes.get(method, ((), ()))[0] is not methods:
            self.changes[method] = methods, frozenset(n for m in methods for n in m.assigned)
        return self.changes[method][1]

    def add_class(self, declared: Class, owner: str) -> None:
        """A class declared inside a method comes into being."""
        around = self.program.get(owner)
        self.program.add(declared, around.file if around is not None else next(iter(self.sources)))
        self.field_names |= {n for n, x in declared.fields.items() if not x.type.name[:1].isupper()}

    def source_of(self, owner: str) -> Source:
        """The text that a class stands in."""
        declared = self.program.get(owner)
        return self.sources[declared.file if declared is not None else next(iter(self.sources))]

    def site(self, within: str, at: LineColumn, **what: Any) -> ParameterSite:
        """A place in a class where a run counts."""
        return ParameterSite(os.path.basename(self.source_of(within).name), at, **what)

    def where(self, owner: str, at: LineColumn) -> str:
        """`File.java:line` of a place in a class."""
        return f"{os.path.basename(self.source_of(owner).name)}:{at.line}"

    def fresh(self, wanted: str) -> str:
        """A name that nothing else has yet."""
        name, k = wanted, 1
        while name in self.used:
            k += 1
            name = f"{wanted}_{k}"
        self.used.add(name)
        return name

    def bound(self, name: str) -> Symbol:
        """A symbol that an equation binds."""
        self.used.add(name)
        return self.symbols.new(name)

    def formals(self, method: JavaMethod) -> tuple[tuple[str, ...], ...]:
        """The symbols of each formal: its number, or its lengths by dimension. Those of the entry are parameters."""
        if method not in self._formals:
            self._formals[method] = tuple(
                tuple(self._formal(method, n, k, bool(formal.type.dimensions) * (d + 1)) for d, n in enumerate(names))
                for k, formal in enumerate(method.formals)
                for names in (formal_symbols(formal.name, formal.type),)
            )
        return self._formals[method]

    def _formal(self, method: JavaMethod, name: str, position: int, dimension: int) -> str:
        if method is self.entry:
            return f"{name}_" if name in RESERVED else name
        self.used.add(name)
        return self.symbols.new(name, position, dimension)

    def local(self, name: str) -> str:
        """The symbol of a local variable: its own name, unless a field or the language has that name."""
        safe = name
        while safe in RESERVED or safe in self.field_names:
            safe += "_"
        self.used.add(safe)
        return safe

    def parameter(self, note: SourceNote, exact: bool = False) -> Value:
        """A parameter of its own; its name is made fresh, unless it is `exact` and the first of that name."""
        if not exact or any(note.name in names for names in (self.parameters, self.owners, self.steps)):
            note.name = self.fresh(note.name)
        self.used.add(note.name)
        self.parameters[note.name] = note
        if note.site is not None:
            place = (note.kind, note.site)
            note.site = note.site._replace(ordinal=self._at_site[place])
            self._at_site[place] += 1
        return as_value(note.name)
