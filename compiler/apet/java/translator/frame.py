"""The state of a translation: what the whole job has found (`Job`), and one method in progress (`Frame`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from apet.java.parse.scan import reachable
from apet.java.parse.syntax import Class, Expression, Field, Lambda, Method, Place, Switch, Type
from apet.java.translator.algebra import ZERO, Value, as_value
from apet.java.translator.facts import Functional, Known, Result, merged
from apet.java.translator.ir import Access, Body, Item, Items, Note, Op
from apet.model.terms import BUILTINS, FUNCTIONS

if TYPE_CHECKING:
    from apet.ground.source import Source
    from apet.java.translator.program import Program

KEYWORDS = ("param", "resource", "in", "servers", "seq", "par", "if", "else", "use", "delay", "send", "sum")
RESERVED = frozenset((*FUNCTIONS, *BUILTINS, *KEYWORDS, "L", "p", "P", "tasks"))


class Rules(NamedTuple):
    """What the parts of a translation ask of each other: an expression inside a statement, a switch inside an
    expression, a method behind a call, a field behind a name."""

    evaluate: Callable[[Frame, Expression], Result]
    switch: Callable[[Frame, Switch], Result]
    body: Callable[[Job, Method], Body]
    field: Callable[[Job, str, Field], Known]


class Job:
    """One translation: its parameters and operations with their notes, and the methods translated so far."""

    def __init__(self, program: Program, sources: dict[str, Source], entry: Method, rules: Rules) -> None:
        self.rules = rules
        self.program = program
        self.sources = sources
        self.entry = entry
        self.parameters: dict[str, Note] = {}
        self.operations: dict[str, Note] = {}
        self.field_names = {n for c in program.own for n, x in c.fields.items() if not x.type.name[:1].isupper()}
        self.used: set[str] = set(RESERVED) | self.field_names
        self.changes: dict[Method, frozenset[str]] = {}
        self.recursed: set[str] = set()
        self.steps: dict[str, Body] = {}
        self.setters: dict[Method, dict[str, Known]] = {}
        self.bodies: dict[Method, Body] = {}
        self.results: dict[Method, Result] = {}
        self.stack: list[Method] = []
        self.fields: dict[tuple[str, str], Known] = {}
        self.reachable: frozenset[Method] = frozenset()
        self.operations_written = 0
        self.left_out: dict[Method, frozenset[str]] = {}
        self.owners: dict[str, Method] = {}
        self.lambdas: dict[Place, tuple[Lambda, Method]] = {}
        self.captured: dict[Method, tuple[dict[str, Type], dict[str, Known]]] = {}
        self.typed: dict[tuple[Method, tuple[Type, ...]], Method] = {}
        self.given: dict[tuple[Method, tuple[Functional | None, ...]], Method] = {}
        self.functions: dict[Method, tuple[Functional | None, ...]] = {}
        self.unsupported: dict[tuple[str, Place], str] = {}

    def evaluate(self, f: Frame, e: Expression) -> Result:
        """Write the operations of an expression."""
        return self.rules.evaluate(f, e)

    def switch(self, f: Frame, e: Switch) -> Result:
        """Write a switch expression."""
        return self.rules.switch(f, e)

    def body(self, method: Method) -> Body:
        """A method, translated at its first call."""
        return self.rules.body(self, method)

    def field(self, owner: str, field: Field) -> Known:
        """What holds of a field wherever the entry may read it."""
        return self.rules.field(self, owner, field)

    def changed_by(self, method: Method) -> frozenset[str]:
        """Names that a method may assign, itself or by what it calls."""
        if method not in self.changes:
            found = reachable(self.program, method)
            self.changes[method] = frozenset(n for m in found for n in m.assigned)
        return self.changes[method]

    def add_class(self, found: Class, owner: str) -> None:
        """A class declared inside a method comes into being."""
        around = self.program.get(owner)
        self.program.add(found, around.file if around is not None else next(iter(self.sources)))
        self.field_names |= {n for n, x in found.fields.items() if not x.type.name[:1].isupper()}

    def source_of(self, owner: str) -> Source:
        """The text that a class stands in."""
        found = self.program.get(owner)
        return self.sources[found.file if found is not None else next(iter(self.sources))]

    def fresh(self, wanted: str) -> str:
        """A name that nothing else has yet."""
        name, k = wanted, 1
        while name in self.used:
            k += 1
            name = f"{wanted}_{k}"
        self.used.add(name)
        return name

    def local(self, name: str) -> str:
        """The symbol of a local variable: its own name, unless a field or the language has that name."""
        safe = name
        while safe in RESERVED or safe in self.field_names:
            safe += "_"
        self.used.add(safe)
        return safe

    def parameter(self, note: Note, exact: bool = False) -> Value:
        """A parameter of its own; its name is made fresh, unless it is `exact` and the first of that name."""
        if not exact or note.name in self.parameters:
            note.name = self.fresh(note.name)
        self.used.add(note.name)
        self.parameters[note.name] = note
        return as_value(note.name)


class Flow(dict[str, Value]):
    """Where a statement may jump instead of falling through: kind of jump to its probability."""

    @property
    def total(self) -> Value:
        """The probability of any jump."""
        found = ZERO
        for v in self.values():
            found = found + v
        return found

    def scaled(self, weight: Value) -> Flow:
        """The same jumps with a probability in front."""
        return Flow({k: weight * v for k, v in self.items()})

    def joined(self, other: Flow) -> Flow:
        """The jumps of two ways together."""
        return Flow({k: self.get(k, ZERO) + other.get(k, ZERO) for k in (*self, *(k for k in other if k not in self))})

    def without(self, *kinds: str) -> Flow:
        """All but some kinds of jumps."""
        return Flow({k: v for k, v in self.items() if k not in kinds})


class Frame:
    """One method in progress: types and knowledge of its variables, and the items that are being written."""

    def __init__(self, job: Job, method: Method) -> None:
        self.job = job
        self.method = method
        self.types: dict[str, Type] = {}
        self.known: dict[str, Known] = {}
        self.out: list[Item] = []
        self.returned: list[Result] = []
        self.loops: list[str] = []
        self.changing = method.assigned
        self._values = 0

    @property
    def owner(self) -> str:
        """The class of the method."""
        return self.method.owner

    @property
    def values_made(self) -> int:
        """How many values it has numbered."""
        return self._values

    def value(self) -> int:
        """The number of a new value."""
        self._values += 1
        return self._values

    def op(
        self,
        name: str,
        kind: Type | None,
        *inputs: Result | int,
        variable: str = "",
        memory: Access | None = None,
        store: bool = False,
    ) -> int:
        """Write an operation and return the number of its value."""
        numbers = tuple(i.value if isinstance(i, Result) else i for i in inputs)
        result = self.value()
        self.out.append(Op(name, kind, tuple(n for n in numbers if n >= 0), result, variable, memory, store))
        return result

    @contextmanager
    def writing(self) -> Iterator[list[Item]]:
        """What is written inside goes to a list of its own."""
        before, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = before

    def note(self, name: str, text: str, at: Place, value: Value | None = None, unit: bool = False) -> Value:
        """A parameter of this method; with `unit` it is a probability."""
        bounds = (ZERO, as_value(1)) if unit else (None, None)
        return self.job.parameter(Note(name, f"{self.where(at)}: {text}", at, value, *bounds))

    def where(self, at: Place) -> str:
        """`File.java:line`."""
        from os.path import basename

        return f"{basename(self.job.source_of(self.owner).name)}:{at.line}"

    def shown(self, at: Place, most: int = 50) -> str:
        """The beginning of the text at a place."""
        line = self.job.source_of(self.owner).line(at.line)[at.column - 1 :].strip()
        return line if len(line) <= most else line[: most - 1].rstrip() + "…"

    def unsupported(self, what: str, at: Place) -> None:
        """Note a construct that is only counted as an operation or a parameter."""
        self.job.unsupported.setdefault((self.owner, at), what)

    def keep_common(self, one: dict[str, Known], other: dict[str, Known]) -> None:
        """Know only what holds after both of two ways."""
        self.known = {k: merged(v, other[k]) for k, v in one.items() if k in other}

    def done(self) -> Items:
        """What has been written."""
        return tuple(self.out)
