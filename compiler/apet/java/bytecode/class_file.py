"""The class file format (Java Virtual Machine Specification, section 4): constants, methods, and their code."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

UTF8, INTEGER, CLASS, STRING, METHOD_REF, INTERFACE_METHOD_REF, NAME_AND_TYPE = 1, 3, 7, 8, 10, 11, 12
METHOD_HANDLE, INVOKE_DYNAMIC = 15, 18
_TWICE = (5, 6)
"""Tags of a long and a double, which take two numbers of the pool."""
_SIZES = {1: 2, 3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
STATIC, ABSTRACT, NATIVE = 0x8, 0x400, 0x100

Attribute = tuple[str, bytes]
Constant = tuple[int, bytes]


class Reader:
    """Reads big-endian numbers one after the other."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def read(self, size: int) -> bytes:
        """The next bytes."""
        self.at += size
        return self.data[self.at - size : self.at]

    def u1(self) -> int:
        """A number of one byte."""
        return self.read(1)[0]

    def u2(self) -> int:
        """A number of two bytes."""
        return int.from_bytes(self.read(2), "big")

    def u4(self) -> int:
        """A number of four bytes."""
        return int.from_bytes(self.read(4), "big")


def u2(number: int) -> bytes:
    """Two bytes; `struct.error` where the number has no room in them."""
    return struct.pack(">H", number)


class Handler(NamedTuple):
    """One line of an exception table: code from `start` to before `end`, where it goes, and the class as a constant."""

    start: int
    end: int
    handler: int
    type: int


@dataclass
class Code:
    """The code of a method, its room, its exception table, and what is told about it."""

    max_stack: int
    max_locals: int
    code: bytes
    handlers: list[Handler]
    attributes: list[Attribute]

    def attribute(self, name: str) -> bytes | None:
        """The content of an attribute."""
        return next((content for key, content in self.attributes if key == name), None)


@dataclass
class Method:
    """A method of a class: flags, name, descriptor, code (None without any) and all other attributes."""

    access: int
    name: str
    descriptor: str
    code: Code | None
    attributes: list[Attribute]

    @property
    def is_static(self) -> bool:
        """Whether it belongs to no object."""
        return bool(self.access & STATIC)


class ClassFile:
    """A class file in memory."""

    def __init__(self, data: bytes) -> None:
        reader = Reader(data)
        self.head = reader.read(8)
        self.constants = _constants(reader)
        self._numbers: dict[Constant, int] = {}
        self.access, self._this, self._super = reader.u2(), reader.u2(), reader.u2()
        self.interfaces = reader.read(2 * reader.u2())
        start = reader.at
        for _ in range(reader.u2()):
            reader.read(6)
            list(self._attributes(reader))
        self.fields = data[start : reader.at]
        self.methods = [self._method(reader) for _ in range(reader.u2())]
        self.attributes = list(self._attributes(reader))

    @property
    def name(self) -> str:
        """The name of the class, with `/` between packages."""
        return self.class_name(self._this)

    @property
    def source(self) -> str:
        """The plain name of the file that it was compiled from; "" where that is not told."""
        content = dict(self.attributes).get("SourceFile")
        return "" if content is None else self.utf8(int.from_bytes(content, "big"))

    def utf8(self, number: int) -> str:
        """The text of a constant; Java's own encoding of characters beyond 16 bits is kept as it is."""
        return self.constants[number][1].decode("utf-8", "surrogatepass")

    def class_name(self, number: int) -> str:
        """The name that a class constant stands for."""
        return self.utf8(int.from_bytes(self.constants[number][1], "big"))

    def member(self, number: int) -> tuple[str, str, str]:
        """Owner, name and descriptor of a reference to a field or method; no owner of a dynamic call."""
        tag, content = self.constants[number]
        owner, name_type = struct.unpack(">HH", content)
        name, descriptor = struct.unpack(">HH", self.constants[name_type][1])
        return "" if tag == INVOKE_DYNAMIC else self.class_name(owner), self.utf8(name), self.utf8(descriptor)

    def bootstrap_method(self, number: int) -> tuple[str, str] | None:
        """The method (name, descriptor) that the object of a dynamic call runs; None where it is no lambda."""
        table = dict(self.attributes).get("BootstrapMethods", b"\0\0")
        wanted = int.from_bytes(self.constants[number][1][:2], "big")
        reader = Reader(table, 2)
        for _ in range(wanted):
            reader.read(2)
            reader.read(2 * reader.u2())
        reader.read(2)
        arguments = [reader.u2() for _ in range(reader.u2())]
        handle = next((a for a in arguments if self.constants[a][0] == METHOD_HANDLE), None)
        if handle is None:
            return None
        owner, name, descriptor = self.member(int.from_bytes(self.constants[handle][1][1:], "big"))
        return (name, descriptor) if owner == self.name else None

    def constant(self, tag: int, content: bytes) -> int:
        """The number of a constant, which is added to the pool where it is missing."""
        if not self._numbers:
            self._numbers = {c: k for k, c in enumerate(self.constants) if c[0]}
        if (tag, content) not in self._numbers:
            self._numbers[tag, content] = len(self.constants)
            self.constants.append((tag, content))
        return self._numbers[tag, content]

    def text(self, text: str) -> int:
        """The number of a text."""
        return self.constant(UTF8, text.encode("utf-8", "surrogatepass"))

    def class_constant(self, name: str) -> int:
        """The number of a class."""
        return self.constant(CLASS, u2(self.text(name)))

    def string(self, text: str) -> int:
        """The number of a string."""
        return self.constant(STRING, u2(self.text(text)))

    def integer(self, number: int) -> int:
        """The number of an integer."""
        return self.constant(INTEGER, struct.pack(">i", number))

    def static_method(self, owner: str, name: str, descriptor: str) -> int:
        """The number of a static method of a class."""
        name_type = self.constant(NAME_AND_TYPE, u2(self.text(name)) + u2(self.text(descriptor)))
        return self.constant(METHOD_REF, u2(self.class_constant(owner)) + u2(name_type))

    def written(self) -> bytes:
        """The file."""
        members = b"".join(map(self._written_method, self.methods))
        rest = [u2(len(self.methods)), members, self._written_attributes(self.attributes)]
        numbers = u2(self.access) + u2(self._this) + u2(self._super) + u2(len(self.interfaces) // 2)
        body = numbers + self.interfaces + self.fields + b"".join(rest)
        return self.head + u2(len(self.constants)) + b"".join(_written_constants(self.constants)) + body

    def _attributes(self, reader: Reader) -> Iterator[Attribute]:
        for _ in range(reader.u2()):
            name = self.utf8(reader.u2())
            yield name, reader.read(reader.u4())

    def _method(self, reader: Reader) -> Method:
        access, name, descriptor = reader.u2(), self.utf8(reader.u2()), self.utf8(reader.u2())
        attributes = list(self._attributes(reader))
        code = next((self._code(content) for key, content in attributes if key == "Code"), None)
        return Method(access, name, descriptor, code, [a for a in attributes if a[0] != "Code"])

    def _code(self, content: bytes) -> Code:
        reader = Reader(content)
        stack, variables, code = reader.u2(), reader.u2(), reader.read(reader.u4())
        handlers = [Handler(*struct.unpack(">HHHH", reader.read(8))) for _ in range(reader.u2())]
        return Code(stack, variables, code, handlers, list(self._attributes(reader)))

    def _written_attributes(self, attributes: list[Attribute]) -> bytes:
        parts = (u2(self.text(name)) + struct.pack(">I", len(content)) + content for name, content in attributes)
        return u2(len(attributes)) + b"".join(parts)

    def _written_method(self, method: Method) -> bytes:
        attributes = list(method.attributes)
        if method.code is not None:
            c = method.code
            handlers = u2(len(c.handlers)) + b"".join(struct.pack(">HHHH", *h) for h in c.handlers)
            content = u2(c.max_stack) + u2(c.max_locals) + struct.pack(">I", len(c.code)) + c.code + handlers
            attributes.append(("Code", content + self._written_attributes(c.attributes)))
        head = u2(method.access) + u2(self.text(method.name)) + u2(self.text(method.descriptor))
        return head + self._written_attributes(attributes)


def _constants(reader: Reader) -> list[Constant]:
    """The pool by number; the numbers 0 and behind a long or double stand for nothing."""
    count, constants = reader.u2(), [(0, b"")]
    while len(constants) < count:
        tag = reader.u1()
        content = reader.read(_SIZES[tag])
        constants.append((tag, reader.read(int.from_bytes(content, "big")) if tag == UTF8 else content))
        constants += [(0, b"")] * (tag in _TWICE)
    return constants


def _written_constants(constants: list[Constant]) -> Iterator[bytes]:
    for tag, content in constants:
        if tag:
            yield bytes((tag,)) + (u2(len(content)) if tag == UTF8 else b"") + content
