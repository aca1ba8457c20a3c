"""The classes of a program by name, and which method a call means.

A class that is not in the file is looked for beside it, as `Name.java`: the usual place in one package.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from apet.java.parse.javac import Resolution
from apet.java.translator.boxes import BOXES, JAVA
from apet.java.translator.exceptions import EVERYTHING, is_caught
from apet.java.translator.layout import object_bytes
from apet.program import types
from apet.program.syntax import Lambda, LineColumn
from apet.program.syntax.declarations import Class, Method
from apet.program.translator.classes import Program
from apet.program.types import RANKS, Type

WIDENING = {"byte": 0, "short": 1, "char": 1, "int": 2, "long": 3, "float": 4, "double": 5}
MOST_FILES = 200


class JavaProgram(Program):
    """Classes by simple name; further ones are asked of `find`, which reads the file of that class, if there is one.
    `static` gives the names of the classes whose members a file imports; `resolution` is what javac makes of names."""

    conversions = JAVA
    makes_functions = True
    routine = "method"

    def __init__(
        self,
        classes: Sequence[Class],
        find: Callable[[str], Sequence[Class]],
        static: Callable[[str], Sequence[str]] = lambda file: (),
        resolution: Resolution | None = None,
    ) -> None:
        self.resolution = resolution or Resolution()
        self._variables: set[str] = set()
        self._by_file: dict[str, list[Class]] = {}
        self._find, self._static = find, static
        self._asked = 0
        super().__init__(classes)

        # What a translation finds out: lambdas as methods, methods as they run on objects of other classes than their
        # own, classes of exceptions that are made without a trace of the stack.
        self.lambdas: dict[LineColumn, tuple[Lambda, Method]] = {}
        self.inherited: dict[tuple[Method, str], Method] = {}
        self.untraced: set[str] = set()

    def get(self, name: str) -> Class | None:
        """The class of a simple name, or None where there is no source of it."""
        if name not in self._known:
            self._known[name] = None  # asked for once, found or not
            if name[:1].isupper() and self._asked < MOST_FILES:
                self._asked += 1
                for c in self._find(name):
                    self._keep(c)
        return self._known[name]

    def _keep(self, declared: Class) -> None:
        if self._known.get(declared.name) is None:
            super()._keep(declared)
            self._by_file.setdefault(declared.file, []).append(declared)
            self._variables.update(declared.variables, *(m.variables for m in declared.methods))

    def is_variable(self, name: str) -> bool:
        """Whether a name is that of a type variable, as far as the sources read so far tell."""
        return name in self._variables and self.get(name) is None

    def outer(self, name: str) -> Iterator[Class]:
        """A class with its ancestors, then what else its code sees members of: the other classes of its file, for inner
        classes see the outer ones' members, and those of static imports."""
        yield from self.line(name)
        yield from (c for c in self._by_file.get(self._file(name), ()) if c.name != name)
        for imported in self.imported(name):
            yield from self.line(imported)

    def imported(self, name: str) -> Sequence[str]:
        """The classes whose members the file of a class imports."""
        return self._static(self._file(name))

    def _file(self, name: str) -> str:
        own = self.get(name)
        return own.file if own is not None else self.own[0].file if self.own else ""

    def method(self, owner: str, name: str, arguments: Sequence[Type], near: bool = False) -> Method | None:
        """The method that a call means, bodies preferred (a class that overrides an abstract method, if only one)."""
        for c in self.outer(owner) if near else self.line(owner):
            member = chosen(c.named.get(name, ()), arguments, self.ancestors)
            if member is not None:
                return member
        return None

    def rival(self, method: Method, arguments: Sequence[Type]) -> Method | None:
        """Another method of the class that fits arguments of known types as well: javac refuses such a call."""
        declared = self.get(method.owner)
        if declared is None or types.UNKNOWN in arguments:
            return None
        distance = _distance(method, arguments, self.ancestors)
        others = (m for m in declared.named.get(method.name, ()) if m is not method)
        return next((m for m in others if _distance(m, arguments, self.ancestors) == distance), None)

    def named(self, owner: str, name: str, arguments: int, near: bool = False) -> list[Method]:
        """The methods of a name that take so many arguments, the nearest class first."""
        classes = self.outer(owner) if near else self.line(owner)
        return [m for c in classes for m in c.named.get(name, ()) if m.accepts(arguments)]

    def overriding(self, method: Method) -> list[Method]:
        """The methods with bodies that override an abstract one, in the classes read so far."""
        return [
            m
            for c in self.own
            for m in c.methods
            if m.name == method.name
            and m.has_body
            and len(m.formals) == len(method.formals)
            and any(a.name == method.owner for a in self.line(c.name))
        ]

    def object_bytes(self, kind: Type) -> int:
        """Bytes of an object of a class of the program; 0 of a class without a source."""
        return object_bytes(self.line(kind.name)) if self.get(kind.name) is not None else 0

    def is_caught(self, thrown: str, wanted: str) -> bool:
        """Whether a handler of one class takes exceptions of another; one that takes nearly all is taken to do so."""
        answer = is_caught(self, thrown, wanted)
        return wanted in EVERYTHING if answer is None else answer

    def constructor(self, owner: str, arguments: Sequence[Type]) -> Method | None:
        """The constructor that `new` means."""
        declared = self.get(owner)
        return None if declared is None else chosen(declared.constructors, arguments, self.ancestors)

    def ancestors(self, name: str) -> list[str]:
        """A class and what it extends and implements, the nearest first; none where it has no source."""
        lines = list(self.line(name))
        return list(dict.fromkeys(n for c in lines for n in (c.name, *c.parents)))


def chosen(
    candidates: Sequence[Method], arguments: Sequence[Type], ancestors: Callable[[str], list[str]]
) -> Method | None:
    """The overload that fits best (15.12.2): fewest conversions; None where none fits."""
    if len(candidates) == 1:
        return candidates[0] if _distance(candidates[0], arguments, lambda _: []) is not None else None
    best: tuple[int, Method] | None = None
    for m in candidates:
        distance = _distance(m, arguments, ancestors)
        if distance is not None and (best is None or distance < best[0]):
            best = distance, m
    return None if best is None else best[1]


def _distance(method: Method, arguments: Sequence[Type], ancestors: Callable[[str], list[str]]) -> int | None:
    formals = [f.type for f in method.formals]
    if len(formals) != len(arguments):
        if not method.variadic or len(arguments) < len(formals) - 1:
            return None
        last = types.element(formals[-1])
        formals = [*formals[:-1], *[last] * (len(arguments) - len(formals) + 1)]

    total = PACKED * (len(formals) != len(method.formals))
    for wanted, offered in zip(formals, arguments, strict=True):
        one = _conversion(offered, wanted, ancestors)
        if one is None and method.variadic:
            one = _conversion(offered, types.element(wanted), ancestors)
            total += PACKED
        if one is None:
            return None
        total += one
    return total


def _conversion(offered: Type, wanted: Type, ancestors: Callable[[str], list[str]]) -> int | None:
    """How far an argument is from a formal; None where it does not fit; an unknown type fits anything."""
    if offered == wanted:
        return 0
    if offered == types.UNKNOWN or wanted == types.UNKNOWN:
        return 10
    plain, target = JAVA.unboxed(offered), JAVA.unboxed(wanted)
    if JAVA.is_numeric(plain) and JAVA.is_numeric(target):
        gap = WIDENING[target.name] - WIDENING[plain.name]
        boxing = 20 * ((offered.name in BOXES) + (wanted.name in BOXES))
        return None if gap < 0 or (plain.name, target.name) in (("byte", "char"), ("short", "char")) else gap + boxing
    if plain == target:
        return 20

    from_primitive, to_primitive = _is_primitive(plain), _is_primitive(target)
    if from_primitive and to_primitive:
        return None
    if from_primitive or to_primitive:
        # A type variable may have any name, and what it stands for is not followed: `Item` may be an `Integer`.
        reference = wanted if from_primitive else offered
        plainly_not = reference.dimensions or reference == types.STRING or _is_primitive(JAVA.unboxed(reference))
        return None if plainly_not else 40 if reference.name in ("Object", "Number", "Comparable", "T", "E") else 60
    if offered.dimensions and wanted.dimensions and offered.name in RANKS and wanted.name in RANKS:
        return None
    return _widening(offered, wanted, ancestors)


PACKED = 1000
"""How far arguments are from a variadic formal: it is tried where nothing else fits (15.12.2.4)."""
UNRELATED = 30
"""How far a reference is from a type that no source says it has: it may be one, by a class without a source."""


def _widening(offered: Type, wanted: Type, ancestors: Callable[[str], list[str]]) -> int:
    """How far a reference is from a type above it (5.1.5): the nearest ancestor first, `Object` last."""
    if wanted.name == "Object":
        return 20
    line = ancestors(offered.name) if offered.dimensions == wanted.dimensions else []
    if wanted.name in line:
        return line.index(wanted.name)
    return UNRELATED if line or offered.dimensions != wanted.dimensions else 5


def _is_primitive(kind: Type) -> bool:
    return not kind.dimensions and (kind.name in RANKS or kind == types.BOOLEAN)
