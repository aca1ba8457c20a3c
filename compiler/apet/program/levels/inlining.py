"""Small methods disappear into their callers, as a compiler inlines them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import count

from apet.program.free_names import changed_inside, walk
from apet.program.ir import Body, Callee, CodeBranch, CodeLoop, Item, Items, Op, Operand, Repeat
from apet.program.specialise import put_values

MOST_OPERATIONS = 325
"""Bytecodes of the largest method that a compiler inlines where it is hot; an operation is about one."""
DEEPEST = 9
MOST_OPENED = 6_000
"""Operations that calls are opened to in a model: large programs would be written many times over."""


class Inliner:
    """Puts bodies without loops in the place of their calls."""

    def __init__(self, bodies: Mapping[str, Body]) -> None:
        self.bodies = bodies
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

    def inlined(self, items: Items) -> Items:
        """Items with small callees opened; the call and return around them are gone."""
        # Values of opened methods are numbered far above those of their callers.
        return self._inlined(items, 0, count(1_000_000))

    def _inlined(self, items: Items, depth: int, numbers: Iterator[int]) -> Items:
        opened: list[Item] = []
        for item in items:
            if not isinstance(item, Callee):
                opened.append(changed_inside(item, lambda inside: self._inlined(inside, depth, numbers)))
            elif item.recursive or not self.vanishes(item.equation):
                opened.append(item)
            elif depth < DEEPEST and self._opened_operations < MOST_OPENED:
                opened += self._opened(item, depth, numbers)
            else:
                self.called[item.equation] = None
                opened.append(item)
        return tuple(opened)

    def _opened(self, call: Callee, depth: int, numbers: Iterator[int]) -> Items:
        body = self.bodies[call.equation]
        values = dict(zip(body.formals, call.arguments, strict=False))
        self._opened_operations += sum(1 for _ in walk(body.items))
        inside = self._inlined(tuple(put_values(i, values) for i in body.items), depth + 1, numbers)
        opening = _Opening(call, numbers)
        items = opening.items(inside)

        ops = [i for i in walk(items) if isinstance(i, Op) and not i.store and i.result > 0]
        last = tuple(opening.returned[-1:] or [op.result for op in ops[-1:]])
        if len(opening.returned) > 1:
            # Which of several objects it returned, a compiler does not follow.
            last = (next(numbers),)
            items = (*items, Op("either", None, tuple(opening.returned), *last))
        # What a method has computed depends on all that it was given, and refers to nothing else than its last value.
        return (*items, Op("either", None, (*call.inputs, *last), call.result, operand=Operand.OPENED))


class _Opening:
    """Items of a method at one of its calls: values and local variables of their own, formals and `this` bound."""

    def __init__(self, call: Callee, numbers: Iterator[int]) -> None:
        self.numbers, self.prefix = numbers, f"{call.equation}:{next(numbers)}"
        self.arguments = iter(call.operands[1:])
        self.target = call.operands[0] if call.operands else -1
        self.fresh: dict[int, int] = {-1: -1}
        self.returned: list[int] = []
        """The numbers of the objects that it returns."""

    def items(self, items: Items) -> Items:
        """Straight items and what is inside them."""
        return tuple(self._item(i) for i in items)

    def _item(self, item: Item) -> Item:
        if isinstance(item, Op):
            return self._operation(item)
        if isinstance(item, Callee):
            # What is called on nothing else is called on the same object.
            target = item.operands[0] if item.operands else -1
            operands = (self._number(target) if target >= 0 else self.target, *map(self._number, item.operands[1:]))
            return replace(item, operands=operands, result=self._number(item.result))
        changed = changed_inside(item, self.items)
        if isinstance(changed, CodeBranch) and changed.condition is not None:
            inputs = tuple(map(self._number, changed.condition.inputs))
            return replace(changed, condition=replace(changed.condition, inputs=inputs))
        return changed

    def _number(self, value: int) -> int:
        if value not in self.fresh:
            self.fresh[value] = next(self.numbers)
        return self.fresh[value]

    def _operation(self, op: Op) -> Op:
        inputs = tuple(map(self._number, op.inputs))
        variable = op.variable
        of_object = variable == "this" or (variable.startswith("this.") and op.name != "assign")
        if of_object and not inputs and self.target >= 0:
            inputs = (self.target,)
        elif op.name == "assign" and op.control and variable and not inputs and ":" not in variable:
            # A formal of its own gets its value at the beginning.
            argument = next(self.arguments, -1)
            inputs = (argument,) if argument >= 0 else ()
        if op.name in ("access", "assign") and variable and not variable.startswith("this"):
            variable = f"{self.prefix}.{variable}"

        result = self._number(op.result)
        operand = op.operand
        if operand is Operand.RETURNED:
            self.returned.append(result)
            operand = None  # what it returned is not returned by its caller
        return replace(op, inputs=inputs, result=result, variable=variable, operand=operand)
