"""What operations are called: the names that stand in models and machine files."""

from __future__ import annotations

import re

from apet.program import types
from apet.program.ir import ALLOCATIONS
from apet.program.types import INT, LONG

ARITHMETIC = {"+": "sum", "-": "sub", "*": "mpy", "/": "div", "%": "mod"}
BITWISE = {"&": "and", "|": "or", "^": "xor"}
SHIFTS = {"<<": "shift", ">>": "shift", ">>>": "shift"}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

EXACT = ("addExact", "multiplyExact", "subtractExact", "negateExact")
MATH_OF_OPERANDS = ("abs", "max", "min", "floorMod", "floorDiv", *EXACT)
MATH_RESULTS = {"round": LONG, "toIntExact": INT}


STATEMENTS = frozenset(
    (
        *ALLOCATIONS,
        *("call", "return", "compare", "access", "array_access", "field_access", "instanceof", "instanceof_absent"),
        *("switch", "throw", "monitor", "next_iterator", "mispredict", "mispredict_target"),
        *("alu", "mul", "div", "fpa", "fpm", "fdiv", "fn", "load", "store", "branch", "issue", "cache", "cpu", "bus"),
    )
)
"""Operations without a type, and units of a core."""
STEMS = frozenset(
    (
        *ARITHMETIC.values(),
        *BITWISE.values(),
        *("shift", "neg", "not", "compare", "access", "assign", "cast", "sin", "cos", "tan", "asin", "acos", "atan"),
        *("atan2", "exp", "log", "log10", "log1p", "expm1", "pow", "sqrt", "cbrt", "ceil", "floor", "rint", "round"),
        *("signum", "hypot", "sinh", "cosh", "tanh", "fma", "toRadians", "toDegrees", "toIntExact"),
        *MATH_OF_OPERANDS,
        *("charAt", "concat"),
    )
)
"""Operations that a type follows."""


PREFIXES = ("call_", "each_", "tp_", "lat_", "line_", "strided_", "gather_", "scatter_", "wait_")
"""What operations of libraries and of a core begin with."""


def is_operation(name: str) -> bool:
    """Whether an operation may have this name: no equation is given it."""
    stem, _, kind = name.rpartition("_")
    return (
        name in STATEMENTS
        or name.startswith(PREFIXES)
        or (stem.partition("_")[0] in STEMS and kind in (*types.BYTES, "string", "reference"))
    )


def arithmetic(operator: str) -> str:
    """The name of an arithmetic, bitwise or shift operator."""
    return ARITHMETIC.get(operator) or BITWISE.get(operator) or SHIFTS[operator]


def library_name(owner: str, method: str) -> str:
    """The operation that stands for a call of a library method."""
    return re.sub(r"\W", "", f"call_{owner}_{method}" if owner else f"call_{method}")
