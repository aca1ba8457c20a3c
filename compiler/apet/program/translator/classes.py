"""The classes of a program by name, with what a translation asks of its language.

A file of functions is a class, too. A language says in a class below `Program` which member a name means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from apet.program.syntax.declarations import Class, Field, Method
from apet.program.translator.conversions import Conversions
from apet.program.types import Type


class Program:
    """Classes by simple name."""

    conversions = Conversions()
    makes_functions = False  # whether a reference to a function makes an object
    routine = "function"  #: what its language calls what may be called

    def __init__(self, classes: Sequence[Class]) -> None:
        self.own = list(classes)
        self._known: dict[str, Class | None] = {}
        self._by_name: dict[str, list[Method]] = {}
        self._all_by_name: dict[str, list[Method]] = {}
        self._reachable: dict[Method, frozenset[Method]] = {}
        for c in classes:
            self._keep(c)

    def get(self, name: str) -> Class | None:
        """The class of a simple name, or None where there is no source of it."""
        return self._known.get(name)

    def _keep(self, declared: Class) -> None:
        """Of several classes with one name the first is meant."""
        if self._known.get(declared.name) is None:
            self._known[declared.name] = declared
            self._all_by_name, self._reachable = {}, {}

    def add(self, declared: Class, file: str) -> None:
        """One more class, of a file that is read already."""
        if self._known.get(declared.name) is None:
            placed = replace(declared, file=file)
            self._keep(placed)
            self.own.append(placed)
            self._by_name = {}

    def by_name(self) -> dict[str, list[Method]]:
        """The methods of the file by name, its constructors as `new Name`."""
        if not self._by_name:
            self._by_name = methods_by_name(self.own)
        return self._by_name

    def line(self, name: str) -> Iterator[Class]:
        """A class, then its ancestors."""
        waiting, seen = [name], set[str]()
        while waiting:
            one = waiting.pop(0)
            declared = self.get(one) if one not in seen else None
            seen.add(one)
            if declared is not None:
                yield declared
                waiting += declared.parents

    def outer(self, name: str) -> Iterator[Class]:
        """A class with its ancestors, then what else its code sees members of."""
        yield from self.line(name)

    def field(self, owner: str, name: str, near: bool = False) -> tuple[Class, Field] | None:
        """The field of a class (and, with `near`, of the classes around it) with the class that declares it."""
        for c in self.outer(owner) if near else self.line(owner):
            if name in c.fields:
                return c, c.fields[name]
        return None

    def reachable(self, entry: Method) -> frozenset[Method]:
        """The methods that the entry may call, by name: more than will be called, and fewer only where these are in
        classes that have not been read yet."""
        if entry in self._reachable:
            return self._reachable[entry]
        if not self._all_by_name:
            self._all_by_name = methods_by_name(c for c in self._known.values() if c is not None)
        methods, waiting = {entry}, [entry]
        while waiting:
            for name in waiting.pop().called:
                for m in self._all_by_name.get(name, ()):
                    if m not in methods:
                        methods.add(m)
                        waiting.append(m)
        self._reachable[entry] = frozenset(methods)
        return self._reachable[entry]

    def object_bytes(self, kind: Type) -> int:
        """Bytes of an object of a class of the program; 0 of what lies inside something else."""
        return 0

    def is_caught(self, thrown: str, wanted: str) -> bool:
        """Whether a handler of one class takes exceptions of another."""
        return thrown == wanted


def methods_by_name(classes: Iterable[Class]) -> dict[str, list[Method]]:
    """The methods of classes by name, constructors as `new Name`."""
    by_name: dict[str, list[Method]] = {}
    for c in classes:
        for m in c.methods:
            by_name.setdefault(m.name, []).append(m)
        for m in c.constructors:
            by_name.setdefault(f"new {c.name}", []).append(m)
    return by_name


def put_in(kind: Type, declared: Class | None, target: Type) -> Type:
    """A type inside a generic class, as an object of `target` has it: `Item` of a `Stack<Task>` is `Task`."""
    if declared is None or not declared.variables:
        return kind
    is_generic = target.name == declared.name and len(target.arguments) == len(declared.variables)
    return _replaced(kind, dict(zip(declared.variables, target.arguments, strict=True)) if is_generic else {})


def _replaced(kind: Type, values: dict[str, Type]) -> Type:
    if kind.name in values:
        value = values[kind.name]
        return Type(value.name, kind.dimensions + value.dimensions, value.arguments)
    if not kind.arguments:
        return kind
    return Type(kind.name, kind.dimensions, tuple(_replaced(a, values) for a in kind.arguments))
