"""Names that items of a method use and do not bind themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

from apet.program.algebra import Value
from apet.program.ir import Access, Callee, CodeBranch, CodeLoop, Item, Items, Op, Repeat, Weighted


def inner(item: Item) -> tuple[Items, ...]:
    """The items directly inside an item."""
    match item:
        case CodeBranch():
            return item.then, item.otherwise
        case Weighted() | CodeLoop() | Repeat():
            return (item.body,)
        case Op() | Callee():
            return ()
        case _:
            assert_never(item)


def changed_inside(item: Item, change: Callable[[Items], Items]) -> Item:
    """An item with the items directly inside it changed; the item itself where nothing is inside."""
    match item:
        case CodeBranch():
            then, otherwise = change(item.then), change(item.otherwise)
            return CodeBranch(item.probability, then, otherwise, item.condition, item.at, item.leaves)
        case Weighted() | CodeLoop() | Repeat():
            return replace(item, body=change(item.body))
        case Op() | Callee():
            return item
        case _:
            assert_never(item)


def with_values(
    item: Item, put: Callable[[Value], Value], change: Callable[[Items], Items], place: Callable[[Value], Value]
) -> Item:
    """An item whose values are changed by `put`, those of its place in an array by `place`, and the items directly
    inside it by `change`."""
    match item:
        case Op():
            return item if item.memory is None else replace(item, memory=_moved(item.memory, place))
        case CodeBranch():
            then, otherwise = change(item.then), change(item.otherwise)
            return CodeBranch(put(item.probability), then, otherwise, item.condition, item.at, item.leaves)
        case Weighted():
            return replace(item, probability=put(item.probability), body=change(item.body))
        case Repeat():
            return Repeat(put(item.times), change(item.body))
        case CodeLoop():
            low, high = (None if v is None else put(v) for v in (item.low, item.high))
            rounds, leaves = put(item.rounds), put(item.leaves)
            return replace(item, low=low, high=high, rounds=rounds, leaves=leaves, body=change(item.body))
        case Callee():
            return replace(item, arguments=tuple(map(put, item.arguments)))
        case _:
            assert_never(item)


def _moved(memory: Access, put: Callable[[Value], Value]) -> Access:
    extent = None if memory.extent is None else put(memory.extent)
    subscripts = tuple(None if v is None else put(v) for v in memory.subscripts)
    return Access(memory.array, subscripts, memory.gathered, extent)


def values(item: Item) -> tuple[Value, ...]:
    """The values that an item itself is written with."""
    match item:
        case CodeBranch() | Weighted():
            return (item.probability,)
        case CodeLoop():
            bounds = (item.rounds,) if item.low is None or item.high is None else (item.low, item.high)
            return (*bounds, item.leaves) if item.weighted else bounds
        case Repeat():
            return (item.times,)
        case Callee():
            return item.arguments
        case Op():
            return ()
        case _:
            assert_never(item)


def free_names(items: Items) -> frozenset[str]:
    """All names in values, without the indices of loops inside."""
    names: set[str] = set()
    for item in items:
        if type(item) is Op:
            continue
        own: set[str] = set()
        for body in inner(item):
            own |= free_names(body)
        if isinstance(item, CodeLoop) and item.low is not None:
            own.discard(item.index)
        for v in values(item):
            own |= v.names
        names |= own

    return frozenset(names)


def walk(items: Items) -> Iterator[Item]:
    """All items, those inside others after them."""
    # A stack of its own: generators in each other hand every item up through all of them.
    waiting = list(reversed(items))
    while waiting:
        item = waiting.pop()
        yield item
        for body in reversed(inner(item)):
            waiting += reversed(body)
