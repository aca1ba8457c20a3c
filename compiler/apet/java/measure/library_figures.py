"""What calls of the library cost: from short texts and small tables to long and large ones, and for each element.

A call that is always made on the same small table costs what its code does; one on a table that no cache holds waits
for memory. Both are timed (`Library.java`), and the interval of the operation holds both. Calls whose cost grows with
a size that models know are split into a fixed part and one for each element.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from apet.java.measure.figures import LEAST

Pair = tuple[float, float]
PREFIX = "lib_"
FEW, MANY = 16, 256
"""Elements of the two sizes that are timed."""
SORTS = ("Arrays_sort", "Collections_sort")
WITHIN = 1.5
"""How much longer a call takes than in the loop that timed it: the branches of that loop are learnt."""
BOTH = {
    "ArrayDeque_both": (
        "addLast",
        "addFirst",
        "add",
        "offer",
        "push",
        "pollFirst",
        "pollLast",
        "poll",
        "pop",
        "remove",
    ),
    "LinkedList_both": ("addLast", "addFirst", "add", "offer", "push", "pollFirst", "pollLast", "poll", "pop"),
    "Stack_both": ("push", "pop", "peek"),
}
"""A pair of calls timed together, and the calls that cost half of it."""
LIKE = {
    **dict.fromkeys(("HashMap_containsKey", "HashMap_getOrDefault", "LinkedHashMap_get", "Map_get"), "HashMap_get"),
    **dict.fromkeys(("Map_containsKey", "Map_getOrDefault", "LinkedHashMap_containsKey"), "HashMap_get"),
    **dict.fromkeys(("Map_put", "LinkedHashMap_put", "HashMap_putIfAbsent", "Map_putIfAbsent"), "HashMap_put"),
    **dict.fromkeys(("Map_merge", "HashMap_compute", "Map_compute", "Map_computeIfAbsent"), "HashMap_merge"),
    "HashMap_computeIfAbsent": "HashMap_merge",
    **dict.fromkeys(("HashMap_remove", "Map_remove", "Set_remove", "Set_add", "HashSet_add"), "HashSet_remove"),
    **dict.fromkeys(("Set_contains", "LinkedHashSet_contains"), "HashSet_contains"),
    **dict.fromkeys(
        ("TreeMap_containsKey", "TreeMap_floorKey", "TreeMap_ceilingKey", "TreeSet_contains"), "TreeMap_get"
    ),
    **dict.fromkeys(("TreeMap_remove", "TreeMap_merge", "TreeSet_add", "TreeSet_remove"), "TreeMap_put"),
    **dict.fromkeys(("PriorityQueue_add", "PriorityQueue_offer", "PriorityQueue_remove"), "PriorityQueue_poll"),
    **dict.fromkeys(("List_set",), "ArrayList_set"),
    **dict.fromkeys(("String_isEmpty", "StringBuilder_length", "List_isEmpty", "Map_isEmpty"), "ArrayList_isEmpty"),
    **dict.fromkeys(("Map_size", "Set_size", "HashMap_size", "Deque_isEmpty", "Queue_isEmpty"), "ArrayList_isEmpty"),
    **dict.fromkeys(
        ("ArrayDeque_isEmpty", "Stack_isEmpty", "Set_isEmpty", "PriorityQueue_isEmpty"), "ArrayList_isEmpty"
    ),
    **dict.fromkeys(("ArrayDeque_size", "Deque_size", "Queue_size", "HashSet_size"), "ArrayList_isEmpty"),
    **dict.fromkeys(("String_equalsIgnoreCase", "String_compareToIgnoreCase"), "String_compareTo"),
    **dict.fromkeys(("String_endsWith",), "String_startsWith"),
    **dict.fromkeys(("String_lastIndexOf",), "String_indexOf"),
    **dict.fromkeys(("String_toUpperCase", "String_replace"), "String_toLowerCase"),
    **dict.fromkeys(("String_strip",), "String_trim"),
    **dict.fromkeys(
        ("Character_isLetterOrDigit", "Character_isUpperCase", "Character_isLowerCase"), "Character_isLetter"
    ),
    **dict.fromkeys(("Character_isWhitespace", "Character_toLowerCase", "Character_toUpperCase"), "Character_isLetter"),
    **dict.fromkeys(("Long_valueOf", "Double_valueOf"), "Integer_valueOf"),
    **dict.fromkeys(("Long_parseLong",), "Integer_parseInt"),
    **dict.fromkeys(("Long_toString",), "Integer_toString"),
    **dict.fromkeys(
        ("TreeMap_floorEntry", "TreeMap_ceilingEntry", "TreeMap_firstKey", "TreeMap_lastKey"), "TreeMap_get"
    ),
    **dict.fromkeys(("TreeMap_pollFirstEntry", "TreeMap_pollLastEntry", "TreeSet_pollFirst"), "TreeMap_put"),
    **dict.fromkeys(
        ("PriorityQueue_peek", "PriorityQueue_size", "Entry_getKey", "Entry_getValue"), "ArrayList_isEmpty"
    ),
    **dict.fromkeys(
        ("Integer_compare", "Integer_compareTo", "Long_compare", "Character_compare"), "Character_isLetter"
    ),
    **dict.fromkeys(("Integer_bitCount", "Long_bitCount", "Integer_intValue"), "Character_isLetter"),
    **dict.fromkeys(("Iterator_hasNext", "ListIterator_hasNext"), "ArrayList_isEmpty"),
    **dict.fromkeys(("Iterator_next", "ListIterator_next"), "ArrayList_get"),
    "new_String": "String_substring",
    **{f"Deque_{name}": f"ArrayDeque_{name}" for name in BOTH["ArrayDeque_both"]},
    **{f"Queue_{name}": f"ArrayDeque_{name}" for name in ("add", "offer", "poll", "remove")},
    "Arrays_copyOfRange": "Arrays_copyOf",
}
"""Calls that cost what another does: of an interface what its usual class does."""


def library_figures(raw: Mapping[str, float]) -> dict[str, Pair]:
    """Seconds of calls by operation, at least and at most, from what was timed in one JVM."""
    calls = dict(_timed(raw))
    calls |= {f"call_List_{name}": _range(raw[f"call_ArrayList_{name}"]) for name in ("add", "get", "size")}
    for name, other in LIKE.items():
        for part in ("call_", "each_"):
            if part + other in calls:
                calls.setdefault(part + name, calls[part + other])
    return calls


def _timed(raw: Mapping[str, float]) -> Iterator[tuple[str, Pair]]:
    """The calls that were timed themselves."""
    for timed, seconds in raw.items():
        if not timed.startswith(PREFIX):
            continue
        name = timed.removeprefix(PREFIX)
        plain, _, size = name.rpartition("_")
        if name in BOTH:
            owner = name.partition("_")[0]
            yield from ((f"call_{owner}_{method}", _range(seconds / 2)) for method in BOTH[name])
        elif size == "small":
            large = raw[f"{PREFIX}{plain}_large"]
            yield f"call_{plain}", (min(seconds, large), max(seconds, large) * WITHIN)
        elif size == str(FEW):
            yield from _by_element(plain, seconds, raw[f"{PREFIX}{plain}_{MANY}"])
        elif size not in ("large", str(MANY)):
            yield f"call_{name}", _range(seconds)


def _by_element(name: str, few: float, many: float) -> Iterator[tuple[str, Pair]]:
    """The fixed part of a call and that of each element: on the line through two sizes."""
    sizes = [n * math.log2(n) if name in SORTS else n for n in (FEW, MANY)]
    each = max((many - few) / (sizes[1] - sizes[0]), LEAST * many / sizes[1])
    yield f"call_{name}", _range(max(few - each * sizes[0], LEAST * few))
    yield f"each_{name}", _range(each)


def _range(seconds: float) -> Pair:
    return seconds, seconds * WITHIN
