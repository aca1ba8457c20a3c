"""The places of all key paths of a JSON text.

The text must be one that `json` has accepted. The scanner keeps a stack of its own, so that depth is no matter.
"""

from __future__ import annotations

import json
import re

from apet.ground.documents.key_paths import KeyPath, Place
from apet.ground.source import Span

_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[\[\]{}:,]|[^\s\[\]{}:,"]+', re.DOTALL)


def json_places(text: str) -> dict[KeyPath, Place]:
    """The places of all keys and values."""
    places: dict[KeyPath, Place] = {}
    path, starts, keys = list[str | int](), list[tuple[Span, int]](), list[bool]()
    key: Span | None = None
    for token in _TOKEN.finditer(text):
        span, word = Span(token.start(), token.end()), token[0]
        if word == ":":
            continue
        if word == ",":
            if not keys[-1]:
                path[-1] = int(path[-1]) + 1
            key = None
        elif word in "]}":
            path.pop()
            opened, _ = starts.pop()
            keys.pop()
            places[tuple(path)] = Place(opened, Span(places[tuple(path)].value.start, span.end))
            key = None
        elif keys and keys[-1] and key is None:
            key = span
            path[-1] = json.loads(word)
        else:
            place = tuple(path)
            places[place] = Place(key or span, span)
            if word in "[{":
                starts.append((key or span, span.start))
                keys.append(word == "{")
                path.append("" if word == "{" else 0)
                key = None

    return places
