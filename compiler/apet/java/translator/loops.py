"""Loops: those that count become `seq` with symbolic bounds, of the others the rounds are a parameter."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from apet.java.parse import syntax as s
from apet.java.parse import types
from apet.java.translator import expressions
from apet.java.translator.algebra import Value, apply, as_value, quotient
from apet.java.translator.conditions import cut
from apet.java.translator.counting import Counting, Range, constant_steps, counting, rounds
from apet.java.translator.facts import HIDDEN, Known, Lengths, Result, shown
from apet.java.translator.frame import Flow, Frame
from apet.java.translator.invocation import forget_fields
from apet.java.translator.ir import Item, Items, Loop, Op, Weighted
from apet.java.translator.variables import assign_variable, declare

AnyLoop = s.For | s.While | s.DoWhile | s.ForEach
Run = Callable[[Frame, s.Statement], Flow]


class Shape(NamedTuple):
    """A loop taken apart: its condition, what it does at the end of a round, its body, and steps of its counters."""

    condition: s.Expression | None
    updates: tuple[s.Expression, ...]
    body: s.Statement
    steps: dict[str, int]
    at_least_once: bool
    kind: str


def run_loop(f: Frame, loop: AnyLoop, run: Run, label: str) -> Flow:
    """Write a loop; the jumps that leave more than this loop."""
    outside = dict(f.types)
    if isinstance(loop, s.ForEach):
        flow = _for_each(f, loop, run, label)
    else:
        if isinstance(loop, s.For):
            for statement in loop.start:
                run(f, statement)
        flow = _loop(f, loop, run, label)
    for name in set(f.types) - set(outside):
        f.known.pop(name, None)
    f.types = outside
    return flow


def _shape(f: Frame, loop: s.For | s.While | s.DoWhile) -> Shape:
    if isinstance(loop, s.For):
        return Shape(loop.condition, loop.updates, loop.body, constant_steps(f, loop.updates), False, "for")
    kind = "while" if isinstance(loop, s.While) else "do"
    body, last = _split(f, loop.body)
    steps = constant_steps(f, (last,)) if last is not None else {}
    if last is not None and len(steps) == 1 and all(steps.values()):
        return Shape(loop.condition, (last,), body, steps, kind == "do", kind)
    return Shape(loop.condition, (), loop.body, {}, kind == "do", kind)


def _split(f: Frame, body: s.Statement) -> tuple[s.Statement, s.Expression | None]:
    """A body without the step that ends it; a `continue` would skip that step, so that there is none then."""
    if isinstance(body, s.Do):
        return s.Empty(body.at), body.expression
    if not isinstance(body, s.Block) or not body.statements:
        return body, None
    last = body.statements[-1]
    if not isinstance(last, s.Do) or f.method.scan.facts(body).continues:
        return body, None
    return s.Block(body.statements[:-1], body.at), last.expression


def _loop(f: Frame, loop: s.For | s.While | s.DoWhile, run: Run, label: str) -> Flow:
    shape = _shape(f, loop)
    start = dict(f.known)
    _forget(f, loop)
    found = counting(f, shape.condition, shape.steps, shape.body)
    extent = _extent(f, found, start) if found is not None else None
    if shape.condition is not None and isinstance(shape.condition, s.Literal):
        shape = shape._replace(condition=None)
    for name, step in shape.steps.items():
        if step:
            f.known[name] = as_value(f"{name}{HIDDEN}{loop.at.line}")
    first, again = _comparison(f, shape, found, extent)
    if not shape.at_least_once:
        f.out += first
    index = f.job.local(found.counter if found is not None else "k")
    if found is not None and extent is not None:
        f.known[found.counter] = extent.value
    with f.writing() as body:
        f.loops.append(label)
        jumps = run(f, shape.body)
        f.loops.pop()
    with f.writing() as control:
        for update in shape.updates:
            expressions.evaluate(f, update)
    leaves, away = _leaving(jumps, label)
    control = [*_control(control, found), *again]
    if leaves.terms:
        control = [Weighted(1 - leaves, tuple(control), loop.at)]
    _forget(f, loop)
    held = (*body, *control)
    if extent is not None and found is not None and not found.further:
        made = _counted(f, loop, shape, index, extent, found, held, leaves)
    else:
        made = _repeated(f, loop, extent, found, held, leaves)
    f.out.append(made)
    return _after(away, leaves, made.rounds)


def _counted(
    f: Frame,
    loop: s.For | s.While | s.DoWhile,
    shape: Shape,
    index: str,
    extent: Range,
    found: Counting,
    held: Items,
    leaves: Value,
) -> Loop:
    """A loop over the values of its counter."""
    least = as_value(1) if shape.at_least_once else None
    many = extent.rounds if least is None else apply("max", least, extent.rounds)
    low, high = (extent.low, extent.high) if least is None or _surely_once(extent) else (as_value(1), many)
    counts, early = _machine_counts(f, found), bool(leaves.terms)
    return Loop(index, low, high, many, held, counts, _step_of(found), _counter(found), leaves, loop.at, early)


def _repeated(
    f: Frame,
    loop: s.For | s.While | s.DoWhile,
    extent: Range | None,
    found: Counting | None,
    held: Items,
    leaves: Value,
) -> Loop:
    """A loop of which only the number of rounds is known, or a parameter stands for it."""
    many, counts = _rounds(f, loop, extent), _machine_counts(f, found)
    step, counter, further = _step_of(found), _counter(found), found is not None and found.further
    return Loop(f"k{HIDDEN}", None, None, many, held, counts, step, counter, leaves, loop.at, further=further)


def _surely_once(extent: Range) -> bool:
    number = extent.rounds.constant
    return number is not None and number >= 1


def _machine_counts(f: Frame, found: Counting | None) -> bool:
    """Whether a compiler counts it; with a further condition only where every round goes one element on."""
    if found is None or found.squared or f.types[found.counter].name not in types.INTEGRAL:
        return False
    return not found.further or abs(found.step) == 1


def _step_of(found: Counting | None) -> int:
    return 0 if found is None else found.step


def _counter(found: Counting | None) -> str:
    return "" if found is None else found.counter


def _extent(f: Frame, found: Counting, start: dict[str, Known]) -> Range | None:
    begin = start.get(found.counter)
    with f.writing():
        limit = expressions.evaluate(f, found.limit).number
    index = f.job.local(found.counter)
    return rounds(f, found, begin if isinstance(begin, Value) else None, limit, index)


def _rounds(f: Frame, loop: AnyLoop, extent: Range | None) -> Value:
    at_most = "" if extent is None else ", which also ends otherwise"
    text = f"rounds of `{cut(f.shown(loop.at, 200), 60)}`{at_most}, on average"
    return f.note(f"rounds_{loop.at.line}", text, loop.at)


def _comparison(f: Frame, shape: Shape, found: Counting | None, extent: Range | None) -> tuple[list[Item], list[Item]]:
    """The first comparison and that of each further round. As published, a limit that is a plain variable is accessed
    once, and the counter, which has just been assigned, not at all."""
    if shape.condition is None:
        return [], []
    with f.writing() as items:
        if found is None or found.further or extent is None or found.squared:
            value = expressions.evaluate(f, shape.condition)
            if not isinstance(shape.condition, s.Binary) and value.value >= 0:
                f.op("compare", types.BOOLEAN, value)
        else:
            expressions.evaluate(f, found.limit)
            f.op("compare", None)
    if found is not None and extent is not None and not found.further and not found.squared:
        items = [replace(i, control=True) if isinstance(i, Op) else i for i in items]
        if len(items) == 2 and isinstance(items[0], Op) and items[0].name == "access":
            return [replace(items[0], type=None), items[1]], [items[1]]
    return items, items


def _control(items: list[Item], found: Counting | None) -> list[Item]:
    """The steps of a loop's counter, marked as such; the assignment first, as published."""
    if found is None:
        return items
    marked = [replace(i, control=True) if isinstance(i, Op) and i.name != "either" else i for i in items]
    return sorted(marked, key=lambda i: not (isinstance(i, Op) and i.name == "assign"))


def _forget(f: Frame, loop: AnyLoop) -> None:
    """What a loop assigns is unknown inside and behind it; arrays that only swap keep their lengths."""
    facts = f.method.scan.facts(loop)
    local = facts.declared
    for name, values in facts.assigned.items():
        key = name if name in f.types else f"this.{name}"
        if key.startswith("this."):
            found = f.job.program.field(f.owner, name, near=True)
            known = f.known.get(key, f.job.field(found[0].name, found[1]) if found is not None else None)
        else:
            known = f.known.get(key)
        if isinstance(known, Lengths) and all(_same(f, v, known, local, 3) for v in values):
            f.known[key] = known
            continue
        f.known[key] = None
    if any(k.startswith("this.") for k in f.known):
        by_name = f.job.program.by_name()
        for called in (*facts.called, *(f"new {n}" for n in facts.created)):
            for method in by_name.get(called, ()):
                forget_fields(f, method)


def _same(f: Frame, e: s.Expression | None, wanted: Known, local: dict[str, s.Expression | None], depth: int) -> bool:
    if not isinstance(e, s.Name) or not depth:
        return False
    if e.name in local:
        return _same(f, local[e.name], wanted, local, depth - 1)
    if e.name in f.types:
        return f.known.get(e.name) == wanted
    found = f.job.program.field(f.owner, e.name, near=True)
    return found is not None and f.known.get(f"this.{e.name}", f.job.field(found[0].name, found[1])) == wanted


def _leaving(jumps: Flow, label: str) -> tuple[Value, Flow]:
    """The probability of leaving the loop in one round, and the jumps that lead further out, per round."""
    own = ("continue", f"continue:{label}")
    leaving = jumps.without(*own)
    return leaving.total, leaving.without("break", f"break:{label}")


def _after(away: Flow, leaves: Value, many: Value) -> Flow:
    """Jumps out of several rounds: with probability q in each of N rounds, 1 - (1 - q)^N in all."""
    if not away.total.terms:
        return Flow()
    if leaves.constant == 1:
        return away
    ever = 1 - apply("^", 1 - leaves, many)
    return Flow({k: (ever if v == leaves else quotient(v, leaves) * ever) for k, v in away.items()})


def _for_each(f: Frame, loop: s.ForEach, run: Run, label: str) -> Flow:
    source = expressions.evaluate(f, loop.iterable)
    _forget(f, loop)
    declare(f, loop.name, types.element(source.type) if loop.type == types.UNKNOWN else loop.type)
    is_array = bool(source.type.dimensions)
    length = source.known.lengths[0] if isinstance(source.known, Lengths) and source.known.lengths else None
    many = shown(length) if is_array else None
    with f.writing() as body:
        kind = f.types[loop.name]
        if is_array:
            from apet.java.translator.ir import Access

            symbol = as_value(f"{loop.name}{HIDDEN}{loop.at.line}")
            name = loop.iterable.name if isinstance(loop.iterable, s.Name) else f"{HIDDEN}{loop.at.line}"
            value = f.op("array_access", None, source, memory=Access(name, (symbol,), False), variable=kind.name)
        else:
            value = f.op("next_iterator", None, source)
        known = source.known.element() if isinstance(source.known, Lengths) else None
        assign_variable(f, loop.name, Result(kind, known, value, True))
        f.loops.append(label)
        jumps = run(f, loop.body)
        f.loops.pop()
        counter = (("assign", types.INT), ("access", types.INT), ("sum", types.INT), ("compare", None))
        for name, of in counter if is_array else ():
            f.out.append(Op(name, of, control=True))
    leaves, away = _leaving(jumps, label)
    _forget(f, loop)
    if is_array:
        f.out += [
            Op("assign", types.INT, control=True),
            Op("access", None, control=True),
            Op("compare", None, control=True),
        ]
    else:
        f.op("compare", types.BOOLEAN)
    if many is not None:
        index = f.job.local(f"k_{loop.name}")
        made = Loop(index, as_value(1), many, many, tuple(body), True, 1, "", leaves, loop.at, bool(leaves.terms))
    else:
        many = _rounds(f, loop, None)
        made = Loop(f"k{HIDDEN}", None, None, many, tuple(body), is_array, 1, "", leaves, loop.at)
    f.out.append(made)
    return _after(away, leaves, many)
