"""The state of a translation: its parameters and operations with their notes, and the methods translated so far."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, NamedTuple

from apet.program.algebra import Value
from apet.program.ir import Body, Items, LineColumn, ParameterSite, SourceNote
from apet.program.model_names import RESERVED, ModelNames
from apet.program.signs import is_nonnegative
from apet.program.symbols import Symbol
from apet.program.syntax.declarations import Class, Method
from apet.program.translator.facts import Evaluated, Fact, Given, Instance, formal_symbols
from apet.program.types import Type

if TYPE_CHECKING:
    from apet.ground.source import Source
    from apet.program.jumps import Jumps
    from apet.program.translator.classes import Program


class Extent(NamedTuple):
    """How far a translation opens methods: up to so many operations, and so many calls inside each other.

    A call beyond is an operation of its own, and so is one of `closed`. Without `thrown`, branches that only throw are
    never taken.
    """

    operations: int = 200_000
    depth: int = 10_000
    closed: frozenset[str] = frozenset()
    thrown: bool = True


class TranslationState(ModelNames):
    """One translation: its parameters and operations with their notes, and the methods translated so far."""

    def __init__(
        self,
        program: Program,
        sources: dict[str, Source],
        entry: Method,
        extent: Extent = Extent(),  # noqa: B008  a frozen value
        counted: bool = False,
        wrapped: AbstractSet[tuple[Value, str]] = frozenset(),
        careful: bool = False,
    ) -> None:
        self.program = program
        self.sources = sources
        self.entry = entry
        self.extent = extent
        self.careful = careful  # whether formals are never taken to be positive without a proof
        self.taken: dict[Symbol, Method] = {}  # formals that are, with their methods: their calls have to prove it
        self.counted = counted  # whether a run counts what closed forms only guess

        # Whole numbers with their types that depend on what the task is given; those that are too great for them.
        self.ranges: dict[tuple[Value, str], None] = {}
        self.wrapped = wrapped

        self._formals: dict[Method, tuple[tuple[str, ...], ...]] = {}
        self.library_calls: dict[tuple[str, LineColumn], str] = {}  # their operations by file and place
        self.field_names = {n for c in program.own for n, x in c.fields.items() if not x.type.name[:1].isupper()}
        super().__init__(entry.at, self.field_names)
        self.unsupported: dict[tuple[str, LineColumn], str] = {}  # by class and place: what is only counted
        self.unfollowed: set[tuple[str, LineColumn]] = set()  # jumps among them

        # Methods: equations and what they return; `stack` are those in progress, `owners` whose equation a name is.
        self.bodies: dict[Method, Body] = {}
        self.results: dict[Method, Evaluated] = {}
        self.stack: list[Method] = []
        self.owners: dict[str, Method] = {}
        self.operations_written = 0

        # Recursion: titles of methods that call themselves, equations of one level, calls left to other methods.
        self.thrown: dict[Method, Jumps] = {}  # the exceptions that leave them
        self.catching: bool | None = None  # whether anything goes on after an exception
        self.recursed: set[str] = set()
        self.steps: dict[str, Body] = {}
        self.step_owners: dict[str, Method] = {}
        # For a run: recursions in closed form as ones whose calls are counted.
        self.alternatives: dict[str, Callable[[], Body]] = {}
        self.left_out: dict[Method, frozenset[str]] = {}
        self.in_all: list[Items] = []  # calls over the whole run

        self._begin_fields()
        self._begin_copies()

    def _begin_fields(self) -> None:
        # What is known of fields, as their setters leave them; names that a method may assign.
        self.fields: dict[tuple[str, str], Fact] = {}
        self.initialised: list[str] = []  # classes whose fields are being initialised
        self.setters: dict[Method, dict[str, Fact]] = {}
        self.left: dict[Method, dict[str, Fact]] = {}  # the same in terms of their formals
        self.field_parameters: dict[tuple[str, str], Value] = {}
        # The formals of setters that parameters stand for; the arguments of every call that is translated.
        self.awaiting: dict[str, tuple[Method, Symbol]] = {}
        self.arguments: dict[Method, list[Mapping[str, Value | None]]] = {}
        # What a method may call, and the names that these may assign.
        self.changes: dict[Method, tuple[frozenset[Method], frozenset[str]]] = {}

    def _begin_copies(self) -> None:
        # Methods inside methods, with the variables that they see; copies with types, and for what is given.
        self.captured: dict[Method, tuple[dict[str, Type], dict[str, Fact]]] = {}
        self.typed: dict[tuple[Method, tuple[Type, ...]], Method] = {}
        self.copies: dict[tuple[Method, tuple[Given, ...]], Method] = {}
        self.given: dict[Method, tuple[Given, ...]] = {}
        # The classes of the objects that methods run on, where these are not their own.
        self.own_classes: dict[Method, Instance] = {}

    @property
    def task(self) -> str:
        """The entry, as sites name it whose counts are of the whole run."""
        return f"{self.entry.owner}.{self.entry.name}"

    def take_nonnegative(self, method: Method, value: Value) -> None:
        """Take a sum of formals to be not negative, as the halves of ranges are: the calls of the method have to prove
        it (`holds`)."""
        names = {n for n in value.names if isinstance(n, Symbol) and n.signed and n.formal >= 0}
        if names and not self.careful:
            self.taken |= dict.fromkeys(names, method)
            for name in names:
                name.signed = False

    def holds(self) -> bool:
        """Whether every call of the methods in question gives what they are taken to be given: by induction over the
        calls in each other."""
        return all(
            value is not None and is_nonnegative(value)
            for symbol, method in self.taken.items()
            for value in (named.get(symbol) for named in self.arguments.get(method, ({},)))
        )

    def given_methods(self) -> Iterator[Method]:
        """The methods that whoever runs a task calls, with values of its choice."""
        yield self.entry
        for declared in self.program.line(self.entry.owner):
            yield from (*declared.constructors, *declared.named.get("setup", ()))

    def changed_by(self, method: Method) -> frozenset[str]:
        """Names that a method may assign, itself or by what it calls."""
        methods = self.program.reachable(method)
        if self.changes.get(method, ((), ()))[0] is not methods:
            self.changes[method] = methods, frozenset(n for m in methods for n in (*m.assigned, *m.facts.elsewhere))
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

    def formals(self, method: Method) -> tuple[tuple[str, ...], ...]:
        """The symbols of each formal: its number, or its lengths by dimension. Those of the entry are parameters."""
        if method not in self._formals:
            self._formals[method] = tuple(
                tuple(self._formal(method, n, k, bool(formal.type.dimensions) * (d + 1)) for d, n in enumerate(names))
                for k, formal in enumerate(method.formals)
                for names in (self.symbols_of(formal.name, formal.type),)
            )
        return self._formals[method]

    def symbols_of(self, name: str, kind: Type) -> tuple[str, ...]:
        """The symbols that a formal or field may bring: its number, or its lengths by dimension."""
        return formal_symbols(name, kind, self.program.conversions.is_numeric(kind))

    def _formal(self, method: Method, name: str, position: int, dimension: int) -> str:
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
        """A parameter of its own, as the equations have names of their own, too."""
        return super().parameter(note, exact and note.name not in self.owners and note.name not in self.steps)

    def unbound(self, name: str) -> SourceNote:
        """A name without a value; that of a field is known to stand for it by way of another field."""
        declaration = self.program.field(self.entry.owner, name)
        if declaration is None:
            return super().unbound(name)
        owner, field = declaration
        return SourceNote(name, f"{self.where(owner.name, field.at)}: field {name}", field.at)
