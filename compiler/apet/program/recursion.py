"""Recursive methods: linear and divide-and-conquer recurrences in closed form, of others the number of calls.

A method that calls itself becomes two equations: one call without those it makes, and the whole as loops over the
levels of the recursion. Level j of a method that calls itself a times has a^j calls (Cormen et al., recursion trees).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple

from apet.program.algebra import Function, Value, apply, as_value, of_atom, quotient, substituted
from apet.program.free_names import changed_inside, free_names, inner, walk
from apet.program.free_names import values as values_of
from apet.program.ir import NEGATED, Body, Callee, CodeBranch, CodeLoop, Item, Items, LineColumn, ParameterKind
from apet.program.leveled_calls import LeveledCalls, Split, times
from apet.program.model_names import ModelNames
from apet.program.symbols import HIDDEN, wanted_name

MOST_PARTS = 8
ONE = as_value(1)


BodyOf = Callable[[str], Body | None]
"""The equation of a name, as far as it is written."""


@dataclass(frozen=True)
class Recursive:
    """A method that calls itself, as its front end tells of it.

    `positions` are the formals that are numbers: their symbols, with their places. `is_alone` tells that nothing that
    is called here calls it again. `in_all` tells that its calls are counted over the whole run, where its formals have
    means. `alternatives`, for a run, takes the form whose calls are counted of one in closed form. `add` takes a
    further equation; `ask` makes a parameter with a name and a text, for the calls or for the mean of a formal.
    """

    names: ModelNames
    name: str
    title: str
    at: LineColumn
    positions: Mapping[str, int]
    is_alone: bool
    in_all: bool
    alternatives: dict[str, Callable[[], Body]] | None
    body_of: BodyOf
    add: Callable[[Body], None]
    ask: Callable[[ParameterKind, str, str, str], Value]


class Guard(NamedTuple):
    """The branch that decides whether a method calls itself again, and on which side it does."""

    branch: CodeBranch
    in_then: bool


class Size(NamedTuple):
    """What a recursion makes smaller: a formal, or the distance of two; where it stands among the formals."""

    value: Value
    high: int
    low: int | None
    names: tuple[str, str | None]


class Shrinking(NamedTuple):
    """How the size shrinks in the calls that one call makes: by `steps` (one for each), or to one part in `parts`."""

    size: Size
    steps: tuple[int, ...]
    parts: int
    calls: tuple[Callee, ...]


def unfold(f: Recursive, name: str, items: Items, symbols: list[str]) -> Body:
    """The equation of a recursive method; its single call becomes an equation of its own."""
    calls = [i for i in walk(items) if isinstance(i, Callee) and i.recursive and i.equation == f.title]
    guard = _guard(items, f.title)
    needed = [n for n in symbols if n in free_names(items)]
    for shrinking in _shrinkings(f, guard, calls, symbols) if guard is not None and not f.in_all else ():
        assert guard is not None
        closed = _closed(f, name, items, guard, shrinking, symbols, needed)
        if closed is not None and f.is_alone:
            if f.alternatives is not None:
                f.alternatives[name] = lambda: _counted(f, name, items, calls, symbols, needed)
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


def _shrinkings(f: Recursive, guard: Guard, calls: list[Callee], symbols: list[str]) -> Iterator[Shrinking]:
    """What the recursive calls make smaller: formals, or distances of two."""
    made_once = _made(guard.branch.then if guard.in_then else guard.branch.otherwise, f.title) or []
    numbers = [(n, k) for n, k in f.positions.items() if n in symbols]
    sizes = [Size(as_value(n), k, None, (n, None)) for n, k in numbers]
    # merge(a, low, high) shrinks high - low.
    sizes += [Size(as_value(m) - as_value(n), j, k, (m, n)) for n, k in numbers for m, j in numbers if j != k]

    for size in sizes:
        reductions = [_smaller(size, c) for c in calls]
        if any(s is None for s in reductions):
            continue
        steps = [s[0] for s in reductions if s is not None]
        parts = {s[1] for s in reductions if s is not None}
        if all(steps) and parts == {0}:
            chosen = tuple(s[0] for c, s in zip(calls, reductions, strict=True) if s is not None and c in made_once)
            if len(made_once) == len(calls) or len(set(steps)) == 1:
                yield Shrinking(size, chosen[: len(made_once)], 0, tuple(made_once))
        elif not any(steps) and len(parts) == 1:
            yield Shrinking(size, (0,) * len(made_once), parts.pop(), tuple(made_once))


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


def split_of(size: Size, calls: Sequence[Callee], parts: int, least: int) -> Split | None:
    """How calls split a range of at least `least`, tried for all remainders: what they are given is a sum of the ends
    of the range and of parts of it, rounded, so that two periods tell it for all."""
    tried = range(least, least + 2 * parts + 1)
    lows = range(2 * parts + 1) if size.low is not None else (0,)
    for shift in (0, 1, -1):
        if least + shift < 1:
            continue
        rows = [[_number(size, c, low, n) for c in calls] for n in tried for low in lows]
        wholes = [n + shift for n in tried for _ in lows]
        shares = [[None if s is None else s + shift for s in row] for row in rows]
        if all(row == [whole // parts] * len(calls) for row, whole in zip(shares, wholes, strict=True)):
            return Split(parts, shift, False)
        halves = [(whole // 2, whole - whole // 2) for whole in wholes]
        is_halved = len(calls) == parts == 2 and least + shift >= 2
        if is_halved and any([tuple(row[::d]) for row in shares] == halves for d in (1, -1)):
            return Split(parts, shift, True)
    return None


def _number(size: Size, call: Callee, low: int, n: int) -> int | None:
    """The size that a call is given in a range of `n` from `low` on."""
    high_value = call.formal_values[size.high]
    low_value = as_value(0) if size.low is None else call.formal_values[size.low]
    if high_value is None or low_value is None:
        return None
    high_name, low_name = size.names
    ends = {high_name: as_value(low + n)} | ({} if low_name is None else {low_name: as_value(low)})
    return substituted(high_value - low_value, ends).integer


def _smooth(value: Value) -> Value:
    """A value without its roundings."""
    total = as_value(0)
    for monomial, factor in value.terms:
        product = as_value(factor)
        for atom in monomial:
            rounded = isinstance(atom, Function) and atom.name in ("floor", "ceil")
            if isinstance(atom, Function) and atom.name in ("max", "min") and atom.arguments[0] == as_value(0):
                # max(0, floor(x)) + min(0, ceil(x)): a quotient that may be negative
                product = product * (_smooth(atom.arguments[1]) if atom.name == "max" else as_value(0))
                continue
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
    f: Recursive, name: str, items: Items, guard: Guard, shrinking: Shrinking, symbols: list[str], needed: list[str]
) -> Body | None:
    """The loops over the levels of a recurrence that is recognised."""
    size, least = shrinking.size.value, _threshold(guard, shrinking.size.value)
    if least is None:
        return None
    if len(set(shrinking.steps)) > 1:
        is_fibonacci = sorted(shrinking.steps) == [1, 2] and not needed  # T(n) = T(n - 1) + T(n - 2) + c
        return _fibonacci(f, name, items, guard, size - least + 1, symbols) if is_fibonacci else None

    calls = shrinking.calls
    split = split_of(shrinking.size, calls, shrinking.parts, least) if shrinking.parts else None
    level = f.names.bound("level")
    at = _at_level(f, shrinking.size, calls, items, needed, as_value(level))
    if at is None or (shrinking.parts and split is None):
        return None
    tree = LeveledCalls(_step(f, name, items, guard, needed), level, len(calls), at)
    if split is None:
        step = shrinking.steps[0]
        levels = apply("max", 0, apply("floor", quotient(size - least, step)) + 1)
        body = tree.alike(levels, size - step * as_value(level))
    else:
        body = tree.halves(size, least, split) if split.balanced else tree.parts(size, least, split)
    return Body(name, tuple(n for n in symbols if n in free_names(body)), body, f.at)


def _at_level(
    f: Recursive, size: Size, calls: Sequence[Callee], items: Items, needed: list[str], level: Value
) -> Callable[[Value], tuple[Value, ...]] | None:
    """The formals that the cost depends on, by the size that is left at a level: others stay as they are, or grow by
    the same number from level to level. None where they do anything else."""
    positions = f.positions
    values: dict[str, Value] = {}
    for n in needed:
        k = positions.get(n)
        if k not in (size.high, size.low):
            change = as_value(0) if k is None else _growth(n, k, calls)
            if change is None or change.integer is None:
                return None
            values[n] = as_value(n) + change * level

    high, low = size.names
    if low is None:
        return lambda left: tuple(values.get(n, left) for n in needed)
    if not is_movable(f.body_of, {low: as_value(low) + SHIFT, high: as_value(high) + SHIFT}, items):
        return None
    return lambda left: tuple(values[n] if n in values else as_value(low) + (left if n == high else 0) for n in needed)


def _growth(symbol: str, position: int, calls: Sequence[Callee]) -> Value | None:
    """By how much all calls make a formal greater."""
    handed = {c.formal_values[position] for c in calls}
    value = handed.pop() if len(handed) == 1 else None
    return None if value is None else value - as_value(symbol)


SHIFT = as_value(f"shift{HIDDEN}")


def is_movable(body_of: BodyOf, moved: Mapping[str, Value], items: Items) -> bool:
    """Whether what items cost stays the same when a range of numbers is moved as a whole, `moved` by `SHIFT`."""
    for item in items:
        inside: Mapping[str, Value] = moved
        own = values_of(item)
        gaps = [substituted(v, moved) - v for v in own]
        if isinstance(item, CodeLoop) and item.low is not None and item.high is not None:
            if gaps[0] != gaps[1] or not set(gaps) <= {as_value(0), SHIFT}:
                return False
            inside = {**moved, item.index: as_value(item.index) + gaps[0]}
        elif isinstance(item, Callee) and any(gap.terms for gap in gaps):
            if not _callee_moves(body_of, item, gaps):
                return False
        elif any(gap.terms for gap in gaps):
            return False
        if not all(is_movable(body_of, inside, body) for body in inner(item)):
            return False
    return True


def _callee_moves(body_of: BodyOf, call: Callee, gaps: Sequence[Value]) -> bool:
    """Whether a call costs the same with arguments that are moved."""
    body = body_of(call.equation)
    if body is None or call.recursive or not set(gaps) <= {as_value(0), SHIFT}:
        return call.recursive
    formals = {n: as_value(n) + gap for n, gap in zip(body.formals, gaps, strict=True) if gap.terms}
    return is_movable(body_of, formals, body.items)


def _fibonacci(f: Recursive, name: str, items: Items, guard: Guard, rank: Value, symbols: list[str]) -> Body:
    """T(k) = T(k - 1) + T(k - 2) + c: F(j + 2) - 1 calls that call again and F(j + 2) that do not (Binet)."""
    rank = apply("max", 0, rank)
    golden = quotient(1 + apply("sqrt", 5), 2)
    leaves = apply("floor", quotient(apply("^", golden, rank + 2), apply("sqrt", 5)) + Fraction(1, 2))
    step, at = _step(f, name, items, guard, []), f.at
    items_of_tree = (
        *times(leaves - 1, Callee(step.name, (ONE,), at)),
        *times(leaves, Callee(step.name, (as_value(0),), at)),
    )
    return Body(name, tuple(n for n in symbols if n in free_names(items_of_tree)), items_of_tree, at)


def _step(f: Recursive, name: str, items: Items, guard: Guard, needed: list[str]) -> Body:
    """One call: its guard decides by a formal, and the calls it makes are left to the levels."""
    deeper = f.names.bound("deeper")
    q = as_value(deeper) if guard.in_then else 1 - as_value(deeper)
    guarded = tuple(replace(i, probability=q) if i is guard.branch and isinstance(i, CodeBranch) else i for i in items)
    step = Body(f.names.fresh(f"{name}_call"), (*needed, deeper), without_calls(guarded, f.title), f.at)
    f.add(step)
    return step


def without_calls(items: Items, title: str) -> Items:
    """Items without the recursive calls, whose cost stands elsewhere."""
    return tuple(
        changed_inside(item, lambda inside: without_calls(inside, title))
        for item in items
        if not (isinstance(item, Callee) and item.recursive and item.equation == title)
    )


def _counted(f: Recursive, name: str, items: Items, calls: list[Callee], symbols: list[str], needed: list[str]) -> Body:
    """The number of calls is a parameter, and so are formals that differ from call to call."""
    at = f.at
    text = f"calls of {f.name} {'in one run' if f.in_all else 'made by one call from outside, itself included'}"
    kind = ParameterKind.UNSEEN if f.in_all else ParameterKind.CALLS
    many = f.ask(kind, f"calls_{f.name}", text, "")
    positions = f.positions
    arguments: list[Value] = []
    for n in needed:
        k = positions.get(n)
        if not f.in_all and k is not None and calls and all(c.formal_values[k] == as_value(n) for c in calls):
            arguments.append(as_value(n))
        else:
            formal = wanted_name(n)
            text = f"{formal} of {f.name}, mean of all its calls"
            arguments.append(f.ask(ParameterKind.ARGUMENT, f"{formal}_of_{f.name}", text, n))

    step = Body(f.names.fresh(f"{name}_call"), tuple(needed), without_calls(items, f.title), at)
    f.add(step)
    loop = CodeLoop(
        f"k{HIDDEN}", None, None, many, (Callee(step.name, tuple(arguments), at),), False, 0, "", as_value(0), at
    )
    return Body(name, tuple(n for n in symbols if n in free_names((loop,))), (loop,), at)
