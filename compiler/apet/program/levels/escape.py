"""Objects that never leave the method that makes them: compiled code keeps their fields in registers.

HotSpot does so for what it neither stores in the memory, hands to a call that is not inlined, returns, nor merges with
another object in one variable (Choi, Gupta, Serrano, Sreedhar and Midkiff 1999: escape analysis).
"""

from __future__ import annotations

from dataclasses import replace

from apet.program import types
from apet.program.free_names import changed_inside, walk
from apet.program.ir import VALUE, Callee, Item, Items, Op, Operand
from apet.program.levels.units import is_library

READS = ("field_access", "visit", "compare", "instanceof", "call")
NEW = "new:"
"""What the name of a new object begins with; its number follows."""
ANY = "any:"
"""The same of an object that no variable refers to all the time."""


def without_scalars(items: Items) -> Items:
    """The items of a method, with small ones inlined, without the allocation of objects that never leave it: their
    fields become variables. Fields of other objects are named after the variable that refers to the object."""
    flow = _EscapeFlow(items)
    scalars = {op.result for op in flow.ops if op.name == "new" and op.bytes and not flow.escapes(op.result)}

    def changed(inside: Items) -> Items:
        return tuple(changed_inside(j, changed) for i in inside if (j := flow.named(i, scalars)) is not None)

    return changed(items)


class _EscapeFlow:
    """Where the values of a method come from and go."""

    def __init__(self, items: Items) -> None:
        self.ops: list[Op] = []
        self.definitions: dict[int, Op] = {}
        self.accesses: dict[str, list[int]] = {}
        """The results of accesses to a variable, and of loads of a field of a new object."""
        self.uses: dict[int, list[Op | Callee]] = {}
        self.assigned: dict[str, list[Op]] = {}
        self.stores: dict[int, Op] = {}
        """By the result of the assignment that follows it, the store to a field."""
        for item in walk(items):
            if isinstance(item, Op | Callee):
                for value in item.inputs:
                    self.uses.setdefault(value, []).append(item)
            if isinstance(item, Op):
                self._learn(item)
        for op in (op for op in self.ops if op.name == "field_access" and not op.store):
            self.accesses.setdefault(self.field(op), []).append(op.result)

    def _learn(self, op: Op) -> None:
        self.definitions[op.result] = op
        if op.name == "access" and not op.inputs:
            self.accesses.setdefault(op.variable, []).append(op.result)
        elif op.name == "assign":
            last = self.ops[-1] if self.ops else op
            if last.name == "field_access" and last.store:
                self.stores[op.result] = last
            else:
                self.assigned.setdefault(op.variable, []).append(op)
        self.ops.append(op)

    def owner(self, value: int) -> str:
        """A name for the object that a value refers to."""
        seen = set[int]()
        while value in self.definitions and value not in seen:
            seen.add(value)
            op = self.definitions[value]
            only = self.assigned.get(op.variable, []) if op.name == "access" else []
            if op.name == "new":
                return f"{NEW}{value}"
            if op.name == "access" and not op.inputs and (len(only) != 1 or len(only[0].inputs) != 1):
                return op.variable

            # What is opened is its last value, and a variable that is assigned once is that value.
            is_one = op.operand is Operand.OPENED or len(op.inputs) == 1
            is_same = op.name == "access" or (op.name == "either" and is_one)
            value = (op.inputs or only[0].inputs)[-1] if is_same else value
        return f"{ANY}{value}"

    def field(self, op: Op) -> str:
        """A name for the field that an operation loads or stores: the object's and its own."""
        if not op.inputs or op.variable == "length":
            return op.variable
        return f"{self.owner(op.inputs[0])}.{op.variable.rpartition('.')[2]}"

    def named(self, item: Item, scalars: set[int]) -> Item | None:
        """An item with the name of its object's field; None for what scalars need not do."""
        if not isinstance(item, Op):
            return item
        if item.name == "new":
            # The number in a box that need not be made is there all the same.
            made = replace(item, name="either", variable="") if item.inputs else None
            return made if item.result in scalars else item
        if item.result in self.stores:
            return replace(item, variable=self.field(self.stores[item.result]))
        if item.name not in ("field_access", "visit") or not item.inputs:
            return item

        name = self.field(item)
        if name.endswith(f".{VALUE}") and self.is_box(item.inputs[0], scalars):
            return replace(item, name="either", variable="")
        if name.startswith(NEW) and int(name[len(NEW) :].partition(".")[0]) in scalars:
            is_load = item.name == "field_access" and not item.store
            return replace(item, name="access", inputs=(), variable=name) if is_load else None
        return replace(item, variable=name) if item.name == "field_access" else item

    def is_box(self, value: int, scalars: set[int]) -> bool:
        """Whether a value refers to a box that need not be made."""
        number = self.owner(value).removeprefix(NEW)
        return number.isdigit() and int(number) in scalars and bool(self.definitions[int(number)].inputs)

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
        if user.name == "either":
            if user.operand is Operand.OPENED and user.inputs[-1] != value:
                return []
            is_opened = user.operand is Operand.OPENED
            is_merged = user.operand is Operand.RETURNED or (not is_opened and len({*user.inputs}) > 1)
            return None if is_merged else [user.result]
        if user.name in READS or (user.type is not None and types.word(user.type) in types.BYTES):
            return []

        if user.name == "access":
            return [user.result]
        if user.result in self.stores:
            name = self.field(self.stores[user.result])
            # What a field of a new object has goes where the object goes, and where the field is loaded.
            onward = [*self.stores[user.result].inputs, *self.accesses.get(name, [])]
            return onward if name.startswith(NEW) else None
        if user.name == "assign" and user.variable and len(self.assigned[user.variable]) == 1:
            return self.accesses.get(user.variable, [])
        is_stored = user.store and user.inputs[-1] == value
        return [] if user.name == "array_access" and not is_stored else None
