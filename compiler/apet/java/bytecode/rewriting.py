"""Code put into methods: straight pieces that leave the stack and the variables of a method as they find them.

So no jump, no frame and no type of the method changes: only places move. What is put `before` an instruction runs
whenever that is reached, by a jump or not; what is put `behind` one runs only where it goes on with the next.
"""

from __future__ import annotations

import struct
from collections import defaultdict

from apet.java.bytecode.class_file import Attribute, ClassFile, Code, Handler, Method, Reader, u2
from apet.java.bytecode.instructions import Instruction, instructions, length_at, relocated

MOVED = frozenset(("StackMapTable", "LineNumberTable"))
"""What is told of code and stays true as places move; tables of variables, ranges and annotations are left out."""
ROOM = 12
"""Words on the stack that a piece takes, at most."""
MOST_CODE = 0xFFFF
_ATHROW, _SAME_ONE, _UNINITIALISED, _OBJECT, _FULL = 191, 247, 8, 7, 255


class Insertions:
    """What is put into one method, by the place of an instruction."""

    def __init__(self, method: Method, code: Code) -> None:
        self.method = method
        self.code = code
        self.instructions = instructions(code.code)
        self.by_place = {one.at: one for one in self.instructions}
        self.before: defaultdict[int, bytes] = defaultdict(bytes)
        self.behind: defaultdict[int, bytes] = defaultdict(bytes)
        self.extra_locals = 0
        self.at_exit = b""
        """What runs where an exception leaves the method."""

    def write(self, owner: ClassFile, lines: dict[int, int] | None = None) -> bool:
        """Put all of it in, and give lines their numbers in the source (`lines`); false where it has no room."""
        try:
            code = self._moved(owner, lines or {})
        except struct.error:
            return False
        if len(code.code) > MOST_CODE:
            return False
        self.method.code = code
        return True

    def _moved(self, owner: ClassFile, lines: dict[int, int]) -> Code:
        starts, labels, places = self._layout()
        body = b"".join(self._piece(one, places[one.at], labels) for one in self.instructions)
        stop = len(self.code.code)
        handlers = [Handler(labels[h.start], starts[h.end], labels[h.handler], h.type) for h in self.code.handlers]
        exits = len(body)
        if self.at_exit:
            body += self.at_exit + bytes((_ATHROW,))
            handlers.append(Handler(0, exits, exits, 0))
        attributes = [(n, c) for n, c in self.code.attributes if n in MOVED]
        moved = [(n, self._table(n, c, labels, places, lines)) for n, c in attributes]
        if self.at_exit:
            moved = _with_exit(owner, moved, exits, max((labels[p] for p in self._framed()), default=-1))
        assert stop in starts
        return Code(self.code.max_stack + ROOM, self.code.max_locals + self.extra_locals, body, handlers, moved)

    def _layout(self) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
        """By old place: where what is there starts, where jumps to it go, and where the instruction itself lies."""
        starts: dict[int, int] = {}
        labels: dict[int, int] = {}
        places: dict[int, int] = {}
        at = 0
        behind = b""
        for one in self.instructions:
            starts[one.at] = at
            labels[one.at] = at + len(behind)
            places[one.at] = labels[one.at] + len(self.before.get(one.at, b""))
            at = places[one.at] + length_at(one, places[one.at])
            behind = self.behind.get(one.at, b"")
        starts[len(self.code.code)] = labels[len(self.code.code)] = at
        return starts, labels, places

    def _piece(self, one: Instruction, place: int, labels: dict[int, int]) -> bytes:
        previous = self.before.get(one.at, b"")
        follows = self.behind.get(one.at, b"") if one.next < len(self.code.code) else b""
        return previous + relocated(one, place, labels) + follows

    def _table(
        self, name: str, content: bytes, labels: dict[int, int], places: dict[int, int], lines: dict[int, int]
    ) -> bytes:
        if name == "StackMapTable":
            return _frames(content, labels, places)
        reader = Reader(content)
        rows = [(reader.u2(), reader.u2()) for _ in range(reader.u2())]
        return u2(len(rows)) + b"".join(u2(labels[at]) + u2(lines.get(line, line)) for at, line in rows)

    def _framed(self) -> list[int]:
        content = self.code.attribute("StackMapTable")
        return [] if content is None else _framed_places(content)


def _framed_places(content: bytes) -> list[int]:
    """The old places of all frames."""
    places: list[int] = []
    reader, at = Reader(content), -1
    for _ in range(reader.u2()):
        delta, _ = _frame(reader)
        at += delta + 1
        places.append(at)
    return places


def _frames(content: bytes, labels: dict[int, int], places: dict[int, int]) -> bytes:
    """A table of stack frames for code that has moved (section 4.7.4)."""
    reader, at, before = Reader(content), -1, -1
    count = reader.u2()
    parts = [u2(count)]
    for _ in range(count):
        delta, (tag, payload) = _frame(reader)
        at += delta + 1
        parts.append(_written_frame(tag, labels[at] - before - 1, _with_places(tag, payload, places)))
        before = labels[at]
    return b"".join(parts)


def _frame(reader: Reader) -> tuple[int, tuple[int, bytes]]:
    """The distance of a frame, and its kind (of the longer form) with what it says of types."""
    tag = reader.u1()
    if tag < 64:
        return tag, (251, b"")
    if tag < 128:
        return tag - 64, (_SAME_ONE, _types(reader, 1))
    delta = reader.u2()
    if tag == _SAME_ONE:
        return delta, (tag, _types(reader, 1))
    if tag < 252:
        return delta, (tag, b"")
    if tag < _FULL:
        return delta, (tag, _types(reader, tag - 251))
    variables = reader.u2()
    first = u2(variables) + _types(reader, variables)
    stack = reader.u2()
    return delta, (_FULL, first + u2(stack) + _types(reader, stack))


def _types(reader: Reader, count: int) -> bytes:
    start = reader.at
    for _ in range(count):
        if reader.u1() in (_OBJECT, _UNINITIALISED):
            reader.read(2)
    return reader.data[start : reader.at]


def _with_places(tag: int, payload: bytes, places: dict[int, int]) -> bytes:
    """The types of a frame; an object that is not initialised is named by the place of its instruction."""
    reader = Reader(payload)

    def types(count: int) -> bytes:
        parts = b""
        for _ in range(count):
            kind = reader.u1()
            parts += bytes((kind,))
            if kind == _UNINITIALISED:
                parts += u2(places[reader.u2()])
            elif kind == _OBJECT:
                parts += reader.read(2)
        return parts

    if tag != _FULL:
        return types({_SAME_ONE: 1, 252: 1, 253: 2, 254: 3}.get(tag, 0))
    variables = reader.u2()
    first = u2(variables) + types(variables)
    stack = reader.u2()
    return first + u2(stack) + types(stack)


def _written_frame(tag: int, delta: int, payload: bytes) -> bytes:
    return bytes((tag,)) + u2(delta) + payload


def _with_exit(owner: ClassFile, attributes: list[Attribute], at: int, last: int) -> list[Attribute]:
    """The tables with a frame for what runs where an exception leaves: no variable, and the exception."""
    thrown = bytes((_OBJECT,)) + u2(owner.class_constant("java/lang/Throwable"))
    frame = _written_frame(_FULL, at - last - 1, u2(0) + u2(1) + thrown)
    table = dict(attributes).get("StackMapTable", u2(0))
    count = int.from_bytes(table[:2], "big")
    others = [a for a in attributes if a[0] != "StackMapTable"]
    return [*others, ("StackMapTable", u2(count + 1) + table[2:] + frame)]
