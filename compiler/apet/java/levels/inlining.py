"""Small methods disappear into their callers, as a compiler inlines them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeGuard

from apet.java.translator.free_names import changed_inside, walk
from apet.java.translator.ir import Body, Callee, CodeLoop, Item, Items, Op, Repeat
from apet.java.translator.specialise import put_values

MOST_OPERATIONS = 325
"""Bytecodes of the largest method that a compiler inlines where it is hot; an operation is about one."""
DEEPEST = 9
MOST_OPENED = 6_000
"""Operations that calls are opened to in a model: large programs would be written many times over."""
OPENED = "opened"
"""The variable of an `either` that stands for the result of an opened method, its last input."""


class Inliner:
    """Puts bodies without loops in the place of their calls."""

    def __init__(self, bodies: Mapping[str, Body]) -> None:
        self.bodies = bodies
        self._next = 1_000_000  # results of an opened method are numbered far above those of its caller
        self._sizes: dict[str, int] = {}
        self._opened_operations = 0
        self.called: dict[str, None] = {}
        """Methods that vanish, but for some of their calls."""

    def vanishes(self, name: str) -> bool:
        """Whether a method is inlined wherever it is called: no loop, no recursion, not too large with its calls."""
        return self.size(name) <= MOST_OPERATIONS

    def size(self, name: str) -> int:
        """Operations of a method with what is inlined into it; more than the limit for what is not inlined itself."""
        if name not in self._sizes:
            self._sizes[name] = MOST_OPERATIONS + 1  # what calls itself is not inlined
            self._sizes[name] = self._measured(name)
        return self._sizes[name]

    def _measured(self, name: str) -> int:
        body = self.bodies.get(name)
        inside = list(walk(body.items)) if body is not None and not name.endswith("_call") else []
        calls = [i for i in inside if isinstance(i, Callee)]
        looping = any(isinstance(i, CodeLoop | Repeat) for i in inside) or any(c.recursive for c in calls)
        if not inside and body is not None and not name.endswith("_call"):
            return 0
        if not inside or looping or len(inside) > MOST_OPERATIONS:
            return MOST_OPERATIONS + 1
        return len(inside) + sum(self.size(c.equation) for c in calls if self.vanishes(c.equation))

    def inlined(self, items: Items, depth: int = 0) -> Items:
        """Items with small callees opened; the call and return around them are gone."""
        opened: list[Item] = []
        for item in items:
            if not isinstance(item, Callee):
                opened.append(changed_inside(item, lambda inside: self.inlined(inside, depth)))
            elif item.recursive or not self.vanishes(item.equation):
                opened.append(item)
            elif depth < DEEPEST and self._opened_operations < MOST_OPENED:
                opened += self._opened(item, depth)
            else:
                self.called[item.equation] = None
                opened.append(item)
        return tuple(opened)

    def _opened(self, call: Callee, depth: int) -> Items:
        body = self.bodies[call.equation]
        values = dict(zip(body.formals, call.arguments, strict=False))
        shift = self._next
        self._next += 1_000_000
        self._opened_operations += sum(1 for _ in walk(body.items))
        inside = self.inlined(tuple(put_values(i, values) for i in body.items), depth + 1)
        shifted = tuple(_shifted(i, shift, call.equation) for i in inside)
        # What a formal is comes from the arguments: from which of them is not told apart.
        shifted = tuple(replace(i, inputs=call.inputs) if _is_formal(i) else i for i in shifted)
        last = [i.result for i in walk(shifted) if isinstance(i, Op) and not i.store and i.result > 0][-1:]
        # What a method has computed depends on all that it was given, and refers to nothing else than its last value.
        is_own = any(isinstance(i, Op) and i.name == "access" and i.variable == "this" for i in walk(shifted))
        result = Op("either", None, (*call.inputs, *last), call.result, variable="" if is_own else OPENED)
        return (*shifted, result)


def _is_formal(item: Item) -> TypeGuard[Op]:
    """Whether an item gives a formal its value at the beginning of a method."""
    return isinstance(item, Op) and item.name == "assign" and item.control and bool(item.variable) and not item.inputs


def _shifted(item: Item, shift: int, name: str) -> Item:
    """An item whose values and local variables do not meet those of the caller."""
    if not isinstance(item, Op):
        return changed_inside(item, lambda inside: tuple(_shifted(i, shift, name) for i in inside))
    local = item.name in ("access", "assign") and not item.variable.startswith("this")
    variable = f"{name}.{item.variable}" if local and item.variable else item.variable
    if item.name == "either" and variable != OPENED:
        variable = ""  # what it returned is not returned by its caller
    inputs = tuple(i + shift for i in item.inputs)
    return replace(item, inputs=inputs, result=item.result + shift, variable=variable)
