"""What is assumed of library calls that nobody has measured: wide intervals by class of call.

The times are those of a core at 4.5 GHz, from the least that a call takes in a hot loop to what it takes with cold
caches and usual sizes: a constant-time accessor is inlined to a load, a search in a hash table compares a key, what
goes to a file or a screen enters the operating system. They are scaled by how long an addition takes on the machine
at hand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

ADDITION_S = 0.22e-9
"""Seconds of an addition on the core that the classes are written for."""
MOST_SLOWER = 30.0
UNQUALIFIED = re.compile(r"call_\*_\w+")
"""Classes by a method's name alone: they hold where the type of the target is unknown, too."""
NANOSECOND = 1e-9

FUNCTIONS = (
    *("round", "rint", "floor", "ceil", "cbrt", "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh"),
    *("tanh", "exp", "log", "log10", "log1p", "expm1", "pow", "signum", "hypot", "fma", "toRadians", "toDegrees"),
    *("toIntExact", "addExact", "subtractExact", "multiplyExact", "negateExact", "ulp", "nextUp", "nextDown"),
)
"""Methods of `Math` of types that no benchmark has."""
CLASSES: Mapping[str, tuple[float, float]] = {
    # Anything else, once and for each element of what it works on.
    "call_*": (0.5, 2000),
    "call_virtual*": (0.5, 20),
    "new_*": (1, 300),
    "each_*": (0.02, 5),
    "each_*_sort": (0.1, 15),
    "each_*_shuffle": (1, 30),
    "each_*_toString": (2, 60),
    # Accessors in constant time, and tests of a single character or number.
    **dict.fromkeys(
        (f"call_*_{name}" for name in ("size", "length", "isEmpty", "ordinal", "getKey", "getValue", "getClass")),
        (0.1, 6),
    ),
    **dict.fromkeys((f"call_*_{name}Value" for name in ("int", "long", "double", "char", "boolean")), (0.1, 6)),
    **dict.fromkeys((f"call_{box}_valueOf" for box in ("Integer", "Long", "Character", "Byte", "Short")), (0.1, 20)),
    **dict.fromkeys((f"call_*_{name}" for name in ("compareTo", "compare", "equals", "hashCode")), (0.3, 60)),
    "call_*_charAt": (0.1, 6),
    "charAt*_string": (0.1, 6),
    "sqrt*_*": (0.5, 30),
    "call_*_setCharAt": (0.1, 10),
    "call_Character_*": (0.2, 10),
    **dict.fromkeys(("call_Integer_*", "call_Long_*", "call_Math_*", "call_Objects_*"), (0.2, 60)),
    "call_Double_*": (0.2, 300),
    # Sequences: at an end or at an index; the elements of a linked list lie anywhere.
    **dict.fromkeys(("call_*_get", "call_*_set", "call_*_next"), (0.2, 60)),
    **dict.fromkeys(("call_*_append", "call_*List_add", "call_Stack_*"), (0.5, 60)),
    **dict.fromkeys(("call_*Deque_*", "call_*Queue_*", "call_*_iterator"), (0.5, 40)),
    "call_*_add": (0.5, 100),
    "call_*_append_*": (0.5, 120),
    "call_*List_*": (0.2, 300),
    "call_*List_get": (0.2, 30),
    "call_PriorityQueue_*": (2, 300),
    "call_*_hasNext": (0.1, 20),
    # Searches: hashed, or in the logarithm of the size.
    **dict.fromkeys(("call_*Map_*", "call_*Set_*"), (1, 150)),
    **dict.fromkeys(("call_Map_entrySet", "call_Map_keySet", "call_Map_values"), (0.2, 20)),
    "call_Tree*": (5, 400),
    "call_*_binarySearch": (2, 300),
    # Texts: copied or compared as a whole.
    "call_String_*": (0.5, 500),
    **dict.fromkeys(("call_String_length", "call_String_isEmpty"), (0.1, 3)),
    "call_String_equals": (0.3, 40),
    "call_String_hashCode": (0.2, 40),
    "call_String_compareTo": (0.5, 60),
    "call_String_substring": (4, 100),
    "call_String_split": (30, 5000),
    "call_String_format": (200, 8000),
    "call_*_toString": (3, 500),
    "call_*_parseInt": (2, 60),
    "call_*_parseDouble": (10, 300),
    # Linear in a size that nothing tells.
    "call_Arrays_*": (1, 2000),
    "call_System_arraycopy": (0.5, 40),
    "call_Collections_*": (2, 20000),
    "call_Collections_swap": (0.5, 60),
    "call_*_sort": (5, 20000),
    "call_*Stream_*": (5, 1000),
    # Objects; an exception also walks up the stack.
    "call_new_*": (2, 300),
    **dict.fromkeys(("call_new_*Exception", "call_new_*Error"), (300, 8000)),
    # Big numbers, locks and atomics.
    "call_Big*": (5, 3000),
    "call_Atomic*": (0.5, 60),
    "call_*Lock_*": (5, 200),
    # The system: a clock, a screen, a file.
    "call_System_*": (5, 3000),
    "call_Thread_*": (1, 100000),
    **dict.fromkeys(("call_PrintStream_*", "call_out_*", "call_err_*", "call_*_println"), (100, 20000)),
    "call_*_printf": (300, 40000),
    "call_Files_*": (1000, 1000000),
    **dict.fromkeys(("call_*Stream_read", "call_*Stream_write"), (1, 20000)),
    # Elements from far away, of machine files that were measured before there was a case for each.
    **dict.fromkeys(("scatter*_L2", "strided*_L2", "wait*_L2"), (1, 10)),
    **dict.fromkeys(("scatter*_L3", "strided*_L3", "wait*_L3"), (4, 100)),
    **dict.fromkeys(("scatter*_memory", "strided*_memory", "wait*_memory"), (20, 250)),
    # The same of classes of objects: a jump to any of several methods, and an interface that is not there.
    "mispredict_target": (3, 30),
    "instanceof_absent": (5, 60),
    # A core: functions and moves of kinds that no benchmark has.
    "tp_*": (0.05, 40),
    "lat_*": (0.1, 60),
    **dict.fromkeys(("access_*", "assign_*", "compare_*", "cast_*"), (0, 6)),
    **dict.fromkeys((f"{name}_*" for name in ("sum", "sub", "mpy", "and", "or", "xor", "not", "neg", "shift")), (0, 6)),
    **dict.fromkeys((f"{name}_*" for name in FUNCTIONS), (0.2, 100)),
    **dict.fromkeys((f"{name}_*" for name in ("div", "mod", "max", "min", "abs", "floorMod", "floorDiv")), (0.1, 40)),
}
"""Nanoseconds of a call by pattern, at least and at most; of several patterns the one with the most of its own
characters holds."""


def library_classes(addition_s: float) -> dict[str, list[float]]:
    """Seconds by pattern on a machine where an addition takes so long, at least and at most."""
    slower = min(max(addition_s / ADDITION_S, 0.25), MOST_SLOWER)
    unqualified = {f"call_{name[7:]}": times for name, times in CLASSES.items() if UNQUALIFIED.fullmatch(name)}
    return {
        name if "*" in name else f"{name}*": [low * NANOSECOND * slower, high * NANOSECOND * slower]
        for name, (low, high) in sorted({**CLASSES, **unqualified}.items())
    }
