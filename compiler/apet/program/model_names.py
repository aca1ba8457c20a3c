"""What a model declares while a program is translated: parameters, library operations, and every name that it uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from apet.model.terms import BUILTINS, FUNCTIONS
from apet.program.algebra import Value, as_value
from apet.program.ir import LineColumn, ParameterKind, ParameterSite, SourceNote
from apet.program.symbols import Symbol, SymbolTable

KEYWORDS = ("param", "resource", "in", "servers", "seq", "par", "if", "else", "use", "delay", "send", "sum")
RESERVED = frozenset((*FUNCTIONS, *BUILTINS, *KEYWORDS, "L", "p", "P", "tasks"))
UNBOUND = "a value that outlives the loop or call that knows it, on average"


class ModelNames:
    """The names of one translation; `at` is the place of its entry, `used` what the program itself names."""

    def __init__(self, at: LineColumn, used: Iterable[str] = ()) -> None:
        self.at = at
        self.parameters: dict[str, SourceNote] = {}
        self.operations: dict[str, SourceNote] = {}  # library calls
        self.symbols = SymbolTable()
        self.used: set[str] = {*RESERVED, *used}
        self.vectors = True  # whether the compiler puts loops on vectors where it can
        self._at_site: Counter[tuple[ParameterKind, ParameterSite]] = Counter()

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

    def parameter(self, note: SourceNote, exact: bool = False) -> Value:
        """A parameter of its own; its name is made fresh, unless it is `exact` and the first of that name."""
        if not exact or note.name in self.parameters:
            note.name = self.fresh(note.name)
        self.used.add(note.name)
        self.parameters[note.name] = note
        if note.site is not None:
            place = (note.kind, note.site)
            note.site = note.site._replace(ordinal=self._at_site[place])
            self._at_site[place] += 1
        return as_value(note.name)

    def unbound(self, name: str) -> SourceNote:
        """What is asked for a name that nothing gives a value."""
        return SourceNote(name, UNBOUND, self.at)
