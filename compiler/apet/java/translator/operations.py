"""What operations are called: the names that stand in models and machine files."""

from __future__ import annotations

import re

from apet.program import types
from apet.program.ir import ALLOCATIONS
from apet.program.types import BOOLEAN, DOUBLE, FLOAT, INT, LONG, Type

ARITHMETIC = {"+": "sum", "-": "sub", "*": "mpy", "/": "div", "%": "mod"}
BITWISE = {"&": "and", "|": "or", "^": "xor"}
SHIFTS = {"<<": "shift", ">>": "shift", ">>>": "shift"}
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")

EXACT = ("addExact", "multiplyExact", "subtractExact", "negateExact")
MATH_OF_OPERANDS = ("abs", "max", "min", "floorMod", "floorDiv", *EXACT)
MATH_RESULTS = {"round": LONG, "toIntExact": INT}
RANDOM_CLASSES = ("Random", "ThreadLocalRandom", "SecureRandom", "SplittableRandom")
RANDOM = {
    "nextDouble": ("call_random", DOUBLE),
    "nextInt": ("call_random_int", INT),
    "nextLong": ("call_random_long", LONG),
    "nextFloat": ("call_random_float", FLOAT),
    "nextBoolean": ("call_random_boolean", BOOLEAN),
    "nextGaussian": ("call_random_gaussian", DOUBLE),
}
_OF_TEXTS = {
    INT: "length indexOf compareTo hashCode lastIndexOf compareToIgnoreCase",
    BOOLEAN: "equals isEmpty contains startsWith endsWith equalsIgnoreCase matches isBlank",
    types.STRING: "substring trim toUpperCase toLowerCase replace concat repeat strip replaceAll valueOf join format",
    **{types.CHAR: "charAt", Type("char", 1): "toCharArray", Type("byte", 1): "getBytes", Type("String", 1): "split"},
}
STRING_RESULTS = {name: kind for kind, names in _OF_TEXTS.items() for name in names.split()}
RESULTS = {
    **dict.fromkeys(("size", "length", "intValue", "indexOf", "lastIndexOf", "hashCode", "compareTo", "compare"), INT),
    **dict.fromkeys(("isEmpty", "contains", "containsKey", "containsValue", "equals", "hasNext"), BOOLEAN),
    **dict.fromkeys(("isDigit", "isLetter", "isLetterOrDigit", "isWhitespace", "isUpperCase", "isLowerCase"), BOOLEAN),
    **{"longValue": LONG, "doubleValue": DOUBLE, "getNumericValue": INT, "bitCount": INT, "numberOfTrailingZeros": INT},
    **{"substring": types.STRING, "toCharArray": Type("char", 1), "getBytes": Type("byte", 1)},
}
"""Types of results that methods of these names have wherever they are."""
PARSERS = {"parseInt": INT, "parseLong": LONG, "parseDouble": DOUBLE, "parseFloat": FLOAT, "parseBoolean": BOOLEAN}


INTERFACES = frozenset(
    (
        *("Collection", "Comparable", "CharSequence", "Cloneable", "Deque", "Entry", "Iterable", "Iterator", "List"),
        *("Map", "NavigableMap", "NavigableSet", "Queue", "RandomAccess", "Runnable", "Serializable", "Set"),
        *("SortedMap", "SortedSet"),
    )
)
"""Interfaces of the library that programs ask objects for."""
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
        *STRING_RESULTS,
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
