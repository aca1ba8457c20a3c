"""Methods and classes of the JDK that the translator knows by name: what they return, and which are interfaces."""

from __future__ import annotations

from apet.program import types
from apet.program.types import BOOLEAN, DOUBLE, FLOAT, INT, LONG, Type

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
