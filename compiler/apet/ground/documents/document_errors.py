"""Collects what is wrong with one file of keys and values, each error with its key path and place.

The wording is imported, and the places are sought, at the first error: a file without one pays for neither.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from apet.ground.documents import units
from apet.ground.documents.key_paths import KeyPath, dotted
from apet.ground.documents.places import Locator

if TYPE_CHECKING:
    from apet.ground.diagnostics import Diagnostic
    from apet.ground.source import Span


class DocumentErrors:
    """The errors found so far in one file."""

    def __init__(self, locator: Locator) -> None:
        self.locator = locator
        self.source = locator.source
        self.diagnostics: list[Diagnostic] = []

    def finish(self) -> None:
        """Raise one `ApetError` with all of them, in the order of the text; return if there is none."""
        if self.diagnostics:
            from apet.ground.diagnostics import ApetError

            raise ApetError(sorted(self.diagnostics, key=lambda d: d.span.start if d.span else -1))

    def at_key(self, kind: type[Diagnostic], path: KeyPath, *fields: object) -> None:
        """Note an error whose place is the key; `fields` are what the kind says besides the key path."""
        self._note(kind, self.locator.key(path), path, fields)

    def at_value(self, kind: type[Diagnostic], path: KeyPath, *fields: object) -> None:
        """Note an error whose place is the value."""
        self._note(kind, self.locator.value(path), path, fields)

    def _note(
        self, kind: Callable[..., Diagnostic], place: Span | None, path: KeyPath, fields: tuple[object, ...]
    ) -> None:
        self.diagnostics.append(kind(self.source, place, dotted(path), *fields))

    def unknown_key(self, path: KeyPath, keys: Sequence[str]) -> None:
        """A key that does not exist; if it is one without its unit or with another, say so."""
        from apet.ground.diagnostics import nearest
        from apet.ground.documents.errors import UnitInKey, UnknownKey

        key = str(path[-1])
        right = units.meant(key, keys)
        if right is None:
            self.at_key(UnknownKey, path, nearest(key, keys), ", ".join(keys))
        else:
            problem, conversion = units.problem(key, right), units.conversion(key, right)
            self.at_key(UnitInKey, path, problem, right, units.unit(right), conversion)

    def missing_key(self, path: KeyPath, example: str) -> None:
        """A key that must be there; the place is the table that lacks it."""
        from apet.ground.documents.errors import MissingKey

        self._note(MissingKey, self.locator.key(path[:-1]), path, (example,))

    def wrong_type(self, path: KeyPath, expected: str, value: object) -> None:
        """A value of another kind than the key wants."""
        from apet.ground.documents.errors import WrongType

        self.at_value(WrongType, path, expected, kind_of(value))

    def text_for_number(self, path: KeyPath, text: str, key: str) -> None:
        """A text such as "3 ms" where a number belongs; `key` is the key that carries the unit, or empty."""
        from apet.ground.documents.errors import TextForNumber

        self.at_value(TextForNumber, path, text, units.advice(text, key))

    def not_finite(self, path: KeyPath, value: object) -> None:
        """Infinity, not-a-number, or an integer beyond every float."""
        from apet.ground.documents.errors import NotFinite

        self.at_value(NotFinite, path, repr(value) if isinstance(value, float) else "one beyond 1.8e308")

    def out_of_range(self, path: KeyPath, value: object, allowed: str) -> None:
        """A number outside what its key allows."""
        from apet.ground.documents.errors import OutOfRange

        self.at_value(OutOfRange, path, shown(value), allowed)

    def ends_exchanged(self, path: KeyPath, low: object, high: object) -> None:
        """An interval whose lower end is greater than its upper end."""
        from apet.ground.documents.errors import EndsExchanged

        self.at_value(EndsExchanged, path, shown(low), shown(high))

    def duplicate_name(self, path: KeyPath, name: str, other: KeyPath, remedy: str) -> None:
        """A name that something before it has already; `other` is the key path of that one's name."""
        from apet.ground.documents.errors import DuplicateName

        span = self.locator.value(other)
        line = f" in line {self.source.position(span.start)[0]}" if span else ""
        self.at_value(DuplicateName, path, name, f"{dotted(other[:-1])}{line}", remedy)


def shown(value: object) -> str:
    """A value in a message: a float with twelve digits at most."""
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def kind_of(value: object) -> str:
    """What a TOML value is, in words."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return f"the number {value}"
        case str():
            return f"the text '{value}'"
        case list():
            return f"an array of {len(value)}"
        case dict():
            return "a table"
        case _:
            return "a date or time"
