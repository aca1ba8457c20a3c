"""Names that tell classes of one simple name apart.

A class is called by its simple name as long as a program has one of that name. Of several, each that lies inside
another class is called by the end of its binary name (section 13.1 of the language specification): `P$Node` beside
`Q$Node`, `Task$1T` and `Task$2T` for two that methods of `Task` declare.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

_HEAD = re.compile(r"(?<![.\w$])(?:class|interface|enum|record)\s+(?P<name>[\w$]+)")
_BRACES = re.compile(rf"{_HEAD.pattern}|[{{}}]")
NO_CODE = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
"""Texts and comments."""
_SIMPLE = re.compile(r"[\w$]+")


@dataclass(eq=False)
class _Declared:
    """A class of a text: where its name begins, the class around it, the text in which its simple name means it, what
    its head names behind that, and its binary name without a package."""

    simple: str
    at: int
    around: _Declared | None
    start: int
    stop: int
    binary: str
    above: frozenset[str] = frozenset()
    first: int = 0
    last: int = 0
    """Where its body begins and ends."""


class ClassNames:
    """The names of the classes of a text, of which a program has others already (`taken`)."""

    def __init__(self, text: str, taken: AbstractSet[str] = frozenset()) -> None:
        # Offsets are those of bytes.
        encoded = text.encode().decode("latin-1")
        times = Counter(m["name"] for m in _HEAD.finditer(encoded))
        self.repeated = {name for name, many in times.items() if many > 1 or name in taken}
        code = NO_CODE.sub(lambda m: " " * len(m[0]), encoded) if self.repeated else ""
        self._classes = [c for c in _declared(code) if c.simple in self.repeated]
        self._all = {c.simple: c for c in _declared(code)}
        self.of_binary = {c.binary: self._name(c) for c in self._classes}
        """What classes of repeated names are called, by their binary names without a package."""
        self.taken = {*times, *self.of_binary.values()}

    def _name(self, one: _Declared) -> str:
        parts = one.binary.split("$")
        others = [c.binary for c in self._classes if c is not one]
        for count in range(2, len(parts) + 1):
            end = "$".join(parts[-count:])
            if not end[0].isdigit() and not any(other.endswith(f"${end}") or other == end for other in others):
                return end
        return one.binary

    def declared(self, simple: str, at: int) -> str:
        """What the class is called whose name begins at a place."""
        found = (c for c in self._classes if c.simple == simple and c.at == at)
        return next((self._name(c) for c in found), simple)

    def meant(self, written: str, at: int) -> str:
        """What the class is called that a name means at a place; the name may have others before it, with dots."""
        path = [part.strip() for part in written.split(".")]
        if path[-1] not in self.repeated:
            return path[-1]
        named = [c for c in self._classes if c.simple == path[-1]]
        if len(path) > 1:
            inside = [c for c in named if c.around is not None and c.around.simple == path[-2]]
            return self._name((inside or named)[0]) if named else path[-1]
        visible = [(size, c) for c in named if (size := self._scope(c, at)) is not None]
        return self._name(min(visible, key=lambda v: v[0])[1]) if visible else path[-1]

    def _scope(self, one: _Declared, at: int) -> int | None:
        """The length of the text around a place in which a simple name means a class; None outside of it."""
        if one.start <= at <= one.stop:
            return one.stop - one.start
        below = [
            c
            for c in self._all.values()
            if c.first <= at <= c.last and one.around and _is_below(c, one.around, self._all)
        ]
        return min((c.last - c.first for c in below), default=None)


def _is_below(one: _Declared, above: _Declared, known: dict[str, _Declared]) -> bool:
    waiting, seen = [one], set[str]()
    while waiting:
        for name in waiting.pop().above - seen:
            seen.add(name)
            waiting += [known[name]] if name in known else []
    return above.simple in seen


def _declared(code: str) -> Iterator[_Declared]:
    """The classes of a text without comments, outer ones first."""
    around: list[_Declared | None] = []
    inside: list[list[_Declared]] = [[]]
    head: _Declared | None = None
    locals_: Counter[tuple[str, str]] = Counter()
    for token in _BRACES.finditer(code):
        if token["name"]:
            owner = next((c for c in reversed(around) if c is not None), None)
            is_local = bool(around) and around[-1] is None
            binary = f"{owner.binary}$" if owner is not None else ""
            if is_local:
                locals_[binary, token["name"]] += 1
                binary += str(locals_[binary, token["name"]])
            start = token.start() if is_local else owner.first if owner is not None else 0
            head = _Declared(token["name"], token.start("name"), owner, start, len(code), binary + token["name"])
            inside[-1].append(head)
        elif token[0] == "{":
            if head is not None:
                head.above = frozenset(_SIMPLE.findall(code[head.at + len(head.simple) : token.start()]))
                head.first, head.last = token.start(), len(code)
            around.append(head)
            inside.append([])
            head = None
        elif around:
            closed = around.pop()
            if closed is not None:
                closed.last = token.start()
            for one in inside.pop():
                one.stop = token.start()
                yield one
    yield from (one for level in inside for one in level)
