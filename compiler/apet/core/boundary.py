"""The library of the core: loaded once, its structures and functions declared as `boundary.h` has them.

Each pointer takes an array of the type that it points to, and nothing else: `array.array`, a contiguous numpy array,
or, where it points to pointers, several of them.
"""

from __future__ import annotations

import ctypes
import re
import sys
from array import array
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from apet.ground.diagnostics import ApetError, Diagnostic

FILE = Path(__file__).with_name(f"apet_core{ {'win32': '.dll', 'darwin': '.dylib'}.get(sys.platform, '.so') }")
NUMBERS = {
    "i64": (ctypes.c_int64, "i8"),
    "double": (ctypes.c_double, "f8"),
    "float": (ctypes.c_float, "f4"),
    "int": (ctypes.c_int, "i4"),
}
"""By type in C that in Python, and kind and bytes of elements of arrays."""
_LETTERS = {"d": "f", "B": "u"}
BYTES = {"unsigned char": "u1", "char": "bytes"}


class CoreMissing(Diagnostic):
    """The library is not where it is installed to."""

    message = "the C core of APET is not built: there is no {file}"
    hint = "in a checkout: make core, or pip install -e ."


@cache
def library() -> Any:
    """The core. `ApetError` where it is not built."""
    try:
        core = ctypes.CDLL(str(FILE))
    except OSError:
        if FILE.exists():
            raise
        raise ApetError(CoreMissing(None, None, str(FILE))) from None

    for name, (text, _) in _page(core).items():
        result, _, function = name.rpartition(" ")
        if result:
            getattr(core, function).argtypes = [_argument(*each) for each in _declared(text.replace(",", ";"))]
            getattr(core, function).restype = _result(result)
    return core


@cache
def _page(core: Any) -> dict[str, tuple[str, int]]:
    """The boundary by name, that of a function behind its result: fields, arguments, or nothing for a constant; bytes
    of a structure, or the value of a constant."""
    name, text, number = ctypes.c_char_p(), ctypes.c_char_p(), ctypes.c_int64()
    places = [ctypes.byref(each) for each in (name, text, number)]
    page: dict[str, tuple[str, int]] = {}
    while core.apet_boundary(ctypes.c_int64(len(page)), *places):
        page[(name.value or b"").decode()] = (text.value or b"").decode(), number.value
    return page


def constants() -> dict[str, int]:
    """The numbers that both sides count with."""
    return {name: number for name, (text, number) in _page(library()).items() if not text}


@cache
def structure(name: str) -> type[ctypes.Structure]:
    """A structure of the boundary; `TypeError` if Python would lay it out in another way."""
    size = _page(library())[name][1]
    fields = [(field, ctypes.c_void_p if stars else NUMBERS[kind][0]) for field, (kind, stars) in _fields(name).items()]
    shared = type(name, (ctypes.Structure,), {"_fields_": fields, "__slots__": ()})
    if ctypes.sizeof(shared) != size:
        raise TypeError(f"{name} takes {size} bytes in C, {ctypes.sizeof(shared)} in Python")
    return shared


@cache
def _fields(name: str) -> dict[str, tuple[str, int]]:
    """By field of a structure: its type without pointers, and how many of them."""
    return {field: (kind, stars) for kind, field, stars in _declared(_page(library())[name][0])}


class Struct:
    """A structure of the boundary with the arrays that it points to."""

    def __init__(self, name: str, **values: Any) -> None:
        self.name = name
        self.structure = structure(name)()
        self.held: dict[str, Any] = {}
        self.set(**values)

    def set(self, **values: Any) -> None:
        """Set numbers; let pointers point to arrays, which are kept as long as the structure."""
        for name, value in values.items():
            kind, stars = _fields(self.name)[name]
            if stars:
                pointer = _pointer(value, kind, stars)
                self.held[name] = value, pointer
                value = ctypes.addressof(pointer) if isinstance(pointer, ctypes.Array) else pointer
            setattr(self.structure, name, value)


def _declared(text: str) -> Iterator[tuple[str, str, int]]:
    """Type, name and stars of each field in C, in order."""
    for declaration in filter(None, map(str.strip, text.split(";"))):
        match = re.fullmatch(r"(?:const )?(unsigned char|\w+) ?(.+)", declaration)
        assert match, declaration
        for name in match[2].split(","):
            yield match[1], name.replace("const", " ").strip(" *"), name.count("*")


def _result(text: str) -> Any:
    return ctypes.c_void_p if "*" in text else None if text == "void" else NUMBERS[text][0]


@cache
def _argument(kind: str, name: str, stars: int) -> Any:
    """What turns a value into an argument of a function."""
    if not stars:
        return NUMBERS[kind][0]

    class Pointer:
        @staticmethod
        def from_param(value: Any) -> Any:
            pointer = _pointer(value, kind, stars)
            return ctypes.c_void_p(pointer) if isinstance(pointer, int) else pointer

    return Pointer


def _pointer(value: Any, kind: str, stars: int) -> Any:
    """What points to a value: an address, or what ctypes takes for one. `TypeError` if it has another type in C."""
    if value is None or isinstance(value, ctypes.c_void_p | ctypes._SimpleCData):  # a state of the core, or NULL
        return value
    if stars > 1:
        addresses = [_pointer(each, kind, 1) for each in value]
        return (ctypes.c_void_p * max(1, len(addresses)))(*addresses)
    if isinstance(value, Struct) and value.name == kind:
        return ctypes.byref(value.structure)
    if isinstance(value, bytes | ctypes.Array) and kind == "char":
        return value
    return _address(value, NUMBERS[kind][1] if kind in NUMBERS else BYTES.get(kind, kind))


def _address(value: Any, expected: str) -> int:
    """The address of an array whose elements are as expected."""
    if isinstance(value, array):
        kind, address = f"{_LETTERS.get(value.typecode, 'i')}{value.itemsize}", value.buffer_info()[0]
    else:
        kind, address = value.dtype.str[1:], value.ctypes.data
        if not value.flags.c_contiguous:
            raise TypeError("the core takes contiguous arrays only")
    if kind != expected and kind != f"V{_bytes(expected)}":
        raise TypeError(f"the core takes {expected}, not {kind}")
    return int(address)


def _bytes(expected: str) -> int:
    """The size of a structure."""
    return ctypes.sizeof(structure(expected)) if expected.isalpha() else -1
