"""Names for symbols: each gets the one that it wants unless that would hide what is meant in its scope.

A formal or an index may have the name of another that is not used where it is bound, as people write `i` again and
again. What would capture a parameter or an outer index gets an underscore more (`pasl.rewrite` has the same rule for
models put into models).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from apet.program.algebra import Value, as_value, substituted
from apet.program.free_names import free_names, with_values
from apet.program.ir import Body, CodeBranch, CodeLoop, Condition, Item, Items
from apet.program.model_names import RESERVED
from apet.program.symbols import Symbol, wanted_name

Texts = Mapping[str, Value]
"""The names of the symbols in scope."""


def named(bodies: Mapping[str, Body]) -> dict[str, Body]:
    """The equations with names for their formals and indices."""
    return {name: _equation(body) for name, body in bodies.items()}


def _equation(body: Body) -> Body:
    texts: dict[str, Value] = {}
    formals: list[str] = []
    free = free_names(body.items)
    for formal in body.formals:
        formals.append(_text(formal, (free - {formal}) | set(formals), texts))
        texts[formal] = as_value(formals[-1])
    return replace(body, formals=tuple(formals), items=_items(body.items, texts))


def _text(symbol: str, others: Iterable[str], texts: Texts) -> str:
    """A name for a symbol that is none of the others in its scope."""
    taken = {n for other in others for n in (texts[other].names if other in texts else (other,))}
    text = wanted_name(symbol)
    while text in taken or text in RESERVED:
        text += "_"
    return text


def _items(items: Items, texts: Texts) -> Items:
    return tuple(_item(i, texts) for i in items)


def _item(item: Item, texts: Texts) -> Item:
    if isinstance(item, CodeLoop):
        return _loop(item, texts)

    def put(value: Value) -> Value:
        return substituted(value, texts)

    item = with_values(item, put, lambda inside: _items(inside, texts), put)
    return replace(item, condition=_condition(item.condition, texts)) if isinstance(item, CodeBranch) else item


def _loop(loop: CodeLoop, texts: Texts) -> CodeLoop:
    low, high = (None if v is None else substituted(v, texts) for v in (loop.low, loop.high))
    rounds, index, inside = substituted(loop.rounds, texts), loop.index, texts
    if isinstance(loop.index, Symbol):
        index = _text(loop.index, (free_names(loop.body) | loop.leaves.names) - {loop.index}, texts)
        inside = {**texts, loop.index: as_value(index)}
    leaves, body = substituted(loop.leaves, inside), _items(loop.body, inside)
    return replace(loop, index=index, low=low, high=high, rounds=rounds, leaves=leaves, body=body)


def _condition(condition: Condition | None, texts: Texts) -> Condition | None:
    if condition is None or not texts:
        return condition
    left, right = (None if v is None else substituted(v, texts) for v in (condition.left, condition.right))
    return replace(condition, left=left, right=right)
