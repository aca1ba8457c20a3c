"""Pieces of bytecode that call a static method of the harness with the number of a counter."""

from __future__ import annotations

import re

from apet.java.bytecode.class_file import ClassFile, u2

PROFILE, CALLS, OBJECTS = "apet/ApetProfile", "apet/ApetCalls", "apet/ApetObjects"
_SIPUSH, _LDC_W, _INVOKE_STATIC = 17, 19, 184
_LOADS = {"J": 22, "F": 23, "D": 24, **dict.fromkeys("IZBCS", 21)}
_A_LOAD, _WIDE = 25, 196
_STORE = 33
"""From the operation that loads a variable to the one that stores it."""
_WIDE_TYPES = ("J", "D")
_TYPE = re.compile(r"\[*(?:[ZBCSIJFD]|L[^;]+;)")


TO_DOUBLE = {**dict.fromkeys("IZBCS", b"\x87"), "J": b"\x8a", "F": b"\x8d", "D": b""}
"""What turns a value of a type into a double."""


class Pieces:
    """Makes pieces for one class."""

    dup, dup_x2, dup2, dup2_x1, pop, pop2 = (bytes((b,)) for b in (89, 91, 92, 93, 87, 88))

    def __init__(self, owner: ClassFile) -> None:
        self.owner = owner

    def number(self, number: int) -> bytes:
        """Push a number."""
        if number < 1 << 15:
            return bytes((_SIPUSH,)) + u2(number)
        return bytes((_LDC_W,)) + u2(self.owner.integer(number))

    def call(self, owner: str, name: str, number: int, before: str = "", result: str = "V") -> bytes:
        """Call a method with what is on the stack (types `before`) and the number of a counter."""
        method = self.owner.static_method(owner, name, f"({before}I){result}")
        return self.number(number) + bytes((_INVOKE_STATIC,)) + u2(method)

    def load(self, variable: int, kind: str) -> bytes:
        """Push a variable of a type."""
        return _with_variable(_LOADS.get(kind, _A_LOAD), variable)

    def store(self, variable: int, kind: str) -> bytes:
        """Take a value of a type off the stack into a variable."""
        return _with_variable(_LOADS.get(kind, _A_LOAD) + _STORE, variable)


def _with_variable(operation: int, variable: int) -> bytes:
    if variable < 256:
        return bytes((operation, variable))
    return bytes((_WIDE, operation)) + u2(variable)


def formal_types(descriptor: str) -> list[str]:
    """The types of what a method takes."""
    return _TYPE.findall(descriptor[1 : descriptor.index(")")])


def width(kind: str) -> int:
    """Words that a value takes on the stack and as a variable."""
    return 2 if kind in _WIDE_TYPES else 1
