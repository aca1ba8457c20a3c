"""One method in progress (`MethodFrame`)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from apet.program.algebra import ZERO, Value, as_value
from apet.program.ir import Access, Item, Items, LineColumn, Op, Operand, ParameterKind, SourceNote
from apet.program.jumps import Jumps
from apet.program.syntax.declarations import Method
from apet.program.translator.conversions import Conversions
from apet.program.translator.facts import Evaluated, Fact, merged
from apet.program.translator.state import TranslationState
from apet.program.types import UNKNOWN, Type


class MethodFrame:
    """One method in progress: types and knowledge of its variables, and the items that are being written."""

    def __init__(self, state: TranslationState, method: Method) -> None:
        self.state = state
        self.method = method
        self.types: dict[str, Type] = {}
        self.facts: dict[str, Fact] = {}
        self.out: list[Item] = []
        self.returned: list[Evaluated] = []
        self.loops: list[str] = []
        self.thrown = Jumps()
        """The exceptions that calls in the statement that is being written end with."""
        self.changing = method.assigned
        self.values = 0
        """How many values it has numbered."""

    @property
    def conversions(self) -> Conversions:
        """The language's conversions."""
        return self.state.program.conversions

    @property
    def owner(self) -> str:
        """The class of the method."""
        return self.method.owner

    def value(self) -> int:
        """The number of a new value."""
        self.values += 1
        return self.values

    def op(
        self,
        name: str,
        kind: Type | None,
        *inputs: Evaluated | int,
        variable: str = "",
        memory: Access | None = None,
        store: bool = False,
        place: str = "",
        size: int = 0,
        operand: Operand | None = None,
    ) -> int:
        """Write an operation and return the number of its value; `size` is that of an object that it makes."""
        numbers = tuple(i.value if isinstance(i, Evaluated) else i for i in inputs)
        result = self.value()
        needed = tuple(n for n in numbers if n >= 0)
        made = Op(name, kind, needed, result, variable, memory, store, bytes=size, operand=operand, place=place)
        self.out.append(made)
        return result

    def library(
        self, name: str, at: LineColumn, arguments: Sequence[Evaluated], kind: Type = UNKNOWN, fact: Fact = None
    ) -> Evaluated:
        """A call without a source: an operation of its own, which the machine file must know."""
        name = name if name.startswith("call_") else f"call_{name}"
        self.state.operations.setdefault(name, SourceNote(name, self.where(at), at))
        self.state.library_calls[os.path.basename(self.state.source_of(self.owner).name), at] = name
        return Evaluated(kind, fact, self.op(name, None, *arguments), True)

    @contextmanager
    def writing(self) -> Iterator[list[Item]]:
        """What is written inside goes to a list of its own."""
        before, self.out = self.out, []
        try:
            yield self.out
        finally:
            self.out = before

    def note(
        self,
        name: str,
        text: str,
        at: LineColumn,
        value: Value | None = None,
        unit: bool = False,
        *,
        kind: ParameterKind,
        **what: Any,
    ) -> Value:
        """A parameter of this method; with `unit` it is a probability. `what` is told of its site."""
        low, high = (ZERO, as_value(1)) if unit else (None, None)
        site = self.state.site(self.owner, at, **what)
        return self.state.parameter(SourceNote(name, f"{self.where(at)}: {text}", at, value, low, high, kind, site))

    def where(self, at: LineColumn) -> str:
        """`File.java:line`."""
        return self.state.where(self.owner, at)

    def shown(self, at: LineColumn, most: int = 50) -> str:
        """The beginning of the text at a place."""
        line = self.state.source_of(self.owner).line(at.line)[at.column - 1 :].strip()
        return line if len(line) <= most else line[: most - 1].rstrip() + "…"

    def unsupported(self, what: str, at: LineColumn) -> None:
        """Note a construct that is only counted as an operation or a parameter."""
        self.state.unsupported.setdefault((self.owner, at), what)

    def keep_common(self, one: dict[str, Fact], other: dict[str, Fact]) -> None:
        """Know only what holds after both of two ways."""
        self.facts = {k: merged(v, other[k]) for k, v in one.items() if k in other}

    def done(self) -> Items:
        """What has been written."""
        return tuple(self.out)
