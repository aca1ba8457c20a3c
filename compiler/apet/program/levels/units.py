"""The units of a core and what each operation asks of them.

An operation of a compiled loop has a throughput cost on one unit (`tp_…`) and a latency (`lat_…`). The figures here are
cycles on a recent x86-64 core; they only choose the longest path among several, and are never written into a model.
"""

from __future__ import annotations

from typing import NamedTuple

from apet.program import types
from apet.program.ir import ALLOCATIONS, Op, Operand

ISSUE = "issue"
UNITS = ("alu", "mul", "div", "fpa", "fpm", "fdiv", "fn", "load", "store", "branch", ISSUE)
FLOATING = ("float", "double")


class UnitDemand(NamedTuple):
    """A unit, the operations it runs and the one whose latency counts, slots of issue, and cycles of latency."""

    unit: str
    throughput: str
    latency: str
    slots: int
    cycles: float


NOTHING = UnitDemand("", "", "", 0, 0.0)
INTEGER = {"sum": 1.0, "sub": 1.0, "and": 1.0, "or": 1.0, "xor": 1.0, "neg": 1.0, "not": 1.0, "shift": 1.0}
FREE = ("access", "assign", "either", "visit", "call", "return", *ALLOCATIONS)
SIMPLE_MATH = ("abs", "max", "min")


def demand(op: Op) -> UnitDemand:
    """What one operation asks of the core; nothing for what stays in registers or is an event."""
    kind = types.word(op.type) if op.type is not None else ""
    if is_library(op):
        return NOTHING
    if op.name == "array_access":
        return memory_demand(op)
    if op.name == "field_access":
        return field_demand(op)
    if op.name in FREE:
        return NOTHING
    if op.name == "compare":
        floating = kind in FLOATING
        return _demand("fpa" if floating else "alu", f"compare_{kind or 'int'}", 1, 3.0 if floating else 1.0)
    if kind in FLOATING and op.name in ("sum", "sub", "neg"):
        return _demand("fpa", f"sum_{kind}", 1, 3.0)
    if kind in FLOATING and op.name == "mpy":
        return _demand("fpm", f"mpy_{kind}", 1, 3.0)

    if kind in FLOATING and op.name in ("div", "sqrt"):
        return _demand("fdiv", f"{op.name}_{kind}", 1, 13.0 if op.name == "div" else 20.0)
    if op.name in INTEGER or (op.name in SIMPLE_MATH and kind not in FLOATING):
        name = "sum" if op.name in INTEGER and op.name != "shift" else op.name
        return _demand("alu", f"{name}_{kind}", 1, 1.0)
    if op.name == "pow" and op.operand is Operand.SQUARE:
        return _demand("fpm", f"mpy_{kind}", 1, 3.0)
    if op.name == "mpy":
        return _demand("mul", f"mpy_{kind}", 1, 3.0)

    if op.name in ("div", "mod") and kind in types.INTEGRAL:
        how = BY[op.operand] if op.operand is not None else ""
        return _demand("alu" if how else "div", f"{op.name}_{kind}{how}", 4, 8.0 if how else 14.0)
    if op.name.startswith("cast_"):
        floating = kind in FLOATING or op.name in ("cast_float", "cast_double")
        name = f"{op.name}_{kind}"
        return _demand("fpa", name, 2, 7.0) if floating else _demand("alu", name, 1, 1.0)
    name = f"{op.name}_{kind}" if kind else op.name
    if op.name == "charAt":
        return _demand("fn", name, 6, 8.0)
    # The absolute value of a number clears one bit; other functions are several instructions.
    return _demand("fn", name, 1 if op.name == "abs" else 4, 40.0)


BY = {Operand.POWER: "_by_power", Operand.CONSTANT: "_by_constant"}
"""What the names of divisions by a known number end with."""


def _demand(unit: str, name: str, slots: int, cycles: float) -> UnitDemand:
    return UnitDemand(unit, f"tp_{name}", f"lat_{name}", slots, cycles)


def memory_demand(op: Op) -> UnitDemand:
    """A load or store of an array element."""
    kind = op.variable if op.variable in types.BYTES else "reference"
    return _demand("store", f"store_{kind}", 1, 0.0) if op.store else _demand("load", f"load_{kind}", 1, 5.0)


def field_demand(op: Op) -> UnitDemand:
    """A load or store of an object's field; the length of an array is kept in a register."""
    if op.variable == "length":
        return NOTHING
    return _demand("store", "store_int", 1, 0.0) if op.store else _demand("load", "load_int", 1, 5.0)


def is_library(op: Op) -> bool:
    """Whether an operation is a call of unknown length: an event, not work of one unit."""
    events = ("concat", "monitor", "throw", "instanceof", "instanceof_absent", "switch", "next_iterator")
    return op.name.startswith(("call_", "each_")) or op.name in events
