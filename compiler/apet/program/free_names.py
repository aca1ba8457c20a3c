"""Names that items of a method use and do not bind themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import assert_never

from apet.program.algebra import Value
from apet.program.ir import Callee, CodeBranch, CodeLoop, Item, Items, Op, Repeat, Weighted


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
