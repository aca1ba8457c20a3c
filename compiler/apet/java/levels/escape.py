"""Objects that never leave the method that makes them: compiled code keeps their fields in registers.

HotSpot does so for what it neither stores in the memory, hands to a call that is not inlined, returns, nor merges with
another object in one variable (Choi, Gupta, Serrano, Sreedhar and Midkiff 1999: escape analysis).
"""

from __future__ import annotations

from apet.java.levels.inlining import OPENED
from apet.java.levels.units import is_library
from apet.java.parse import types
from apet.java.translator.free_names import changed_inside, walk
from apet.java.translator.ir import Callee, Item, Items, Op

RETURNED = "return"
"""The variable of an `either` that stands for what a method returns."""
READS = ("field_access", "visit", "compare", "instanceof", "call")


def without_scalars(items: Items) -> Items:
    """The items of a method, with small ones inlined, without the allocation of objects that never leave it."""
    flow = _EscapeFlow(items)
    # Which object an inlined method means by `this` is not told apart.
    if any(flow.escapes(op.result) for op in flow.accesses.get("this", ())):
        return items
    scalars = {op.result for op in flow.ops if op.name == "new" and op.variable and not flow.escapes(op.result)}

    def kept(inside: Items) -> Items:
        return tuple(changed_inside(i, kept) for i in inside if not _is_one_of(i, scalars))

    return kept(items) if scalars else items


def _is_one_of(item: Item, results: set[int]) -> bool:
    return isinstance(item, Op) and item.name == "new" and item.result in results


class _EscapeFlow:
    """Where the values of a method go."""

    def __init__(self, items: Items) -> None:
        self.ops: list[Op] = []
        self.accesses: dict[str, list[Op]] = {}
        self.uses: dict[int, list[Op | Callee]] = {}
        self.assigned: dict[str, int] = {}
        self.stores: set[int] = set()
        """Results of assignments to fields."""
        for item in walk(items):
            if isinstance(item, Op | Callee):
                for value in item.inputs:
                    self.uses.setdefault(value, []).append(item)
            if isinstance(item, Op):
                self._learn(item)

    def _learn(self, op: Op) -> None:
        if op.name == "access":
            self.accesses.setdefault(op.variable, []).append(op)
        elif op.name == "assign":
            last = self.ops[-1] if self.ops else op
            if not op.variable or (last.name == "field_access" and last.store):
                self.stores.add(op.result)
            # Each call of an inlined method gives its formals other values: no merge.
            self.assigned[op.variable] = self.assigned.get(op.variable, 0) + (not op.control)
        self.ops.append(op)

    def escapes(self, value: int) -> bool:
        """Whether an object may be met outside, by the number of the value that refers to it."""
        waiting, seen = [value], set[int]()
        while waiting:
            one = waiting.pop()
            if one in seen:
                continue
            seen.add(one)
            for user in self.uses.get(one, ()):
                onward = self._onward(user, one)
                if onward is None:
                    return True
                waiting += onward
        return False

    def _onward(self, user: Op | Callee, value: int) -> list[int] | None:
        """The values that refer to the same object after one use; None where it leaves the method."""
        if isinstance(user, Callee) or is_library(user):
            return None
        if user.variable == OPENED and user.inputs[-1] != value:
            return []
        if user.name == "either":
            return None if user.variable == RETURNED else [user.result]
        if user.name in READS or (user.type is not None and types.word(user.type) in types.BYTES):
            return []
        if user.name == "assign" and user.result not in self.stores and self.assigned[user.variable] <= 1:
            return [op.result for op in self.accesses.get(user.variable, ())]
        is_stored = user.store and user.inputs[-1] == value
        return [] if user.name == "array_access" and not is_stored else None
