"""The units of a core and what each operation asks of them.

An operation of a compiled loop has a throughput cost on one unit (`tp_…`) and a latency (`lat_…`). The figures here are
cycles on a recent x86-64 core; they only choose the longest path among several, and are never written into a model.
"""

from __future__ import annotations

from typing import NamedTuple

from apet.java.parse import types
from apet.java.translator.ir import Op
from apet.java.translator.operations import ALLOCATIONS

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
FREE = ("access", "assign", "either", "call", "return", *ALLOCATIONS)
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
        unit = "fpa" if kind in FLOATING else "alu"
        return UnitDemand(
            unit, f"tp_compare_{kind or 'int'}", f"lat_compare_{kind or 'int'}", 1, 3.0 if unit == "fpa" else 1.0
        )
    if kind in FLOATING and op.name in ("sum", "sub", "neg"):
        return UnitDemand("fpa", f"tp_sum_{kind}", f"lat_sum_{kind}", 1, 3.0)
    if kind in FLOATING and op.name == "mpy":
        return UnitDemand("fpm", f"tp_mpy_{kind}", f"lat_mpy_{kind}", 1, 3.0)

    if kind in FLOATING and op.name in ("div", "sqrt"):
        return UnitDemand(
            "fdiv", f"tp_{op.name}_{kind}", f"lat_{op.name}_{kind}", 1, 13.0 if op.name == "div" else 20.0
        )
    if op.name in INTEGER or (op.name in SIMPLE_MATH and kind not in FLOATING):
        name = "sum" if op.name in INTEGER and op.name != "shift" else op.name
        return UnitDemand("alu", f"tp_{name}_{kind}", f"lat_{name}_{kind}", 1, 1.0)
    if op.name == "mpy":
        return UnitDemand("mul", f"tp_mpy_{kind}", f"lat_mpy_{kind}", 1, 3.0)

    if op.name in ("div", "mod") and kind in ("int", "long"):
        how = f"_by_{op.variable}" if op.variable else ""
        unit = "div" if not op.variable else "alu"
        return UnitDemand(
            unit, f"tp_{op.name}_{kind}{how}", f"lat_{op.name}_{kind}{how}", 4, 14.0 if not op.variable else 8.0
        )
    if op.name.startswith("cast_"):
        floating = kind in FLOATING or op.name in ("cast_float", "cast_double")
        name = f"{op.name}_{kind}"
        return UnitDemand(
            "fpa" if floating else "alu", f"tp_{name}", f"lat_{name}", 2 if floating else 1, 7.0 if floating else 1.0
        )
    name = f"{op.name}_{kind}" if kind else op.name
    if op.name == "charAt":
        return UnitDemand("fn", f"tp_{name}", f"lat_{name}", 6, 8.0)
    # The absolute value of a number clears one bit; other functions are several instructions.
    return UnitDemand("fn", f"tp_{name}", f"lat_{name}", 1 if op.name == "abs" else 4, 40.0)


def memory_demand(op: Op) -> UnitDemand:
    """A load or store of an array element."""
    kind = op.variable if op.variable in types.BYTES else "reference"
    if op.store:
        return UnitDemand("store", f"tp_store_{kind}", f"lat_store_{kind}", 1, 0.0)
    return UnitDemand("load", f"tp_load_{kind}", f"lat_load_{kind}", 1, 5.0)


def field_demand(op: Op) -> UnitDemand:
    """A load or store of an object's field; the length of an array is kept in a register."""
    if op.variable == "length":
        return NOTHING
    if op.store:
        return UnitDemand("store", "tp_store_int", "lat_store_int", 1, 0.0)
    return UnitDemand("load", "tp_load_int", "lat_load_int", 1, 5.0)


def is_library(op: Op) -> bool:
    """Whether an operation is a call of unknown length: an event, not work of one unit."""
    return op.name.startswith(("call_", "each_")) or op.name in (
        "concat",
        "monitor",
        "throw",
        "instanceof",
        "switch",
        "next_iterator",
    )
