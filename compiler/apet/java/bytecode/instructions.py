"""The instructions of a method: where each begins, how long it is, and where it may go on."""

from __future__ import annotations

import struct
from typing import NamedTuple

GOTO, TABLESWITCH, LOOKUPSWITCH, RETURNS, ATHROW = 167, 170, 171, range(172, 178), 191
CONDITIONAL = frozenset((*range(153, 167), 198, 199))
INVOKE_SPECIAL, INVOKE_STATIC, INVOKE_DYNAMIC = 183, 184, 186
INVOKES = range(182, 187)
GET_FIELD, PUT_FIELD, ARRAY_LENGTH = 180, 181, 190
NEW_ARRAYS = {188: 1, 189: 1}
MULTI_NEW_ARRAY = 197
CONSTANTS = range(2, 19)
STORES = range(54, 79)
LONG_STORES = frozenset((55, 57, *range(63, 67), *range(71, 75)))
_GOTO_W, _WIDE, _IINC, _JSR, _JSR_W = 200, 196, 132, 168, 201
_LENGTHS = {
    **dict.fromkeys((16, 18, *range(21, 26), *range(54, 59), 169, 188), 2),
    **dict.fromkeys((17, 19, 20, 132, *range(153, 169), *range(178, 185), 187, 189, 192, 193, 198, 199), 3),
    197: 4,
    **dict.fromkeys((185, 186, 200, 201), 5),
}


class Instruction(NamedTuple):
    """An instruction: where it begins, its operation, its bytes, and where it may jump (the default of a switch first,
    then its cases in their order)."""

    at: int
    operation: int
    data: bytes
    targets: tuple[int, ...] = ()

    @property
    def next(self) -> int:
        """Where the one behind it begins."""
        return self.at + len(self.data)

    @property
    def operand(self) -> int:
        """The two bytes behind the operation: the number of a constant."""
        return int.from_bytes(self.data[1:3], "big")

    def keys(self) -> tuple[int, ...]:
        """The values that a switch compares with, one for each case."""
        body = self.data[1 + (3 - self.at % 4) :]
        if self.operation == TABLESWITCH:
            low = int(struct.unpack(">i", body[4:8])[0])
            return tuple(range(low, low + len(self.targets) - 1))
        return tuple(struct.unpack(f">{2 * len(self.targets) - 2}i", body[8:]))[::2]


def instructions(code: bytes) -> list[Instruction]:
    """All instructions in order."""
    found: list[Instruction] = []
    at = 0
    while at < len(code):
        one = _instruction(code, at)
        found.append(one)
        at = one.next
    return found


def _instruction(code: bytes, at: int) -> Instruction:
    operation = code[at]
    if operation in (TABLESWITCH, LOOKUPSWITCH):
        return _switch(code, at)
    length = _LENGTHS.get(operation, 1)
    if operation == _WIDE:
        length = 6 if code[at + 1] == _IINC else 4
    data = code[at : at + length]
    if operation in CONDITIONAL or operation in (GOTO, _JSR):
        return Instruction(at, operation, data, (at + int.from_bytes(data[1:], "big", signed=True),))
    if operation in (_GOTO_W, _JSR_W):
        return Instruction(at, operation, data, (at + int.from_bytes(data[1:], "big", signed=True),))
    return Instruction(at, operation, data)


def _switch(code: bytes, at: int) -> Instruction:
    start = at + 1 + (3 - at % 4)
    default, first, second = struct.unpack(">iii", code[start : start + 12])
    if code[at] == TABLESWITCH:
        stop = start + 12 + 4 * (second - first + 1)
        offsets = struct.unpack(f">{second - first + 1}i", code[start + 12 : stop])
    else:
        stop = start + 8 + 8 * first
        offsets = struct.unpack(f">{2 * first}i", code[start + 8 : stop])[1::2]
    return Instruction(at, code[at], code[at:stop], (at + default, *(at + offset for offset in offsets)))


def relocated(one: Instruction, at: int, labels: dict[int, int]) -> bytes:
    """The bytes of an instruction that lies somewhere else; `struct.error` where a jump becomes too long."""
    if not one.targets:
        return one.data
    offsets = [labels[target] - at for target in one.targets]
    if one.operation in (TABLESWITCH, LOOKUPSWITCH):
        body = one.data[1 + (3 - one.at % 4) :]
        pad = bytes((one.operation,)) + bytes(3 - at % 4)
        if one.operation == TABLESWITCH:
            return pad + struct.pack(">i", offsets[0]) + body[4:12] + struct.pack(f">{len(offsets) - 1}i", *offsets[1:])
        pairs = b"".join(struct.pack(">ii", *pair) for pair in zip(one.keys(), offsets[1:], strict=True))
        return pad + struct.pack(">i", offsets[0]) + body[4:8] + pairs
    return one.data[:1] + struct.pack(">h" if len(one.data) == 3 else ">i", offsets[0])


def length_at(one: Instruction, at: int) -> int:
    """How many bytes an instruction takes at another place: switches are aligned."""
    if one.operation in (TABLESWITCH, LOOKUPSWITCH):
        return len(one.data) - (3 - one.at % 4) + (3 - at % 4)
    return len(one.data)
