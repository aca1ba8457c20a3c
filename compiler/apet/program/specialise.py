"""Formals that are the same number in every call of an equation become that number, as in the published example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from apet.program.algebra import Value, substituted
from apet.program.free_names import walk, with_values
from apet.program.ir import Body, Callee, CodeLoop, Item, Items

Bodies = Mapping[str, Body]


def specialise(bodies: dict[str, Body]) -> dict[str, Body]:
    """The equations with constant formals put in; repeated, because one call's constant may decide the next one's."""
    while True:  # ends: each round but the last removes a formal
        arguments = _arguments(bodies)
        fixed = {name: f for name, body in bodies.items() if (f := _fixed(body, arguments.get(name, [])))}
        if not fixed:
            return bodies
        bodies = {name: _rewritten(body, fixed.get(name, {}), fixed, bodies) for name, body in bodies.items()}


def reached(entry: Body, bodies: Mapping[str, Body]) -> dict[str, Body]:
    """The equations that an entry needs, each before those it calls."""
    bodies_reached, waiting = dict[str, Body](), [entry]
    while waiting:
        body = waiting.pop()
        if body.name in bodies_reached:
            continue
        bodies_reached[body.name] = body
        calls = [i.equation for i in walk(body.items) if isinstance(i, Callee) and not i.recursive]
        waiting += [bodies[n] for n in reversed(dict.fromkeys(calls)) if n in bodies]
    return bodies_reached


def _arguments(bodies: dict[str, Body]) -> dict[str, list[tuple[Value, ...]]]:
    by_equation: dict[str, list[tuple[Value, ...]]] = {}
    for body in bodies.values():
        for item in walk(body.items):
            if isinstance(item, Callee) and not item.recursive:
                by_equation.setdefault(item.equation, []).append(item.arguments)
    return by_equation


def _fixed(body: Body, calls: list[tuple[Value, ...]]) -> dict[str, Value]:
    constants: dict[str, Value] = {}
    for k, formal in enumerate(body.formals):
        values = {arguments[k] for arguments in calls}
        if len(values) == 1 and (one := values.pop()).constant is not None:
            constants[formal] = one
    return constants


def _rewritten(body: Body, own: dict[str, Value], fixed: dict[str, dict[str, Value]], bodies: Bodies) -> Body:
    formals = tuple(n for n in body.formals if n not in own)
    return replace(body, formals=formals, items=_put(body.items, own, fixed, bodies))


def _put(items: Items, own: Mapping[str, Value], fixed: Mapping[str, Mapping[str, Value]], all_of: Bodies) -> Items:
    return tuple(_one(i, own, fixed, all_of) for i in items)


def _one(item: Item, own: Mapping[str, Value], fixed: Mapping[str, Mapping[str, Value]], all_of: Bodies) -> Item:
    if isinstance(item, Callee) and item.equation in fixed and not item.recursive:
        pairs = zip(all_of[item.equation].formals, item.arguments, strict=False)
        item = replace(item, arguments=tuple(v for n, v in pairs if n not in fixed[item.equation]))
    index = item.index if isinstance(item, CodeLoop) else None
    inside = {n: v for n, v in own.items() if n != index}

    def put(value: Value) -> Value:
        return substituted(value, own)

    return with_values(item, put, lambda items: _put(items, inside, fixed, all_of), put)


def put_values(item: Item, values: Mapping[str, Value]) -> Item:
    """An item with values put in for names."""
    return _one(item, values, {}, {})
