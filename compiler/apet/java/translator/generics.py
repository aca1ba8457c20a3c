"""What type variables stand for: in the program's own classes by declaration, in collections by method."""

from __future__ import annotations

from apet.program.types import OBJECT, UNKNOWN, VOID, Type

ELEMENT = frozenset(
    (
        *("get", "set", "remove", "next", "previous", "element", "take", "peek", "poll", "pop", "push", "first"),
        *("getFirst", "getLast", "removeFirst", "removeLast", "peekFirst", "peekLast", "pollFirst", "pollLast", "join"),
        *("floor", "ceiling", "higher", "lower", "orElse", "orElseGet", "orElseThrow", "elementAt", "lastElement"),
        *("last", "getAndSet", "firstElement", "call"),
    )
)
"""Methods that return an element of what they are called on."""
_PUTTING = ("put", "putIfAbsent", "replace", "merge", "compute", "computeIfAbsent", "computeIfPresent")
VALUE = frozenset((*_PUTTING, "get", "remove", "getOrDefault"))
KEY = frozenset(("firstKey", "lastKey", "floorKey", "ceilingKey", "higherKey", "lowerKey"))
ENTRY = frozenset(("firstEntry", "lastEntry", "floorEntry", "ceilingEntry", "pollFirstEntry", "pollLastEntry"))
"""Methods of maps that return a value, a key, an entry."""
SAME = frozenset(
    ("subList", "headSet", "tailSet", "subSet", "headMap", "tailMap", "subMap", "descendingSet", "reversed")
)
ITERATORS = ("iterator", "listIterator", "descendingIterator")
OF_MAPS = {"keySet": "Set", "navigableKeySet": "Set", "values": "Collection"}


def returned_by(target: Type, method: str) -> Type:
    """What a method of a library's collection returns; unknown where the type of its elements is not written."""
    arguments = target.arguments
    if not arguments or target.dimensions:
        return UNKNOWN

    if target.name == "Entry" and len(arguments) == 2 and method in ("getKey", "getValue"):
        return _known(arguments[method == "getValue"])
    if len(arguments) == 2 and target.name.endswith(("Map", "Table")):
        return _of_map(target, method)

    if target.name.endswith("Iterator") and method == "remove":
        return VOID
    if method in ITERATORS:
        return Type("Iterator", 0, arguments[:1])
    if method in SAME:
        return target
    return _known(arguments[0]) if method in ELEMENT and len(arguments) == 1 else UNKNOWN


def _of_map(target: Type, method: str) -> Type:
    key, value = target.arguments
    if method in VALUE:
        return _known(value)
    if method in KEY:
        return _known(key)

    if method in ENTRY:
        return Type("Entry", 0, (key, value))
    if method == "entrySet":
        return Type("Set", 0, (Type("Entry", 0, (key, value)),))
    if method in OF_MAPS:
        return Type(OF_MAPS[method], 0, (value if method == "values" else key,))
    return target if method in SAME else UNKNOWN


def element_of(kind: Type) -> Type:
    """The type of the elements of an `Iterable<T>`."""
    return _known(kind.arguments[0]) if len(kind.arguments) == 1 else UNKNOWN


def _known(kind: Type) -> Type:
    """A type that tells more than that it is an object."""
    return UNKNOWN if kind == OBJECT else kind
