"""Formals that are the same number in every call of an equation become that number, as in the published example."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import assert_never

from apet.program.algebra import Value, substituted
from apet.program.free_names import walk
from apet.program.ir import Access, Body, Callee, CodeBranch, CodeLoop, Item, Items, Op, Repeat, Weighted


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


def _rewritten(body: Body, own: dict[str, Value], fixed: dict[str, dict[str, Value]], bodies: dict[str, Body]) -> Body:
    formals = tuple(n for n in body.formals if n not in own)
    return replace(body, formals=formals, items=_put(body.items, own, fixed, bodies))


def _put(items: Items, own: dict[str, Value], fixed: dict[str, dict[str, Value]], bodies: dict[str, Body]) -> Items:
    return tuple(_one(i, own, fixed, bodies) for i in items)


def _one(item: Item, own: dict[str, Value], fixed: dict[str, dict[str, Value]], bodies: dict[str, Body]) -> Item:
    match item:
        case Op(memory=Access() as memory) if own:
            return replace(item, memory=moved(memory, own))
        case Op():
            return item
        case CodeBranch():
            then, otherwise = (_put(side, own, fixed, bodies) for side in (item.then, item.otherwise))
            return replace(item, probability=substituted(item.probability, own), then=then, otherwise=otherwise)
        case Weighted():
            weight = substituted(item.probability, own)
            return replace(item, probability=weight, body=_put(item.body, own, fixed, bodies))
        case Repeat():
            return Repeat(substituted(item.times, own), _put(item.body, own, fixed, bodies))
        case CodeLoop():
            low, high = (None if v is None else substituted(v, own) for v in (item.low, item.high))
            inside = {n: v for n, v in own.items() if n != item.index}
            body = _put(item.body, inside, fixed, bodies)
            rounds, leaves = substituted(item.rounds, own), substituted(item.leaves, own)
            return replace(item, low=low, high=high, rounds=rounds, leaves=leaves, body=body)
        case Callee():
            gone = fixed.get(item.equation, {}) if not item.recursive else {}
            formals = bodies[item.equation].formals if item.equation in bodies else ()
            pairs = zip(formals, item.arguments, strict=False) if gone else ()
            arguments = tuple(v for n, v in pairs if n not in gone) if gone else item.arguments
            return replace(item, arguments=tuple(substituted(v, own) for v in arguments))
        case _:
            assert_never(item)


def moved(memory: Access, values: Mapping[str, Value]) -> Access:
    """An element with values put in for names: its place, and the bytes of its array."""
    extent = None if memory.extent is None else substituted(memory.extent, values)
    subscripts = tuple(None if v is None else substituted(v, values) for v in memory.subscripts)
    return Access(memory.array, subscripts, memory.gathered, extent)


def put_values(item: Item, values: Mapping[str, Value]) -> Item:
    """An item with values put in for names."""
    return _one(item, dict(values), {}, {})
