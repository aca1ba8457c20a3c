"""What calls of the library cost: from short texts and small tables to long and large ones, and for each element.

A call that is always made on the same small table costs what its code does; one on a table that no cache holds waits
for memory. Both are timed (`Library.java`), and the interval of the operation holds both. Calls whose cost grows with
a size that models know are split into a fixed part and one for each element.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from apet.program.measure.figures import LEAST

Pair = tuple[float, float]
PREFIX = "lib_"
FEW, MANY = 16, 256
"""Elements of the two sizes that are timed."""
SORTS = ("Arrays_sort", "Collections_sort")
WITHIN = 1.5
"""How much longer a call takes than in the loop that timed it: the branches of that loop are learnt."""
BOTH = {
    "ArrayDeque_both": "addLast addFirst add offer push pollFirst pollLast poll pop remove",
    "LinkedList_both": "addLast addFirst add offer push pollFirst pollLast poll pop",
    "Stack_both": "push pop peek",
}
"""A pair of calls timed together, and the calls that cost half of it."""
_SAME = {
    "HashMap_get": (
        "HashMap_containsKey HashMap_getOrDefault LinkedHashMap_get Map_get Map_containsKey Map_getOrDefault "
        "LinkedHashMap_containsKey"
    ),
    "HashMap_put": "Map_put LinkedHashMap_put HashMap_putIfAbsent Map_putIfAbsent",
    "HashMap_merge": "Map_merge HashMap_compute Map_compute Map_computeIfAbsent HashMap_computeIfAbsent",
    "HashSet_remove": "HashMap_remove Map_remove Set_remove Set_add HashSet_add",
    "HashSet_contains": "Set_contains LinkedHashSet_contains",
    "TreeMap_get": (
        "TreeMap_containsKey TreeMap_floorKey TreeMap_ceilingKey TreeSet_contains TreeMap_floorEntry "
        "TreeMap_ceilingEntry TreeMap_firstKey TreeMap_lastKey"
    ),
    "TreeMap_put": (
        "TreeMap_remove TreeMap_merge TreeSet_add TreeSet_remove TreeMap_pollFirstEntry TreeMap_pollLastEntry "
        "TreeSet_pollFirst"
    ),
    "PriorityQueue_poll": "PriorityQueue_add PriorityQueue_offer PriorityQueue_remove",
    "ArrayList_set": "List_set",
    "ArrayList_isEmpty": (
        "String_isEmpty StringBuilder_length List_isEmpty Map_isEmpty Map_size Set_size HashMap_size Deque_isEmpty "
        "Queue_isEmpty ArrayDeque_isEmpty Stack_isEmpty Set_isEmpty PriorityQueue_isEmpty ArrayDeque_size Deque_size "
        "Queue_size HashSet_size PriorityQueue_peek PriorityQueue_size Entry_getKey Entry_getValue Iterator_hasNext "
        "ListIterator_hasNext"
    ),
    "String_compareTo": "String_equalsIgnoreCase String_compareToIgnoreCase",
    "String_startsWith": "String_endsWith",
    "String_indexOf": "String_lastIndexOf",
    "String_toLowerCase": "String_toUpperCase String_replace",
    "String_trim": "String_strip",
    "Character_isLetter": (
        "Character_isLetterOrDigit Character_isUpperCase Character_isLowerCase Character_isWhitespace "
        "Character_toLowerCase Character_toUpperCase Integer_compare Integer_compareTo Long_compare Character_compare "
        "Integer_bitCount Long_bitCount Integer_intValue"
    ),
    "Integer_valueOf": "Long_valueOf Double_valueOf",
    "Integer_parseInt": "Long_parseLong",
    "Integer_toString": "Long_toString",
    "ArrayList_get": "Iterator_next ListIterator_next",
    "String_substring": "new_String",
    "Arrays_copyOf": "Arrays_copyOfRange",
}
"""By a call that is timed, the calls that cost what it does: of an interface what its usual class does."""
LIKE = {
    **{name: other for other, names in _SAME.items() for name in names.split()},
    **{f"Deque_{name}": f"ArrayDeque_{name}" for name in BOTH["ArrayDeque_both"].split()},
    **{f"Queue_{name}": f"ArrayDeque_{name}" for name in ("add", "offer", "poll", "remove")},
}


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
            yield from ((f"call_{owner}_{method}", _range(seconds / 2)) for method in BOTH[name].split())
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
