"""The places of all key paths of a TOML text.

The text must be one that `tomllib` has accepted: nothing is checked here again, so the scanner can stay small.
"""

from __future__ import annotations

import re

from apet.ground.documents.key_paths import KeyPath, Place
from apet.ground.source import Span

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_BARE = re.compile(r"[^\s=.\[\]{},#\"']+")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}' r"|'''.*?'{3,5}" r'|"(?:\\.|[^"\\])*"' r"|'[^']*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]*")
_ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([btnfr"\\]))')
_SHORT = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", '"': '"', "\\": "\\"}


def toml_places(text: str) -> dict[KeyPath, Place]:
    """The places of all key paths."""
    return _Scanner(text).scan()


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places: dict[KeyPath, Place] = {}
        self.counts: dict[KeyPath, int] = {}

    def scan(self) -> dict[KeyPath, Place]:
        table: KeyPath = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            before = self.at
            if self.text.startswith("[", self.at):
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)
            if self.at == before:  # a text that tomllib would have refused: better no place than no end
                break

        return self.places

    def _header(self) -> KeyPath:
        many = self.text.startswith("[[", self.at)
        self.at += 2 if many else 1
        keys, span = self._dotted()
        self._skip(_SPACE)
        self.at += 2 if many else 1
        path = self._resolve(keys, many)
        for length in range(1, len(path) + 1):
            self._record(path[:length], span, span)
        return path

    def _resolve(self, keys: list[str], many: bool) -> KeyPath:
        """The path of a header: a name that is an array of tables stands for the array's last table."""
        path: KeyPath = ()
        for position, key in enumerate(keys):
            path = (*path, key)
            if many and position == len(keys) - 1:
                self.counts[path] = self.counts.get(path, 0) + 1
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
        return path

    def _pair(self, table: KeyPath) -> None:
        keys, key_span = self._dotted()
        self._skip(_SPACE)
        self.at += 1  # the equals sign
        self._skip(_SPACE)
        path = (*table, *keys)
        for length in range(len(table) + 1, len(path)):
            self._record(path[:length], key_span, key_span)
        self._record(path, key_span, self._value(path))

    def _value(self, path: KeyPath) -> Span:
        """Step over one value, recording what lies within it; its span."""
        start = self.at
        if self.text.startswith("[", start):
            self._array(path)
        elif self.text.startswith("{", start):
            self._inline_table(path)
        elif match := _STRING.match(self.text, start):
            self.at = match.end()
        else:
            match = _SCALAR.match(self.text, start)
            self.at = start + len(match[0].rstrip()) if match else start
        return Span(start, self.at)

    def _array(self, path: KeyPath) -> None:
        self.at += 1
        index = 0
        self._skip(_BLANK)
        while self.at < len(self.text) and self.text[self.at] != "]":
            item = (*path, index)
            span = self._value(item)
            self._record(item, span, span)
            index += 1
            self._separator()
        self.at += 1

    def _inline_table(self, path: KeyPath) -> None:
        self.at += 1
        self._skip(_BLANK)
        while self.at < len(self.text) and self.text[self.at] != "}":
            self._pair(path)
            self._separator()
        self.at += 1

    def _separator(self) -> None:
        self._skip(_BLANK)
        if self.text.startswith(",", self.at):
            self.at += 1
            self._skip(_BLANK)

    def _dotted(self) -> tuple[list[str], Span]:
        """The parts of a dotted key, and the span of the whole of it."""
        self._skip(_SPACE)
        start = end = self.at
        keys: list[str] = []
        while match := _STRING.match(self.text, self.at) or _BARE.match(self.text, self.at):
            keys.append(_unquoted(match[0]))
            self.at = end = match.end()
            self._skip(_SPACE)
            if not self.text.startswith(".", self.at):
                break
            self.at += 1
            self._skip(_SPACE)

        return keys, Span(start, end)

    def _record(self, path: KeyPath, key: Span, value: Span) -> None:
        self.places.setdefault(path, Place(key, value))

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at


def _unquoted(key: str) -> str:
    if key.startswith("'"):
        return key[1:-1]
    if key.startswith('"'):
        return _ESCAPE.sub(_character, key[1:-1])
    return key


def _character(match: re.Match[str]) -> str:
    code = match[1] or match[2]
    return chr(int(code, 16)) if code else _SHORT[match[3]]
