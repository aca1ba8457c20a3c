"""Typed values of one table of a document. What is wrong is noted, and a stand-in value is returned, so that
one run over a file finds every error."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from apet.ground.documents import units

if TYPE_CHECKING:
    from apet.ground.documents.document_errors import DocumentErrors
    from apet.ground.documents.key_paths import KeyPath

NUMBER_OR_PAIR = "one number or [lower, upper]"


class Table:
    """One table of a file, its key path, and where to note what is wrong with it."""

    def __init__(self, content: Mapping[str, Any], path: KeyPath, notes: DocumentErrors) -> None:
        self.content = content
        self.path = path
        self.notes = notes

    def __contains__(self, key: object) -> bool:
        return key in self.content

    def at(self, key: str) -> KeyPath:
        """The key path of one of its keys."""
        return (*self.path, key)

    def allow(self, keys: Sequence[str]) -> None:
        """Note every key that is not known here."""
        spelled = {units.spelled(self.content, key) for key in keys}
        for key in self.content:
            if key not in keys and key not in spelled:
                self.notes.unknown_key(self.at(key), keys)

    def spelled(self, key: str) -> str:
        """The key, or the one without its unit where the value carries that: `latency = "3 us"` for `latency_s`."""
        return units.spelled(self.content, key)

    def table(self, key: str) -> Table | None:
        """The table under a key; None if there is none."""
        if key not in self.content:
            return None
        value = self.content[key]
        if not isinstance(value, dict):
            self.notes.wrong_type(self.at(key), f"a table, [{key}]", value)
            return None
        return Table(value, self.at(key), self.notes)

    def tables(self, key: str) -> list[Table]:
        """The array of tables under a key; empty if there is none."""
        value = self.content.get(key, [])
        if not isinstance(value, list):
            self.notes.wrong_type(
                self.at(key), f"an array of tables, each headed [[{'.'.join(map(str, self.at(key)))}]]", value
            )
            return []
        tables = []
        for index, item in enumerate(value):
            if isinstance(item, dict):
                tables.append(Table(item, (*self.at(key), index), self.notes))
            else:
                self.notes.wrong_type((*self.at(key), index), "a table", item)

        return tables

    def text(self, key: str, default: str = "") -> str:
        """The text under a key."""
        value = self.content.get(key, default)
        if isinstance(value, str):
            return value
        self.notes.wrong_type(self.at(key), "a text in quotes", value)
        return default

    def count(self, key: str, default: int = 1) -> int:
        """A whole number of at least 1."""
        value = self.content.get(key, default)
        if isinstance(value, str):
            self.notes.text_for_number(self.at(key), value, key)
        elif isinstance(value, bool) or not isinstance(value, int):
            self.notes.wrong_type(self.at(key), "a whole number", value)
        elif value < 1:
            self.notes.out_of_range(self.at(key), value, "at least 1")
        else:
            return value
        return default

    def number(self, key: str, low: float = 0.0, high: float = math.inf, *, above: bool = False) -> float | None:
        """A number from low (above low, with `above`) to high; None if the key is absent or its value is wrong."""
        key = self.spelled(key)
        if key not in self.content:
            return None
        value = self._finite(self.at(key), self.content[key], key, "a number")
        if value is None or self._refuses(self.at(key), value, low, high, above):
            return None
        return value

    def figure(
        self, path: KeyPath, value: object, carrier: str, above: bool, expected: str = "a number"
    ) -> float | None:
        """A finite number that is not negative (greater than 0, with `above`), or None with a note."""
        number = self._finite(path, value, carrier, expected)
        return None if number is None or self._refuses(path, number, 0.0, math.inf, above) else number

    def pair(self, path: KeyPath, value: Sequence[object], carrier: str, above: bool) -> tuple[float, float] | None:
        """[lower, upper], both as `figure` reads them, or None with a note."""
        if len(value) != 2:
            self.notes.wrong_type(path, NUMBER_OR_PAIR, value)
            return None
        low, high = (self.figure((*path, i), end, carrier, above) for i, end in enumerate(value))
        if low is None or high is None:
            return None
        if low > high:
            self.notes.ends_exchanged(path, low, high)
            return None
        return low, high

    def _finite(self, path: KeyPath, value: object, carrier: str, expected: str) -> float | None:
        """The value as a finite float, or None with a note."""
        if isinstance(value, str):
            quantity = units.quantity(value, carrier)
            if quantity is None:
                self.notes.text_for_number(path, value, carrier)
            return quantity
        if carrier in units.WITHOUT:
            self.notes.wrong_type(path, f"a text with its unit, as in {units.WITHOUT[carrier]}", value)
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.notes.wrong_type(path, expected, value)
            return None
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if math.isfinite(number):
            return number

        self.notes.not_finite(path, value)
        return None

    def _refuses(self, path: KeyPath, value: float, low: float, high: float, above: bool) -> bool:
        if low <= value <= high and not (above and value == low):
            return False
        least = f"greater than {low:g}" if above else f"at least {low:g}"
        self.notes.out_of_range(path, value, least if high == math.inf else f"{least} and at most {high:g}")
        return True
