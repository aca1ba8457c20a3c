"""Collects what is wrong with one file of keys and values, each mistake with its key path and place.

The wording is imported, and the places are sought, at the first mistake: a file without one pays for neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from apet.ground.source import Source, Span
from apet.machine import units

if TYPE_CHECKING:
    from apet.ground.diagnostics import Diagnostic
    from apet.ground.documents.toml_places import KeyPath, Locator
    from apet.machine.fitted import Fit


class Complaints:
    """The mistakes found so far in one file."""

    def __init__(self, source: Source, locator: Locator | None = None, fit: Fit | None = None) -> None:
        """`locator` finds key paths in texts that are not TOML."""
        self.source = source
        self.found: list[Diagnostic] = []
        self.fit = fit
        self._locator = locator

    def finish(self) -> None:
        """Raise one `ApetError` with all of them, in the order of the text; return if there is none."""
        if self.found:
            from apet.ground.diagnostics import ApetError

            raise ApetError(sorted(self.found, key=lambda d: d.span.start if d.span else -1))

    def unknown_key(self, path: KeyPath, known: Sequence[str]) -> None:
        """A key that does not exist; if it is one without its unit or with another, say so."""
        from apet.ground.diagnostics import nearest
        from apet.machine.errors import UnitInKey, UnknownKey

        key, at = str(path[-1]), self._key(path)
        right = units.meant(key, known)
        if right is None:
            found = UnknownKey(self.source, at, dotted(path), nearest(key, known), ", ".join(known))
            self.found.append(found)
            return
        complaint = units.complaint(key, right)
        unit, conversion = units.unit(right), units.conversion(key, right)
        self.found.append(UnitInKey(self.source, at, dotted(path), complaint, right, unit, conversion))

    def missing_key(self, path: KeyPath, example: str) -> None:
        """A key that must be there; the place is the table that lacks it."""
        from apet.machine.errors import MissingKey

        at = self._key(path[:-1]) if len(path) > 1 else None
        self.found.append(MissingKey(self.source, at, dotted(path), example))

    def no_operations(self, path: KeyPath) -> None:
        """An op_s without any operation."""
        from apet.machine.errors import NoOperations

        self.found.append(NoOperations(self.source, self._key(path), dotted(path)))

    def wrong_type(self, path: KeyPath, expected: str, value: object) -> None:
        """A value of another kind than the key wants."""
        from apet.machine.errors import WrongType

        self.found.append(WrongType(self.source, self._value(path), dotted(path), expected, kind_of(value)))

    def text_for_number(self, path: KeyPath, text: str, key: str) -> None:
        """A text such as "3 ms" where a number belongs; `key` is the key that carries the unit, or empty."""
        from apet.machine.errors import TextForNumber

        advised = units.advice(text, key)
        self.found.append(TextForNumber(self.source, self._value(path), dotted(path), text, advised))

    def not_finite(self, path: KeyPath, value: object) -> None:
        """Infinity, not-a-number, or an integer beyond every float."""
        from apet.machine.errors import NotFinite

        shown = repr(value) if isinstance(value, float) else "one beyond 1.8e308"
        self.found.append(NotFinite(self.source, self._value(path), dotted(path), shown))

    def out_of_range(self, path: KeyPath, value: object, allowed: str) -> None:
        """A number outside what its key allows."""
        from apet.machine.errors import OutOfRange

        self.found.append(OutOfRange(self.source, self._value(path), dotted(path), _shown(value), allowed))

    def ends_exchanged(self, path: KeyPath, low: object, high: object) -> None:
        """An interval whose lower end is greater than its upper end."""
        from apet.machine.errors import EndsExchanged

        self.found.append(EndsExchanged(self.source, self._value(path), dotted(path), _shown(low), _shown(high)))

    def not_a_distribution(self, path: KeyPath, forms: int) -> None:
        """A table that gives neither samples nor quantiles, or both."""
        from apet.machine.errors import NotADistribution

        complaint = "hold either samples or quantiles, not both"
        if not forms:
            complaint = "be one number, [lower, upper], or a table of samples or quantiles"
        self.found.append(NotADistribution(self.source, self._key(path), dotted(path), complaint))

    def not_a_level(self, path: KeyPath, text: str) -> None:
        """A key among quantiles that is no number from 0 to 1."""
        from apet.machine.errors import NotALevel

        self.found.append(NotALevel(self.source, self._key(path), dotted(path), text))

    def quantiles_fall(self, path: KeyPath, level: str, value: float, before: str, other: float) -> None:
        """A quantile less than one at a lower level, or a level given twice."""
        from apet.machine.errors import QuantilesFall

        shown = _shown(value), before, _shown(other)
        self.found.append(QuantilesFall(self.source, self._value(path), dotted(path), level, *shown))

    def duplicate_name(self, path: KeyPath, name: str, other: KeyPath, advised: str) -> None:
        """A name that an earlier machine has already; `other` is the key path of that one's name."""
        from apet.machine.errors import DuplicateName

        span = self._value(other)
        line = f" in line {self.source.position(span.start)[0]}" if span else ""
        at = self._value(path)
        owner = f"{dotted(other[:-1])}{line}"
        self.found.append(DuplicateName(self.source, at, dotted(path), name, owner, advised))

    def not_a_name(self, path: KeyPath, name: str, thing: str, reason: str, of_key: bool = False) -> None:
        """A text that cannot be a name; `of_key` where it is the key, not the value."""
        from apet.machine.errors import NotAName

        at = self._key(path) if of_key else self._value(path)
        self.found.append(NotAName(self.source, at, dotted(path), name, thing, reason))

    def unknown_schema(self, path: KeyPath, value: object, known: int) -> None:
        """A schema number of another version."""
        from apet.machine.errors import UnknownSchema

        self.found.append(UnknownSchema(self.source, self._value(path), str(value), known))

    def unknown_topology(self, path: KeyPath, value: str, known: Sequence[str]) -> None:
        """A topology that does not exist."""
        from apet.ground.diagnostics import nearest
        from apet.machine.errors import UnknownTopology

        at = self._value(path)
        mistake = UnknownTopology(self.source, at, dotted(path), value, nearest(value, known), ", ".join(known))
        self.found.append(mistake)

    def unknown_link_end(self, path: KeyPath, name: str, known: Iterable[str]) -> None:
        """A link from or to a machine that does not exist."""
        from apet.ground.diagnostics import nearest
        from apet.machine.errors import UnknownLinkEnd

        names = list(known)
        at = self._value(path)
        self.found.append(UnknownLinkEnd(self.source, at, dotted(path), name, nearest(name, names), ", ".join(names)))

    def empty_link(self, path: KeyPath) -> None:
        """A link that gives neither latency nor bandwidth."""
        from apet.machine.errors import EmptyLink

        self.found.append(EmptyLink(self.source, self._key(path), dotted(path)))

    def _key(self, path: KeyPath) -> Span | None:
        return self._places().key(path)

    def _value(self, path: KeyPath) -> Span | None:
        return self._places().value(path)

    def _places(self) -> Locator:
        if self._locator is None:
            from apet.ground.documents.toml_places import Locator

            self._locator = Locator(self.source)
        return self._locator


def dotted(path: KeyPath) -> str:
    """A key path as people write it: `machine[2].op_s.sum_double`, arrays counted from 1."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part + 1}]"
        else:
            text += ("." if text else "") + part
    return text


def _shown(value: object) -> str:
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
