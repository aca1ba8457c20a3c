"""Recursive methods: linear and divide-and-conquer recurrences in closed form, of others the number of calls.

A method that calls itself becomes two equations: one call without those it makes, and the whole as loops over the
levels of the recursion. Level j of a method that calls itself a times has a^j calls (Cormen et al., recursion trees).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from apet.java.translator.algebra import Function, Value, apply, as_value, of_atom, quotient, substituted
from apet.java.translator.conditions import NEGATED
from apet.java.translator.facts import HIDDEN
from apet.java.translator.frame import MethodFrame
from apet.java.translator.free_names import changed_inside, free_names, inner, walk
from apet.java.translator.invocation import of_formal
from apet.java.translator.ir import Body, Callee, CodeBranch, CodeLoop, Item, Items, ParameterKind
from apet.java.translator.symbols import wanted_name

MOST_PARTS = 8
ONE = as_value(1)


class Guard(NamedTuple):
    """The branch that decides whether a method calls itself again, and on which side it does."""

    branch: CodeBranch
    in_then: bool


class Size(NamedTuple):
    """What a recursion makes smaller: a formal, or the distance of two; where it stands among the formals."""

    value: Value
    high: int
    low: int | None


class Shrinking(NamedTuple):
    """How the size shrinks: by `steps` (one for each call), or to one part in `parts`."""

    size: Size
    steps: tuple[int, ...]
    parts: int


def unfold(f: MethodFrame, name: str, items: Items, symbols: list[str]) -> Body:
    """The equation of a recursive method; its single call becomes an equation of its own."""
    calls = [i for i in walk(items) if isinstance(i, Callee) and i.recursive and i.equation == f.method.title]
    guard = _guard(items, f.method.title)
    shrinking = _shrinking(f, guard, calls, symbols) if guard is not None else None
    needed = [n for n in symbols if n in free_names(items)]
    if guard is not None and shrinking is not None:
        closed = _closed(f, name, items, guard, shrinking, symbols, needed)
        if closed is not None:
            return closed
    return _counted(f, name, items, calls, symbols, needed)


def _guard(items: Items, title: str) -> Guard | None:
    """The only branch around all recursive calls, if all are on one of its sides and surely made there."""
    holding = [i for i in items if _has(i, title)]
    if len(holding) != 1 or not isinstance(holding[0], CodeBranch):
        return None
    branch = holding[0]
    then, otherwise = (any(_has(i, title) for i in side) for side in (branch.then, branch.otherwise))
    if then == otherwise or _made(branch.then if then else branch.otherwise, title) is None:
        return None
    return Guard(branch, then)


def _positions(f: MethodFrame) -> dict[str, int]:
    """The formals that are numbers: their symbols, with their places."""
    return {
        symbols[0]: k
        for k, symbols in enumerate(f.state.formals(f.method))
        if len(symbols) == 1 and not f.method.formals[k].type.dimensions
    }


def _has(item: Item, title: str) -> bool:
    if isinstance(item, Callee):
        return item.recursive and item.equation == title
    return any(_has(i, title) for body in inner(item) for i in body)


def _made(items: Items, title: str) -> list[Callee] | None:
    """The recursive calls that one run of these items makes; None where that depends on anything."""
    calls: list[Callee] = []
    for item in items:
        if isinstance(item, Callee):
            calls += [item] if _has(item, title) else []
        elif isinstance(item, CodeBranch):
            one, other = _made(item.then, title), _made(item.otherwise, title)
            if one is None or other is None or len(one) != len(other):
                return None
            calls += one
        elif any(_has(i, title) for body in inner(item) for i in body):
            return None

    return calls


def _shrinking(f: MethodFrame, guard: Guard, calls: list[Callee], symbols: list[str]) -> Shrinking | None:
    made_once = _made(guard.branch.then if guard.in_then else guard.branch.otherwise, f.method.title) or []
    numbers = [(n, k) for n, k in _positions(f).items() if n in symbols]
    sizes = [Size(as_value(n), k, None) for n, k in numbers]
    # merge(a, low, high) shrinks high - low.
    sizes += [Size(as_value(m) - as_value(n), j, k) for n, k in numbers for m, j in numbers if j != k]

    for size in sizes:
        reductions = [_smaller(size, c) for c in calls]
        if any(s is None for s in reductions):
            continue
        steps = [s[0] for s in reductions if s is not None]
        parts = {s[1] for s in reductions if s is not None}
        if all(steps) and parts == {0}:
            chosen = tuple(s[0] for c, s in zip(calls, reductions, strict=True) if s is not None and c in made_once)
            if len(made_once) == len(calls) or len(set(steps)) == 1:
                return Shrinking(size, chosen[: len(made_once)], 0)
        elif not any(steps) and len(parts) == 1:
            return Shrinking(size, (0,) * len(made_once), parts.pop())
    return None


def _smaller(size: Size, call: Callee) -> tuple[int, int] | None:
    """By how much a call makes the size smaller, or to one part in how many."""
    high = call.formal_values[size.high]
    low = as_value(0) if size.low is None else call.formal_values[size.low]
    if high is None or low is None:
        return None
    now = high - low
    step = (size.value - now).integer
    if step is not None:
        return (step, 0) if step > 0 else None

    # floor((low + high) / 2) - low is half the size within rounding.
    smooth = _smooth(now)
    for parts in range(2, MOST_PARTS + 1):
        if (smooth - size.value * Fraction(1, parts)).constant is not None:
            return 0, parts
    return None


def _smooth(value: Value) -> Value:
    """A value without its roundings."""
    total = as_value(0)
    for monomial, factor in value.terms:
        product = as_value(factor)
        for atom in monomial:
            rounded = isinstance(atom, Function) and atom.name in ("floor", "ceil")
            product = product * (
                _smooth(atom.arguments[0]) if isinstance(atom, Function) and rounded else of_atom(atom)
            )
        total = total + product

    return total


def _threshold(guard: Guard, size: Value) -> int | None:
    """The least size at which the method calls itself again."""
    condition = guard.branch.condition
    if condition is None or condition.left is None or condition.right is None or not condition.relation:
        return None

    relation = condition.relation if guard.in_then else NEGATED[condition.relation]
    gap = condition.left - condition.right
    # The comparison is of the size itself, with an offset, or of its negative: then the relation turns round.
    offset = (gap - size).integer
    if offset is None:
        offset = (-gap - size).integer
        relation = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(relation, relation)
    if offset is None:
        return None
    return {">=": -offset, ">": 1 - offset, "!=": 1 - offset}.get(relation)


def _closed(
    f: MethodFrame, name: str, items: Items, guard: Guard, shrinking: Shrinking, symbols: list[str], needed: list[str]
) -> Body | None:
    """The loops over the levels of a recurrence that is recognised."""
    least = _threshold(guard, shrinking.size.value)
    if least is None or (shrinking.parts and least < 1):
        return None

    size, many = shrinking.size.value, len(shrinking.steps)
    level = f.state.bound("level")
    at_level = as_value(level)
    if shrinking.parts:
        levels = (
            apply("floor", quotient(apply("log2", quotient(apply("max", size, 1), least)), _log2(shrinking.parts))) + 1
        )
        smaller = apply("floor", quotient(size, apply("^", shrinking.parts, at_level)))
    elif len(set(shrinking.steps)) == 1:
        levels = apply("floor", quotient(size - least, shrinking.steps[0])) + 1
        smaller = size - shrinking.steps[0] * at_level
    elif sorted(shrinking.steps) == [1, 2]:  # T(n) = T(n - 1) + T(n - 2) + c
        return _fibonacci(f, name, items, guard, size - least + 1, symbols, needed)
    else:
        return None
    levels = apply("max", 0, levels)
    at_this_level = _changed(f, shrinking.size, needed, smaller)
    if at_this_level is None or not _invariant(f, shrinking.size, items, needed, symbols):
        return None

    deeper = f.state.bound("deeper")
    step = _step(f, name, items, guard, deeper, needed)
    at, copies = f.method.at, as_value(many)
    again = Callee(step.name, (*(at_this_level[n] for n in needed), ONE), at)
    final = {n: substituted(v, {level: levels}) for n, v in at_this_level.items()}
    last = Callee(step.name, (*(final[n] for n in needed), as_value(0)), at)
    inside = _times(apply("^", copies, at_level), again) if many > 1 else (again,)
    outer = CodeLoop(level, as_value(0), levels - 1, levels, inside, False, 1, "", as_value(0), at)
    leaves = _times(apply("^", copies, levels), last) if many > 1 else (last,)
    formals = tuple(n for n in symbols if n in free_names((outer, *leaves)))
    return Body(name, formals, (outer, *leaves), at)


def _log2(parts: int) -> Value:
    return as_value(parts.bit_length() - 1) if parts & (parts - 1) == 0 else apply("log2", parts)


def _times(many: Value, item: Item) -> Items:
    return (CodeLoop(f"k{HIDDEN}copies", ONE, many, many, (item,), False, 1, "", as_value(0), item.at),)  # type: ignore[union-attr]


def _changed(f: MethodFrame, size: Size, needed: list[str], smaller: Value) -> dict[str, Value] | None:
    """The formals that the cost depends on, at a level: those of the size change, the others stay."""
    values = {n: as_value(n) for n in needed}
    positions = _positions(f)
    for n in needed:
        if positions.get(n) == size.high:
            low = as_value(0) if size.low is None else as_value(next(iter((-size.value + as_value(n)).names), n))
            values[n] = low + smaller
    return values


def _invariant(f: MethodFrame, size: Size, items: Items, needed: list[str], symbols: list[str]) -> bool:
    """Whether every formal that the cost depends on, other than the size, is handed on as it is."""
    positions = _positions(f)
    for n in needed:
        k = positions.get(n)
        if k is None or k in (size.high, size.low):
            continue
        for c in walk(items):
            if isinstance(c, Callee) and c.recursive and c.formal_values[k] != as_value(n):
                return False
    return True


def _fibonacci(
    f: MethodFrame, name: str, items: Items, guard: Guard, rank: Value, symbols: list[str], needed: list[str]
) -> Body | None:
    """T(k) = T(k - 1) + T(k - 2) + c: F(j + 2) - 1 calls that call again and F(j + 2) that do not (Binet)."""
    if needed:
        return None

    rank = apply("max", 0, rank)
    golden = quotient(1 + apply("sqrt", 5), 2)
    leaves = apply("floor", quotient(apply("^", golden, rank + 2), apply("sqrt", 5)) + Fraction(1, 2))
    deeper = f.state.bound("deeper")
    step = _step(f, name, items, guard, deeper, [])
    at = f.method.at
    items_of_tree = (
        *_times(leaves - 1, Callee(step.name, (ONE,), at)),
        *_times(leaves, Callee(step.name, (as_value(0),), at)),
    )
    return Body(name, tuple(n for n in symbols if n in free_names(items_of_tree)), items_of_tree, at)


def _step(f: MethodFrame, name: str, items: Items, guard: Guard, deeper: str, needed: list[str]) -> Body:
    """One call: its guard decides by a formal, and the calls it makes are left to the levels."""
    q = as_value(deeper) if guard.in_then else 1 - as_value(deeper)
    guarded = tuple(replace(i, probability=q) if i is guard.branch and isinstance(i, CodeBranch) else i for i in items)
    step = Body(f.state.fresh(f"{name}_call"), (*needed, deeper), without_calls(guarded, f.method.title), f.method.at)
    f.state.steps[step.name] = step
    return step


def without_calls(items: Items, title: str) -> Items:
    """Items without the recursive calls, whose cost stands elsewhere."""
    return tuple(
        changed_inside(item, lambda inside: without_calls(inside, title))
        for item in items
        if not (isinstance(item, Callee) and item.recursive and item.equation == title)
    )


def _counted(
    f: MethodFrame, name: str, items: Items, calls: list[Callee], symbols: list[str], needed: list[str]
) -> Body:
    """The number of calls is a parameter, and so are formals that differ from call to call."""
    at = f.method.at
    text = f"calls of {f.method.name} made by one call from outside, itself included"
    many = f.note(f"calls_{f.method.name}", text, at, kind=ParameterKind.CALLS, owner=f.owner, member=f.method.name)
    positions = _positions(f)
    arguments: list[Value] = []
    for n in needed:
        k = positions.get(n)
        if k is not None and calls and all(c.formal_values[k] == as_value(n) for c in calls):
            arguments.append(as_value(n))
        else:
            name = wanted_name(n)
            text = f"{name} of {f.method.name}, mean of all its calls"
            of = of_formal(f.method, n)
            arguments.append(f.note(f"{name}_of_{f.method.name}", text, at, kind=ParameterKind.ARGUMENT, **of))

    step = Body(f.state.fresh(f"{name}_call"), tuple(needed), without_calls(items, f.method.title), at)
    f.state.steps[step.name] = step
    loop = CodeLoop(
        f"k{HIDDEN}", None, None, many, (Callee(step.name, tuple(arguments), at),), False, 0, "", as_value(0), at
    )
    return Body(name, tuple(n for n in symbols if n in free_names((loop,))), (loop,), at)
