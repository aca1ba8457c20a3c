"""Where a key path of a TOML or JSON text stands: the parsers say what a file holds, this says on which line."""

from __future__ import annotations

from typing import Literal

from apet.ground.documents.key_paths import KeyPath, Place
from apet.ground.source import Source, Span

Form = Literal["TOML", "JSON"]


class Locator:
    """Finds key paths in one text, which its parser has accepted.

    Components of a path are names of keys, and indices from 0 into arrays. The text is scanned at the first question,
    which is asked only when there is an error to show. `places` are those of a text in another form.
    """

    def __init__(self, source: Source, form: Form = "TOML", places: dict[KeyPath, Place] | None = None) -> None:
        self.source = source
        self.form = form
        self._places = places

    def key(self, path: KeyPath) -> Span | None:
        """The span of the key; of the nearest enclosing key or table header if the path is not written as such."""
        place = self._nearest(path)
        return place.key if place else None

    def value(self, path: KeyPath) -> Span | None:
        """The span of the value; of the nearest enclosing value or table header if the path is not written as such."""
        place = self._nearest(path)
        return place.value if place else None

    def _nearest(self, path: KeyPath) -> Place | None:
        if self._places is None:
            self._places = _scan(self.form, self.source.text)
        for length in range(len(path), 0, -1):
            if path[:length] in self._places:
                return self._places[path[:length]]
        return None


def _scan(form: Form, text: str) -> dict[KeyPath, Place]:
    # The scanners are imported here: a file without errors needs neither, nor their regular expressions.
    if form == "TOML":
        from apet.ground.documents.toml_places import toml_places

        return toml_places(text)
    from apet.ground.documents.json_places import json_places

    return json_places(text)
